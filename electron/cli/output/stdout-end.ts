import { EXIT } from './exit-codes.ts';

const { stdout, stderr } = process;

/** Ends the process when the reader of standard output has gone: `mediadesk queue list | head` is not an error. */
export function endWithReader(): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.complete : EXIT.incomplete);
  });
}

/** Writes a text of this program as it is. Texts from outside need an `Output`. */
export function writeOwnText(text: string): void {
  stdout.write(text);
}

/** Resolves when everything that was written has left this process. */
export async function whenDrained(): Promise<void> {
  const drained = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => stream.write('', () => resolve()));
  await Promise.all([drained(stdout), drained(stderr)]);
}
