import { terminalJson, terminalText } from '../../shared/api/terminal-text.ts';

/** Writes a value as one line of JSON to standard output. */
export function printRecord(value: unknown): void {
  process.stdout.write(`${terminalJson(value)}\n`);
}

/** Writes values as lines of JSON to standard output. Resolves when they are written; rejects when they can't be. */
export function printRecords(values: readonly unknown[]): Promise<void> {
  const text = values.map((value) => `${terminalJson(value)}\n`).join('');
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a line of text to standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${terminalText(line)}\n`);
}

/** Writes a value as one line of JSON to standard error. */
export function logRecord(value: unknown): void {
  process.stderr.write(`${terminalJson(value)}\n`);
}

/** Writes a line of text to standard error. */
export function printError(line: string): void {
  process.stderr.write(`${terminalText(line)}\n`);
}

/** Writes why a command failed: as JSON to standard output, or as a sentence to standard error. */
export function printFailure(error: unknown, isJson: boolean): void {
  const { code = 'failed', message } = error as { code?: unknown; message: string };
  if (isJson) printRecord({ error: { code: String(code), message } });
  else printError(message);
}

/**
 * Watches the standard streams; call it before the first write. The result resolves when all text was written: with the error of the
 * first write that failed, or undefined.
 */
export function watchOutput(): () => Promise<Error | undefined> {
  let failure: Error | undefined;
  const streams = [process.stdout, process.stderr];
  const keep = (error: Error) => {
    failure ??= error;
  };
  // The program that started this one may end with success when the reader of its output has gone.
  for (const stream of streams) stream.removeAllListeners('error').on('error', keep);
  return async () => {
    for (const stream of streams) {
      const error = await new Promise<Error | null | undefined>((resolve) => stream.write('', resolve));
      if (error) keep(error);
    }
    return failure;
  };
}
