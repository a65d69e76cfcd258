/**
 * The limit for the arguments of a start. Chromium sends them to the app that is running, with its working folder, in a message of
 * at most 32 KiB; when that message is longer, the running app does not answer and is killed.
 */
const MOST_BYTES = 16 * 1024;

/**
 * Returns null when the arguments of this start may be sent to a running app; otherwise those to start with instead: the options,
 * without the files, as far as they fit. `writeOpenedList` hands over the files. `args` begins after the program.
 */
export function shortArguments(args: readonly string[]): string[] | null {
  if (sizeOf(args) <= MOST_BYTES) return null;
  const kept: string[] = [];
  for (const [index, text] of args.entries()) {
    const isOption = text.startsWith('--') || args[index - 1] === '--profile';
    if (isOption && sizeOf([...kept, text]) <= MOST_BYTES) kept.push(text);
  }
  return kept;
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
}
