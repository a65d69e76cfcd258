import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { OfferedManifest } from '../../../../shared/contract/watch.ts';
import { MANIFEST_NAMES } from '../../../../shared/model/watch/manifest-names.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Files } from '../../ports/files.ts';
import { checkedRow, type ManifestTable, readManifest } from './folder-manifests.ts';

/** Rows that are checked without a pause for other work. */
const ROWS_AT_ONCE = 200;

/**
 * Returns the manifest that is in a folder before the folder is watched, with what its rows would do now; null: there is none. A
 * manifest that can't be used is returned with the reason.
 */
export async function offeredManifest(
  root: string,
  { files, clock }: { files: Files; clock: Clock },
): Promise<OfferedManifest | null> {
  const names = new Set(await files.list(root));
  const fileName = MANIFEST_NAMES.find((name) => names.has(name));
  if (fileName === undefined) return null;
  const offer: OfferedManifest = { fileName, rows: 0, fitting: 0, missing: 0, bad: 0, error: null };
  try {
    const table = await readManifest(files, join(root, fileName));
    if ('code' in table) return { ...offer, error: appError(table.code).toData() };
    return { ...offer, ...(await sumOf(table, await present(root, table, files), clock.now())) };
  } catch (error) {
    return { ...offer, error: toAppError(error).toData() };
  }
}

/** Returns those of the named files that are in the folder. Each sub-folder is listed once. */
async function present(root: string, { rowsOf }: ManifestTable, files: Files): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const named = Map.groupBy(rowsOf.keys(), (path) => path.slice(0, path.lastIndexOf('/') + 1));
  for (const [folder, paths] of named) {
    // A sub-folder that is not there yet has none of its files.
    const names = await files.list(join(root, ...folder.split('/'))).catch((): string[] => []);
    const known = new Set(names.map((name) => `${folder}${name.normalize('NFC')}`));
    for (const path of paths) if (known.has(path)) found.add(path);
  }
  return found;
}

async function sumOf(
  table: ManifestTable,
  found: ReadonlySet<string>,
  nowMs: number,
): Promise<Pick<OfferedManifest, 'rows' | 'fitting' | 'missing' | 'bad'>> {
  const pathsOf = new Map<number, string[]>();
  for (const [path, rows] of table.rowsOf) {
    for (const { row } of rows) pathsOf.set(row, [...(pathsOf.get(row) ?? []), path]);
  }
  const sum = { rows: table.rows.length, fitting: 0, missing: 0, bad: 0 };
  for (const [index, row] of table.rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn();
    const paths = pathsOf.get(row.row) ?? [];
    const path = paths.find((each) => found.has(each));
    const isRepeated = paths.some((each) => (table.rowsOf.get(each)?.length ?? 0) > 1);
    if (paths.length === 0 || isRepeated) sum.bad += 1;
    else if (checkedRow(row, table, path ?? paths[0] ?? '', nowMs).kind !== 'row') sum.bad += 1;
    else if (path === undefined) sum.missing += 1;
    else sum.fitting += 1;
  }
  return sum;
}
