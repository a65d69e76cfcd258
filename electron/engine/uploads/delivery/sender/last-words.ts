import type { Socket } from 'node:net';
import type { Clock } from '../../../ports/clock.ts';

/** With these codes a write fails because the other side has gone; what it said before may still be unread. */
const OTHER_SIDE_GONE = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ENOTCONN', 'ESHUTDOWN']);

/** The system tells the end of reading in the same breath; no socket waits longer for it. */
const END_OF_READING_MS = 2000;

const listening = new WeakSet<Socket>();

/**
 * Lets a destination have its last word. One that refuses a form answers and closes while we still write; our next
 * write then fails although the answer lies in the kernel already, unread. Node throws a socket away at its first failed
 * write, and the answer with it. Here the failure is told only after reading has come to its end: by then the answer
 * was heard, if there was one.
 */
export function hearLastWords(socket: Socket, clock: Clock): void {
  if (listening.has(socket)) return;
  listening.add(socket);
  type Done = (error?: Error | null) => void;

  const afterReading =
    (done: Done): Done =>
    (error) => {
      const code = (error as NodeJS.ErrnoException | null | undefined)?.code ?? '';
      if (!OTHER_SIDE_GONE.has(code) || socket.readableEnded || socket.destroyed) {
        done(error);
        return;
      }
      const tell = () => {
        cancel();
        socket.off('end', tell);
        socket.off('close', tell);
        done(error);
      };
      const cancel = clock.schedule(END_OF_READING_MS, tell);
      socket.on('end', tell);
      socket.on('close', tell);
    };

  const write = socket._write;
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, afterReading(done));
  const writev = socket._writev;
  if (writev) socket._writev = (chunks, done) => writev.call(socket, chunks, afterReading(done));
}
