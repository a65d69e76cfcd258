import { dirname, join, relative, sep } from 'node:path';
import { toAppError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import { type FoundFile, readFileCell } from '../../../shared/model/manifest/file-rows.ts';
import type { CellProblemCode } from '../../../shared/model/manifest/problems.ts';
import { pairFiles } from '../../../shared/model/pairing/pair-files.ts';
import type { TableRow } from '../../../shared/model/table/table-error.ts';
import { hasFileNumber } from '../ports/file-identity.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import { stepsOnDiskBelow } from '../ports/same-folder.ts';
import { shownName } from '../ports/system/byte-paths.ts';

/** How many rows are looked up in parallel, because each lookup waits for the disk. */
const LOOK_AHEAD = 16;

export interface FindTools {
  files: Files;
  /** Returns the path without links. Throws when there is nothing at the path. */
  realPath(path: string): Promise<string>;
}

/**
 * Finds the files that rows name, in the folder of their spreadsheet and the folders below. `takesSidecars`: captions and
 * thumbnails are uploaded with their recording if the spreadsheet has it, and can't have a row then. Returns the findings by row
 * number.
 */
export async function findRowFiles(
  rows: readonly TableRow[],
  { column, folder, takesSidecars }: { column: number; folder: string; takesSidecars: boolean },
  { files, realPath }: FindTools,
): Promise<Map<number, FoundFile>> {
  const found = new Map<number, FoundFile>();
  const names = new FolderNames(files);
  // In a folder that does not exist no file is found: each row then gets its own problem.
  const root = await realPath(folder).catch(() => folder);
  const waiting = rows.values();
  const work = async () => {
    for (const { row, cells } of waiting) {
      found.set(row, await findFile(cells[column] ?? '', { folder, root, names, files, realPath }));
    }
  };
  await Promise.all(Array.from({ length: LOOK_AHEAD }, work));
  if (takesSidecars) await refuseSidecars(found, names);
  return found;
}

interface Search extends FindTools {
  folder: string;
  /** The folder without links. */
  root: string;
  names: FolderNames;
}

async function findFile(cell: string, search: Search): Promise<FoundFile> {
  const named = readFileCell(cell);
  if (named.kind === 'problem') return named;
  if (named.kind === 'absolute') {
    const steps = await stepsOnDiskBelow(named.path, search);
    return steps === null ? problem('manifest.file-outside') : ((await findPath(steps, search)) ?? missing());
  }
  for (const steps of named.paths) {
    const found = await findPath(steps, search);
    if (found !== null) return found;
  }
  return missing();
}

function missing(): FoundFile {
  return problem('manifest.file-missing');
}

/** Follows the parts of a path. Names may be stored with accents in another form (NFC, NFD). null: there is no such file. */
async function findPath(
  steps: readonly string[],
  { folder, root, names, files, realPath }: Search,
): Promise<FoundFile | null> {
  let path = folder;
  for (const step of steps) {
    const matches = await names.matching(path, step);
    if (matches === null) return problem('file.unreadable');
    if (matches.length > 1) return problem('manifest.file-several');
    const [name] = matches;
    if (name === undefined) return null;
    path = join(path, name);
  }
  const facts = await factsOf(files.within(folder), path);
  if (facts !== 'file.is-link' && typeof facts === 'string') return problem(facts);
  // A link may lead out of the folder.
  const real = await realPath(path).catch(() => null);
  if (real === null) return problem('manifest.file-missing');
  const way = relative(root, real);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || way === real) return problem('manifest.file-outside');
  if (typeof facts === 'string') return problem(facts);
  const { identity, sizeBytes, mtimeMs } = facts;
  // Some file systems give the same number to several files: so size and time distinguish files, too.
  return { kind: 'found', path, identity: hasFileNumber(identity) ? `${identity} ${sizeBytes} ${mtimeMs}` : path };
}

async function factsOf(files: Files, path: string): Promise<FileFacts | CellProblemCode> {
  try {
    const facts = await files.facts(path);
    if (facts.kind !== 'file') return 'file.not-regular';
    if (facts.sizeBytes === 0) return 'file.empty';
    if (facts.isOwnReadable !== true) await files.assertReadable(path);
    return facts;
  } catch (error) {
    const { code } = toAppError(error);
    if (code === 'file.is-link') return code;
    return code === 'file.missing' || code === 'file.link-broken' ? 'manifest.file-missing' : 'file.unreadable';
  }
}

/** Refuses captions and thumbnails of recordings that have a row. */
async function refuseSidecars(found: Map<number, FoundFile>, names: FolderNames): Promise<void> {
  const listed = new Set([...found.values()].flatMap((file) => (file.kind === 'found' ? [file.path] : [])));
  const attached = new Set<string>();
  for (const folder of new Set([...listed].map((path) => dirname(path)))) {
    for (const [recording, companions] of pairFiles((await names.of(folder)) ?? []).companionsOf) {
      if (!listed.has(join(folder, recording))) continue;
      for (const { kind, fileName } of companions) if (kind !== 'details') attached.add(join(folder, fileName));
    }
  }
  for (const [row, file] of found) {
    if (file.kind === 'found' && attached.has(file.path)) found.set(row, problem('manifest.file-sidecar'));
  }
}

function problem(code: CellProblemCode): FoundFile {
  return { kind: 'problem', code };
}

/** The names in a folder, also by their form. */
interface Names {
  names: readonly string[];
  byForm: Map<string, string[]>;
  /** By their letters, without capitals. */
  byLetters: Map<string, string[]>;
}

/** The names in folders, each read once. */
class FolderNames {
  readonly #files: Files;
  readonly #folders = new Map<string, Promise<Names | null>>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** null: the folder can't be read. */
  async of(folder: string): Promise<readonly string[] | null> {
    return (await this.#read(folder))?.names ?? null;
  }

  /**
   * Returns the equal name if it exists, otherwise the names that differ only in how their accents are stored, otherwise those that
   * differ in capitals; null when the folder can't be read. On a disk that distinguishes capitals there may be several of these.
   */
  async matching(folder: string, name: string): Promise<string[] | null> {
    const known = await this.#read(folder);
    if (known === null) return null;
    const alike = known.byForm.get(name.normalize('NFC')) ?? [];
    if (alike.includes(name)) return [name];
    return alike.length > 0 ? alike : (known.byLetters.get(lettersOf(name)) ?? []);
  }

  #read(folder: string): Promise<Names | null> {
    let known = this.#folders.get(folder);
    if (known === undefined) {
      known = this.#files.list(folder).then(byForm, (error: unknown) => {
        // A path that does not exist, or is no folder, has no files.
        return NO_FOLDER.has(toAppError(error).code) ? byForm([]) : null;
      });
      this.#folders.set(folder, known);
    }
    return known;
  }
}

const NO_FOLDER: ReadonlySet<ErrorCode> = new Set(['file.missing', 'file.link-broken', 'file.not-regular']);

function byForm(names: readonly string[]): Names {
  return {
    names,
    byForm: Map.groupBy(names, (name) => shownName(name).normalize('NFC')),
    byLetters: Map.groupBy(names, lettersOf),
  };
}

function lettersOf(name: string): string {
  return shownName(name).normalize('NFC').toLowerCase();
}
