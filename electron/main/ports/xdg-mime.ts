import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LONGEST_MS = 10_000;

/** Makes a desktop entry the default for a kind of links or files. Rejects where `xdg-mime` is missing or fails. */
export async function makeDefaultEntry(entry: string, mimeType: string): Promise<void> {
  await promisify(execFile)('xdg-mime', ['default', entry, mimeType], { timeout: LONGEST_MS });
}
