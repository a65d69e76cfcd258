import type { IncomingMessage, ServerResponse } from 'node:http';

const awaitingContinue = new WeakSet<IncomingMessage>();

/** Notes that a client waits with its body until it is asked for it (`Expect: 100-continue`). */
export function holdBody(request: IncomingMessage): void {
  awaitingContinue.add(request);
}

/** Asks a client that waits with its body to send it; for others nothing happens. */
export function letBodyCome(request: IncomingMessage, response: ServerResponse): void {
  if (!awaitingContinue.delete(request)) return;
  response.removeHeader('connection');
  response.writeContinue();
}
