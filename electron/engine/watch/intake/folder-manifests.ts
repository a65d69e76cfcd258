import { dirname, join } from 'node:path';
import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/error-catalog.ts';
import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import type { CollectionTarget } from '../../../../shared/contract/watch-rules.ts';
import type { ItemFields } from '../../../../shared/model/item-fields.ts';
import { readCollection } from '../../../../shared/model/manifest/cells.ts';
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
import { openTable } from '../../manifest/table/open-table.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Files } from '../../ports/files.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

/** What a manifest says about a file. */
export interface RowOfFile {
  fields: Partial<ItemFields>;
  publish: PublishChoice | null;
  /** null: that of the rule. */
  collection: CollectionTarget | null;
}

/** `none`: there is no complete manifest, or it has no row for the file. */
export type FoundRow = { kind: 'row'; row: RowOfFile } | { kind: 'none' } | { kind: 'problem'; code: ErrorCode };

interface ManifestTools {
  rows: WatchedFileStore;
  files: Files;
  clock: Clock;
}

/** A manifest as it was read, for as long as its file stays the same. */
interface ReadManifest {
  sizeBytes: number;
  mtimeMs: number;
  table: { rowsOf: ReadonlyMap<string, TableRow[]>; mapping: FileRowMapping; width: number } | { code: ErrorCode };
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
   * Returns the row of a file. `path`: relative to the watched folder. The manifest in the folder of the file comes first, then
   * those above. One that is still being written counts as absent.
   */
  async rowOf(folder: FolderRecord, path: string): Promise<FoundRow> {
    const manifest = this.#nearest(folder.id, path);
    if (manifest === null) return { kind: 'none' };
    const { table } = await this.#open(folder, manifest);
    if ('code' in table) return { kind: 'problem', code: table.code };
    const base = manifest.path.slice(0, manifest.path.lastIndexOf('/') + 1);
    const rows = table.rowsOf.get(path.slice(base.length).normalize('NFC')) ?? [];
    const [row] = rows;
    if (row === undefined) return { kind: 'none' };
    if (rows.length > 1) return { kind: 'problem', code: 'manifest.file-twice' };
    return this.#checked(row, table.mapping, table.width, path);
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
      if (found !== undefined && found.goneAt === null) return found.state === 'refused' ? found : null;
    }
    return null;
  }

  async #open(folder: FolderRecord, { path, sizeBytes, mtimeMs }: WatchedFile): Promise<ReadManifest> {
    const full = join(folder.root, ...path.split('/'));
    const known = this.#read.get(full);
    if (known !== undefined && known.sizeBytes === sizeBytes && known.mtimeMs === mtimeMs) return known;
    const read = { sizeBytes, mtimeMs, table: await this.#table(full) };
    this.#read.delete(full);
    this.#read.set(full, read);
    for (const oldest of this.#read.keys()) if (this.#read.size > MOST_KEPT) this.#read.delete(oldest);
    return read;
  }

  async #table(path: string): Promise<ReadManifest['table']> {
    try {
      const { headers, rows } = await openTable(this.#tools.files, path, { encoding: null, separator: null });
      const mapping = suggestFileMapping(headers);
      const problem = fileMappingProblem(mapping);
      if (problem !== null) return { code: problem.kind === 'twice' ? 'manifest.column-twice' : 'manifest.no-file' };
      const column = mapping.indexOf('file');
      const rowsOf = new Map<string, TableRow[]>();
      for (const row of rows) {
        const named = readFileCell(row.cells[column] ?? '');
        const names = named.kind === 'paths' ? named.paths.map((steps) => steps.join('/').normalize('NFC')) : [];
        for (const name of new Set(names)) rowsOf.set(name, [...(rowsOf.get(name) ?? []), row]);
      }
      return { rowsOf, mapping, width: headers.length };
    } catch (error) {
      return { code: toAppError(error).code };
    }
  }

  #checked(row: TableRow, mapping: FileRowMapping, width: number, path: string): FoundRow {
    const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const cell = row.cells[mapping.indexOf('collection')]?.trim() ?? '';
    const { files, problems } = checkFileRows({
      // The upload looks up its collection, as that of a rule.
      ...{ rows: [row], width, mapping: mapping.map((field) => (field === 'collection' ? null : field)) },
      ...{ found: new Map([[row.row, { kind: 'found', path, identity: path }]]), hasCollection: true },
      context: { ...NO_COLLECTIONS, timeZone, nowMs: this.#tools.clock.now() },
    });
    const [described] = files;
    if (described === undefined) return { kind: 'problem', code: problems[0]?.code ?? 'manifest.file-invalid' };
    const { fields, publish } = described;
    return { kind: 'row', row: { fields, publish, collection: cell === '' ? null : targetOf(cell) } };
  }
}

const NO_COLLECTIONS: Omit<RowContext, 'timeZone' | 'nowMs'> = {
  pathOf: () => null,
  hasCollection: () => true,
  findCollection: () => ({ kind: 'none' }),
};

function targetOf(cell: string): CollectionTarget {
  const named = readCollection(cell);
  return 'ref' in named ? { kind: 'ref', ref: named.ref } : { kind: 'id', id: named.id, name: named.id };
}
