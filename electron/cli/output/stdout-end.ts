import { EXIT } from './exit-codes.ts';

const { stdout, stderr } = process;

/**
 * Ends the process when standard output takes nothing more. That its reader has gone, as in `mediadesk queue list | head`, is not an
 * error; other reasons are printed.
 */
export function endWithReader(): void {
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(EXIT.complete);
    const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'the drive is full' : `reason ${code ?? 'unknown'}`;
    stderr.write(`mediadesk: The output isn’t complete: ${reason}.\n`);
    process.exit(EXIT.incomplete);
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
