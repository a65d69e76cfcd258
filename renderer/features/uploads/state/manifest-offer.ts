import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CheckedFileRows, ManifestProblem, OpenedManifest } from '../../../../shared/contract/manifest-calls.ts';
import type { ListedFile } from '../../../../shared/contract/upload-files.ts';
import type { FileRowField } from '../../../../shared/model/manifest/file-rows.ts';
import type { Separator } from '../../../../shared/model/table/delimited-reader.ts';
import type { TextEncoding } from '../../../../shared/model/table/encodings.ts';
import type { Description, Descriptions } from './add-described.ts';

/** A spreadsheet among the added files that can describe them. It is never uploaded itself. */
export interface ManifestOffer {
  path: string;
  fileName: string;
  /** `open`: the user has not decided yet. */
  decision: 'open' | 'used' | 'declined';
  /** The encoding that the user chose; null: the detected one applies. */
  encoding: TextEncoding | null;
  separator: Separator | null;
  opened: OpenedManifest | null;
  mapping: readonly (FileRowField | null)[];
  timeZone: string;
  /** The result of checking the rows with the current mapping; null during the check, and when the rows can't be checked. */
  checked: CheckedFileRows | null;
  /** The first problems of the check. */
  problems: readonly ManifestProblem[];
  isBusy: boolean;
  error: AppErrorData | null;
}

export function newOffer({ path, fileName }: { path: string; fileName: string }, timeZone: string): ManifestOffer {
  return {
    path,
    fileName,
    decision: 'open',
    encoding: null,
    separator: null,
    opened: null,
    mapping: [],
    timeZone,
    checked: null,
    problems: [],
    isBusy: false,
    error: null,
  };
}

/**
 * Returns the values that files contain for other files: the details beside a recording and, with priority, the used
 * spreadsheets. Of several spreadsheets, the one nearest to a file decides.
 */
export function describedByOffer(offers: readonly ManifestOffer[], files: readonly ListedFile[]): Descriptions {
  const found = new Map<string, Description>();
  const depths = new Map<string, number>();
  const beside = new Map(files.flatMap(({ path, details }) => (details === null ? [] : [[path, details]])));
  for (const [path, { fields, sources }] of beside) {
    found.set(path, { fields, publish: null, collection: null, source: sources.join(', ') });
  }
  for (const { path: manifest, fileName: source, decision, checked } of offers) {
    if (decision !== 'used') continue;
    const depth = folderOf(manifest).length;
    for (const { path, fields, publish, collection } of checked?.files ?? []) {
      if ((depths.get(path) ?? -1) >= depth) continue;
      depths.set(path, depth);
      const other = beside.get(path);
      const names = [source, ...(other?.sources ?? [])].join(', ');
      found.set(path, { fields: { ...other?.fields, ...fields }, publish, collection, source: names });
    }
  }
  return found;
}

export interface Coverage {
  /** The number of files of the sheet in the folder of the spreadsheet and below it, and how many of them have a row. */
  files: number;
  described: number;
  /** The names of files without a row. */
  withoutRow: string[];
  /** The names in rows whose files are not among the added files. */
  notAdded: string[];
}

/** Returns how well the rows of a checked spreadsheet match the files of the sheet. */
export function coverageOf({ path, checked }: ManifestOffer, files: readonly ListedFile[]): Coverage {
  const folder = folderOf(path);
  const below = files.filter((file) => file.problem === null && file.path.startsWith(folder));
  const rows = checked?.files ?? [];
  const [named, added] = [new Set(rows.map((row) => row.path)), new Set(below.map((file) => file.path))];
  const withoutRow = below.filter((file) => !named.has(file.path)).map((file) => file.path.slice(folder.length));
  const notAdded = rows.filter((row) => !added.has(row.path)).map(({ name }) => name);
  return { files: below.length, described: below.length - withoutRow.length, withoutRow, notAdded };
}

/** Returns the folder of a path with the separator at its end. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
