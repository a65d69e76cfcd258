import { dirname, join } from 'node:path';
import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import type { CollectionTarget } from '../../../../shared/contract/watch-rules.ts';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import {
  checkFileRows,
  type FileRowMapping,
  fileMappingProblem,
  readFileCell,
  suggestFileMapping,
} from '../../../../shared/model/manifest/file-rows.ts';
import type { RowContext } from '../../../../shared/model/manifest/read-row.ts';
import type { TableRow } from '../../../../shared/model/table/table-error.ts';
import { MANIFEST_NAMES } from '../../../../shared/model/watch/manifest-names.ts';
import { type OpenedTable, openTable } from '../../manifest/table/open-table.ts';
import type { Clock } from '../../ports/clock.ts';
import { hasFileNumber } from '../../ports/file-identity.ts';
import type { Files } from '../../ports/files.ts';
import { stepsOnDiskBelow } from '../../ports/same-folder.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

/** The values of a manifest for a file. */
export interface RowOfFile {
  fields: Partial<ItemFields>;
  publish: PublishChoice | null;
  /** null: that of the rule. */
  collection: CollectionTarget | null;
}

/** `none`: the nearest manifest is not complete or has no row for the file, or there is no manifest. */
export type FoundRow = { kind: 'row'; row: RowOfFile } | { kind: 'none' } | { kind: 'problem'; code: ErrorCode };

interface ManifestTools {
  rows: WatchedFileStore;
  files: Files;
  clock: Clock;
}

/** The rows of a manifest by the paths of their files. */
export interface ManifestTable {
  /** All rows, including rows that name no file. */
  rows: readonly TableRow[];
  rowsOf: ReadonlyMap<string, TableRow[]>;
  /** The paths in `rowsOf` by their form in small letters. */
  spellings: ReadonlyMap<string, string[]>;
  mapping: FileRowMapping;
  width: number;
}

/** The contents of a manifest, while its file stays the same. `code`: why they can't be used. */
interface ReadManifest {
  sizeBytes: number;
  mtimeMs: number;
  table: ManifestTable | { code: ErrorCode };
}

/** How many manifests are kept in memory. */
const MOST_KEPT = 8;

/** Reads `manifest.csv` and `manifest.xlsx` in watched folders. */
export class FolderManifests {
  readonly #tools: ManifestTools;
  readonly #read = new Map<string, ReadManifest>();

  constructor(tools: ManifestTools) {
    this.#tools = tools;
  }

  /**
   * Returns the row of a file. `path`: relative to the watched folder. Only the nearest manifest counts, in the folder of the
   * file or above: while it is being written, a manifest further above is not used instead. `complete`: a manifest that is
   * complete, and not stored as such yet.
   */
  async rowOf(folder: FolderRecord, path: string, complete: WatchedFile | null = null): Promise<FoundRow> {
    const nearest = this.#nearest(folder.id, path);
    const manifest = complete !== null && nearest?.seq === complete.seq ? complete : nearest;
    if (manifest === null || !isComplete(manifest)) return { kind: 'none' };
    const table = await this.#open(folder, manifest);
    if (table === null) return { kind: 'none' };
    if ('code' in table) return { kind: 'problem', code: table.code };
    const base = manifest.path.slice(0, manifest.path.lastIndexOf('/') + 1);
    const rows = await this.#rowsNaming(
      path.slice(base.length).normalize('NFC'),
      join(folder.root, base),
      folder,
      table,
    );
    const [row] = rows;
    if (row === undefined) return { kind: 'none' };
    if (rows.length > 1) return { kind: 'problem', code: 'manifest.file-twice' };
    // A late row may have a publish time that has passed: its edit is held and asks the user.
    return checkedRow(row, table, path, complete === null ? this.#tools.clock.now() : 0);
  }

  #nearest(folderId: string, path: string): WatchedFile | null {
    const folders: string[] = [];
    for (let at = dirname(path); ; at = dirname(at)) {
      folders.push(at === '.' ? '' : `${at}/`);
      if (at === '.') break;
    }
    const candidates = folders.flatMap((above) => MANIFEST_NAMES.map((name) => `${above}${name}`));
    const known = this.#tools.rows.byPaths(folderId, candidates);
    for (const candidate of candidates) {
      const found = known.get(candidate);
      if (found !== undefined && found.goneAt === null) return found;
    }
    return null;
  }

  /**
   * Returns the rows that name a file, also with other capitals if these lead to the same file: only the disk knows whether capitals
   * count. `base`: the folder of the manifest.
   */
  async #rowsNaming(name: string, base: string, folder: FolderRecord, table: ManifestTable): Promise<TableRow[]> {
    const { rowsOf, spellings } = table;
    const exact = rowsOf.get(name);
    if (exact !== undefined) return exact;
    const alike = spellings.get(name.toLowerCase()) ?? [];
    if (alike.length === 0) return [];
    const files = this.#tools.files.within(folder.root);
    // A file that is missing or can't be read is not the same one.
    const identityOf = async (each: string) => {
      const facts = await files.facts(join(base, ...each.split('/'))).catch(() => null);
      return facts !== null && hasFileNumber(facts.identity) ? facts.identity : null;
    };
    const own = await identityOf(name);
    if (own === null) return [];
    const rows: TableRow[] = [];
    for (const each of alike) {
      if ((await identityOf(each)) === own) rows.push(...(rowsOf.get(each) ?? []));
    }
    return rows;
  }

  /** Returns the contents of a manifest; null when its file is not the observed one. */
  async #open(
    folder: FolderRecord,
    { path, sizeBytes, mtimeMs }: WatchedFile,
  ): Promise<ManifestTable | { code: ErrorCode } | null> {
    const full = join(folder.root, ...path.split('/'));
    const known = this.#read.get(full);
    if (known !== undefined && known.sizeBytes === sizeBytes && known.mtimeMs === mtimeMs) return known.table;
    const files = this.#tools.files.within(folder.root);
    let table: ReadManifest['table'];
    try {
      table = await readFolderManifest(files, full);
      const facts = await files.facts(full);
      // It was written since the last sweep.
      if (facts.sizeBytes !== sizeBytes || facts.mtimeMs !== mtimeMs) return null;
    } catch (error) {
      // Not kept: the next check may be able to read the file.
      return { code: toAppError(error).code };
    }
    this.#read.delete(full);
    this.#read.set(full, { sizeBytes, mtimeMs, table });
    for (const oldest of this.#read.keys()) if (this.#read.size > MOST_KEPT) this.#read.delete(oldest);
    return table;
  }
}

/**
 * Returns whether the contents of a manifest are known to be final. Those of a queued manifest can change until it is uploaded.
 */
function isComplete({ kind, state }: WatchedFile): boolean {
  // `done`: it was uploaded or existed before, in a folder whose rules did not use manifests.
  return kind === 'file' && (state === 'refused' || state === 'done');
}

/** Returns the values of a row for the file at a path, or its first problem. */
export function checkedRow(row: TableRow, { mapping, width }: ManifestTable, path: string, nowMs: number): FoundRow {
  const timeZone = localTimeZone();
  const named: { collection: CollectionTarget | null } = { collection: null };
  const { files, problems } = checkFileRows({
    rows: [row],
    width,
    mapping,
    found: new Map([[row.row, { kind: 'found', path, identity: path }]]),
    hasCollection: true,
    context: { ...notedIn(named), timeZone, nowMs },
  });
  const [described] = files;
  if (described === undefined) return { kind: 'problem', code: problems[0]?.code ?? 'manifest.file-invalid' };
  const { fields, publish } = described;
  return { kind: 'row', row: { fields, publish, ...named } };
}

/** Reads a manifest. An error of its contents is part of the result; throws errors of the disk. */
export async function readFolderManifest(files: Files, path: string): Promise<ManifestTable | { code: ErrorCode }> {
  let opened: OpenedTable;
  try {
    opened = await openTable(files, path, { encoding: null, separator: null });
  } catch (error) {
    const { code } = toAppError(error);
    if (!code.startsWith('table.')) throw error;
    return { code };
  }
  const { headers, rows } = opened;
  const mapping = suggestFileMapping(headers);
  const problem = fileMappingProblem(mapping);
  if (problem !== null) return { code: problem.kind === 'twice' ? 'manifest.column-twice' : 'manifest.no-file' };
  const column = mapping.indexOf('file');
  const rowsOf = new Map<string, TableRow[]>();
  for (const row of rows) {
    const named = readFileCell(row.cells[column] ?? '');
    const below =
      named.kind === 'absolute' ? await stepsOnDiskBelow(named.path, { folder: dirname(path), files }) : null;
    const paths = named.kind === 'paths' ? named.paths : below === null ? [] : [below];
    const names = paths.map((steps) => steps.join('/').normalize('NFC'));
    for (const name of new Set(names)) rowsOf.set(name, [...(rowsOf.get(name) ?? []), row]);
  }
  const spellings = Map.groupBy(rowsOf.keys(), (name) => name.toLowerCase());
  return { rows, rowsOf, spellings, mapping, width: headers.length };
}

/**
 * Returns a lookup that accepts any collection in a row, and notes it in `named`: the upload looks it up, like the collection of
 * a rule.
 */
function notedIn(named: { collection: CollectionTarget | null }): Omit<RowContext, 'timeZone' | 'nowMs'> {
  return {
    pathOf: () => null,
    hasCollection(id) {
      named.collection = { kind: 'id', id, name: id };
      return true;
    },
    findCollection(ref) {
      named.collection = { kind: 'ref', ref };
      return { kind: 'one', id: ref };
    },
  };
}
