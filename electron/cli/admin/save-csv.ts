import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CSV_DEFAULTS, csvOf } from '../../../shared/model/table/write-csv.ts';
import { nodeSaveFile } from '../../engine/ports/system/node-save-file.ts';
import { type OptionSpec, type OptionValues, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** The option that lets a command replace a file; `readSaveTarget` reads it. */
export const FORCE_OPTION = {
  force: { value: null, help: 'Replace an existing file.' },
} as const satisfies Record<string, OptionSpec>;

/** Where a command saves a table. */
export interface SaveTarget {
  path: string;
  /** Whether an existing file is replaced. */
  replaces: boolean;
}

/** Reads the option `name` and `FORCE_OPTION`; null: nothing is saved. Throws `UsageError`. */
export function readSaveTarget(values: OptionValues, name: string): SaveTarget | null {
  const path = optionText(values, name);
  const replaces = values.force === true;
  if (replaces && (path === null || path === '-')) throw new UsageError(`Use --force only with --${name} FILE.`);
  return path === null || path === '-' ? null : { path: resolve(path), replaces };
}

/** Throws `UsageError` when the file exists and stays. Called first, so that nothing is read or asked in vain. */
export async function refuseExisting({ path, replaces }: SaveTarget, topic: string): Promise<void> {
  if (replaces) return;
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UsageError(`${path} exists already. Enter another name, or add --force to replace it.`, topic);
}

/**
 * Writes a table as CSV that only this user can read. The file appears when it is complete. Throws as `SaveFile`, and what `rows`
 * throws.
 */
export async function saveCsv(
  { path, replaces }: SaveTarget,
  rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): Promise<void> {
  await nodeSaveFile(path, piecesOf(rows), { isNew: !replaces });
}

async function* piecesOf(
  rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): AsyncGenerator<Uint8Array> {
  for await (const text of csvTexts(rows)) yield Buffer.from(text);
}

/** The number of characters of a text that is written at once. */
const TEXT_CHARS = 65_536;

/** Yields a table as CSV in texts of many rows. */
export async function* csvTexts(
  rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  let text = [...csvOf([])].join('');
  for await (const row of rows) {
    for (const line of csvOf([row], { ...CSV_DEFAULTS, bom: false })) text += line;
    if (text.length < TEXT_CHARS) continue;
    yield text;
    text = '';
  }
  yield text;
}
