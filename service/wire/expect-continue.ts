import type { IncomingMessage, ServerResponse } from 'node:http';

const awaitingContinue = new WeakSet<IncomingMessage>();

/** Records that a client waits for permission to send its body (`Expect: 100-continue`). */
export function awaitContinue(request: IncomingMessage): void {
  awaitingContinue.add(request);
}

/** Returns whether a client waits with its body for a permission that it has not got. */
export function isAwaitingContinue(request: IncomingMessage): boolean {
  return awaitingContinue.has(request);
}

/** Permits a waiting client to send its body; does nothing for other clients. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (!awaitingContinue.delete(request)) return;
  response.removeHeader('connection');
  response.writeContinue();
}
