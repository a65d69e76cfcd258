import type { Socket } from 'node:net';
import type { Clock } from '../../../ports/clock.ts';

/** Codes of writes that fail because the other side closed the connection. Its answer may be unread. */
const OTHER_SIDE_GONE = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ENOTCONN', 'ESHUTDOWN']);

/** How long a failed write waits for the end of reading, which the system normally reports at the same time. */
const END_OF_READING_MS = 2000;

const wrapped = new WeakSet<Socket>();

/**
 * Preserves an early answer: a failed write of the socket is reported only after reading has ended. A destination that
 * refuses a form answers and closes while the sender still writes. The next write fails although the answer is already in
 * the kernel, unread; Node destroys a socket at its first failed write, and the answer with it.
 *
 * Node has no public way to delay this, so the socket's `_write` and `_writev` are wrapped (decision 11).
 */
export function preserveEarlyAnswer(socket: Socket, clock: Clock): void {
  if (wrapped.has(socket)) return;
  wrapped.add(socket);
  type Done = (error?: Error | null) => void;

  const afterReading =
    (done: Done): Done =>
    (error) => {
      const code = (error as NodeJS.ErrnoException | null | undefined)?.code ?? '';
      if (!OTHER_SIDE_GONE.has(code) || socket.readableEnded || socket.destroyed) {
        done(error);
        return;
      }
      const report = () => {
        cancel();
        socket.off('end', report);
        socket.off('close', report);
        done(error);
      };
      const cancel = clock.schedule(END_OF_READING_MS, report);
      socket.on('end', report);
      socket.on('close', report);
    };

  const write = socket._write;
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, afterReading(done));
  const writev = socket._writev;
  if (writev) socket._writev = (chunks, done) => writev.call(socket, chunks, afterReading(done));
}
