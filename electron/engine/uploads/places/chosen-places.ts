import { dirname } from 'node:path';
import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { inParallel } from '../../common/in-parallel.ts';
import type { Files } from '../../ports/files.ts';
import { stepsBelow } from '../../ports/rooted-files.ts';
import type { BatchRecord } from '../journal/batch-store.ts';

/** The folders, and the links to files, that the user chose for a batch. */
export type ChosenPlaces = Pick<BatchRecord, 'roots' | 'links'>;

/** Of an upload whose batch is not known. */
export const NOWHERE: ChosenPlaces = { roots: [], links: [] };
/** The number of paths whose facts are read in parallel, because each read waits for the disk. */
const LOOK_AHEAD = 16;

/**
 * Returns the root of a file: the path below which no link on its way is followed. It is the added folder that contains the file;
 * else the file's own folder, so that the file itself must not be a link. A link that the user added by its path is its own root.
 */
export function rootOf(path: string, { roots, links }: ChosenPlaces): string {
  if (links.includes(path)) return path;
  const [nearest] = roots
    .filter((root) => root === path || stepsBelow(root, path).length > 0)
    .sort((one, other) => other.length - one.length);
  return nearest ?? dirname(path);
}

/**
 * Returns a function that returns the root of a path for the work on one upload. Paths that belong to no file of the upload, such as
 * the folder to which it is moved, get the root of its recording.
 */
export function rootsForUpload(
  { path, followUps }: Pick<Upload, 'path' | 'followUps'>,
  batch: ChosenPlaces | null,
): (path: string) => string {
  const places = batch ?? NOWHERE;
  const own = new Set([path, ...followUps.map((followUp) => followUp.path)]);
  const root = rootOf(path, places);
  return (each) => (each !== path && own.has(each) ? rootOf(each, places) : root);
}

/**
 * Returns a function that returns the root of each path while `paths` are added: that of `roots` that contains it, else the added
 * path that does. A path beside the added ones must not be a link itself.
 */
export function rootsWhileAdding(paths: readonly string[], roots: readonly string[] = []): (path: string) => string {
  const given = new Set(paths);
  return (path) => {
    const chosen = nearestOf(path, roots);
    if (chosen !== null) return chosen;
    for (let at = path; ; at = dirname(at)) {
      if (given.has(at)) return at;
      if (at === dirname(at)) return dirname(path);
    }
  };
}

function nearestOf(path: string, roots: readonly string[]): string | null {
  let nearest: string | null = null;
  for (const root of roots) {
    const contains = root === path || stepsBelow(root, path).length > 0;
    if (contains && root.length > (nearest?.length ?? -1)) nearest = root;
  }
  return nearest;
}

/**
 * Returns the folders among the paths that the user adds, and the links to files. `roots`: folders to which the paths belong, if the
 * user chose these: then no path below them is a chosen link.
 */
export async function chosenPlaces(
  files: Files,
  paths: readonly string[],
  roots: readonly string[] = [],
): Promise<ChosenPlaces> {
  const kinds = new Map<string, 'folder' | 'link'>();
  const given = new Set(paths);
  const note = async (path: string) => {
    if (nearestOf(path, roots) !== null) return;
    const kind = await kindOf(files, path, outerRoot(path, given));
    if (kind !== null) kinds.set(path, kind);
  };
  await inParallel(paths, LOOK_AHEAD, note);
  const of = (kind: 'folder' | 'link') => paths.filter((path) => kinds.get(path) === kind);
  return { roots: [...new Set([...roots, ...of('folder')])], links: [...new Set(of('link'))] };
}

/** Returns the added folder above an added path; else the folder of the path. */
function outerRoot(path: string, given: ReadonlySet<string>): string {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) if (given.has(at)) return at;
  return dirname(path);
}

async function kindOf(files: Files, path: string, outer: string): Promise<'folder' | 'link' | null> {
  try {
    return (await files.within(outer).facts(path)).kind === 'folder' ? 'folder' : null;
  } catch (error) {
    if (toAppError(error).code !== 'file.is-link') return null;
  }
  try {
    return (await files.facts(path)).kind === 'folder' ? 'folder' : 'link';
  } catch {
    // The search for recordings reads the path again and reports the error as a skipped row.
    return null;
  }
}
