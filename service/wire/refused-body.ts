import type { IncomingMessage } from 'node:http';
import { isAwaitingContinue } from './expect-continue.ts';

/** A client may send the rest of a refused body up to these limits; then its connection is closed. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 5000;

/**
 * Reads the rest of a refused body, so that the client can read the refusal, and closes the connection of a client that keeps
 * sending. Resolves when no more comes; at once for a client that waits for permission to send, because it may send nothing.
 */
export function discardBody(
  request: IncomingMessage,
  { maxBytes = MAX_BYTES, maxMs = MAX_MS }: { maxBytes?: number; maxMs?: number } = {},
): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  const read = new Promise<void>((resolve) => {
    let bytes = 0;
    const cut = () => void request.destroy();
    const deadline = setTimeout(cut, maxMs);
    const finish = () => {
      clearTimeout(deadline);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) cut();
    });
    for (const event of ['end', 'close', 'error']) request.once(event, finish);
    request.resume();
  });
  return isAwaitingContinue(request) ? Promise.resolve() : read;
}
