import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { OfferedManifest } from '../../../../shared/contract/watch.ts';
import { MANIFEST_NAMES } from '../../../../shared/model/watch/manifest-names.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Files } from '../../ports/files.ts';
import { checkedRow, type ManifestTable, readFolderManifest } from './folder-manifests.ts';

/** The number of rows that are checked without a pause for other work. */
const ROWS_AT_ONCE = 200;
/** The maximum number of manifests that are read, because each can have many rows. */
const MOST_READ = 50;

interface OfferTools {
  files: Files;
  clock: Clock;
  /** Returns the paths whose files were uploaded before; by default none. */
  uploaded?: (paths: readonly string[]) => ReadonlySet<string>;
}

type Sums = Pick<OfferedManifest, 'rows' | 'fitting' | 'missing' | 'bad' | 'nearer' | 'uploaded'>;

/**
 * Returns the manifests in a folder that is not watched yet, or whose rules use none, with the present effect of their rows;
 * null: there are none. `paths`: of all manifests in it and below, relative to it. Manifests that can't be used are returned with
 * the reason.
 */
export async function offeredManifest(
  root: string,
  paths: readonly string[],
  tools: OfferTools,
): Promise<OfferedManifest | null> {
  const byFolder = nearestOf(paths);
  if (byFolder.size === 0) return null;
  const offer: OfferedManifest = {
    files: [],
    isAll: byFolder.size <= MOST_READ,
    rows: 0,
    fitting: 0,
    missing: 0,
    bad: 0,
    nearer: 0,
    uploaded: 0,
  };
  for (const [folder, path] of [...byFolder].slice(0, MOST_READ)) {
    const { sums, error } = await readOffer(root, { folder, path, byFolder }, tools);
    offer.files.push({ path, error });
    for (const each of Object.keys(sums) as (keyof Sums)[]) offer[each] += sums[each];
  }
  return offer;
}

const NOTHING: Sums = { rows: 0, fitting: 0, missing: 0, bad: 0, nearer: 0, uploaded: 0 };

/** A manifest with the other manifests of its folders. `folder`: with a slash at its end, empty for the root. */
interface Placed {
  folder: string;
  path: string;
  byFolder: ReadonlyMap<string, string>;
}

async function readOffer(
  root: string,
  placed: Placed,
  tools: OfferTools,
): Promise<{ sums: Sums; error: OfferedManifest['files'][number]['error'] }> {
  try {
    const table = await readFolderManifest(tools.files.within(root), join(root, ...placed.path.split('/')));
    if ('code' in table) return { sums: NOTHING, error: appError(table.code).toData() };
    return { sums: await sumOf(root, placed, table, tools), error: null };
  } catch (error) {
    return { sums: NOTHING, error: toAppError(error).toData() };
  }
}

/** Returns the manifest of each folder that has one, the upper folders first. */
function nearestOf(paths: readonly string[]): Map<string, string> {
  const rank = (path: string) => MANIFEST_NAMES.findIndex((name) => path.endsWith(name));
  const byFolder = new Map<string, string>();
  const sorted = paths.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  for (const path of sorted) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    if (!byFolder.has(folder)) byFolder.set(folder, path);
  }
  return new Map([...byFolder].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the named files that are in the folder. Each sub-folder is listed once. */
async function present(folder: string, { rowsOf }: ManifestTable, files: Files): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const named = Map.groupBy(rowsOf.keys(), (path) => path.slice(0, path.lastIndexOf('/') + 1));
  for (const [below, paths] of named) {
    const names = await namesIn(join(folder, ...below.split('/')), files);
    const known = new Set(names.map((name) => `${below}${name.normalize('NFC')}`));
    for (const path of paths) if (known.has(path)) found.add(path);
  }
  return found;
}

/** Returns the names in a folder. A folder that does not exist yet has none. */
async function namesIn(folder: string, files: Files): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (toAppError(error).code === 'file.missing') return [];
    throw error;
  }
}

async function sumOf(
  root: string,
  { folder, byFolder }: Placed,
  table: ManifestTable,
  { files, clock, uploaded = () => new Set() }: OfferTools,
): Promise<Sums> {
  const found = await present(join(root, ...folder.split('/')), table, files.within(root));
  const before = uploaded([...found].map((path) => `${folder}${path}`));
  const pathsOf = new Map<number, string[]>();
  for (const [path, rows] of table.rowsOf) {
    for (const { row } of rows) pathsOf.set(row, [...(pathsOf.get(row) ?? []), path]);
  }
  const hasNearer = (path: string) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (byFolder.has(`${folder}${path.slice(0, at + 1)}`)) return true;
    }
    return false;
  };
  const kindOf = (row: ManifestTable['rows'][number]): Exclude<keyof Sums, 'rows'> => {
    const paths = pathsOf.get(row.row) ?? [];
    const path = paths.find((each) => found.has(each)) ?? paths[0];
    const isRepeated = paths.some((each) => (table.rowsOf.get(each)?.length ?? 0) > 1);
    if (path === undefined || isRepeated) return 'bad';
    if (hasNearer(path)) return 'nearer';
    if (checkedRow(row, table, path, clock.now()).kind !== 'row') return 'bad';
    if (!found.has(path)) return 'missing';
    return before.has(`${folder}${path}`) ? 'uploaded' : 'fitting';
  };
  const sums = { ...NOTHING, rows: table.rows.length };
  for (const [index, row] of table.rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn();
    sums[kindOf(row)] += 1;
  }
  return sums;
}
