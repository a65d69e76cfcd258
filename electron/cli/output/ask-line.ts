import { createInterface } from 'node:readline';
import { printable } from './text-format.ts';

/** Asks for a line on the terminal. Returns null for the end of the input, and when `signal` is aborted. */
export function askLine(
  question: string,
  stdin: NodeJS.ReadableStream,
  stderr: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<string | null> {
  if (signal.aborted) return Promise.resolve(null);
  stderr.write(printable(question));
  // The terminal shows what is typed, and Ctrl-C is a signal: the reader must not take it over.
  const lines = createInterface({ input: stdin, terminal: false });
  return new Promise((resolve) => {
    const end = (answer: string | null) => {
      signal.removeEventListener('abort', stop);
      resolve(answer);
      lines.close();
      stdin.pause();
    };
    const stop = () => end(null);
    lines.once('line', end);
    lines.once('close', stop);
    signal.addEventListener('abort', stop, { once: true });
  });
}
