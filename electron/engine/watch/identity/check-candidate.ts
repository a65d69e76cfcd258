import { isAbsolute, relative, sep } from 'node:path';
import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { WatchRules } from '../../../../shared/contract/watch-rules.ts';
import { hasFileNumber } from '../../ports/file-identity.ts';
import type { FolderWalker } from '../../ports/folder-walker.ts';
import { isBelowFolder } from '../../ports/same-folder.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import { identifyRoot, type RootIdentity, type RootTools } from './root-check.ts';

export interface CandidateTools extends RootTools {
  walker: FolderWalker;
}

export interface FileCandidate extends RootIdentity {
  /** Without links. */
  root: string;
}

/**
 * Checks whether a folder can be watched. `others`: the watched folders beside it. Throws `watch.root-missing`,
 * `watch.root-not-folder`, `watch.root-unreadable` and `watch.nested`.
 */
export async function checkCandidate(
  path: string,
  others: readonly FolderRecord[],
  tools: CandidateTools,
): Promise<FileCandidate> {
  const details = { path };
  if (!isAbsolute(path)) throw appError('input.invalid', { message: 'Enter the full path of the folder.', details });
  let candidate: FileCandidate;
  try {
    const root = withoutSlash(await tools.walker.realPath(path));
    candidate = { root, ...(await identifyRoot(root, tools)) };
    await tools.files.list(root);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'file.missing' || error.code === 'file.link-broken') {
      throw appError('watch.root-missing', { details, cause: thrown });
    }
    if (error.code === 'file.unreadable') throw appError('watch.root-unreadable', { details, cause: thrown });
    throw thrown;
  }
  for (const other of others) {
    const isSame =
      hasFileNumber(candidate.rootId) && other.rootId === candidate.rootId && other.volume === candidate.volume;
    const isNested = isWithin(candidate.root, other.root) || isWithin(other.root, candidate.root);
    if (isSame || isNested || (await isNestedOnDisk(candidate.root, other.root, tools))) {
      throw appError('watch.nested', { details: { path: candidate.root, other: other.root } });
    }
  }
  return candidate;
}

/** Returns whether one folder contains the other, whatever the capitals of their paths are. */
async function isNestedOnDisk(one: string, other: string, { files }: Pick<RootTools, 'files'>): Promise<boolean> {
  return (await isBelowFolder(one, other, files)) || isBelowFolder(other, one, files);
}

/**
 * Checks that no folder for uploaded files is inside a watched folder, or contains one: moved files would be found as new ones.
 * Throws `watch.move-folder`.
 */
export async function checkMoveFolders(
  folders: readonly { root: string; rules: WatchRules }[],
  { walker, files }: Pick<CandidateTools, 'walker' | 'files'>,
): Promise<void> {
  const targets = new Set(folders.flatMap(({ rules }) => moveFoldersOf(rules)));
  for (const target of targets) {
    // A folder that does not exist yet has no links either.
    const real = await walker.realPath(target).catch(() => target);
    for (const { root } of folders) {
      const isInside = isWithin(real, root) || (await isBelowFolder(real, root, files));
      if (isInside || isWithin(root, real) || (await isBelowFolder(root, real, files))) {
        throw appError('watch.move-folder', { details: { folder: target, path: root } });
      }
    }
  }
}

function moveFoldersOf({ rules, defaults }: WatchRules): string[] {
  const settings = rules.flatMap(({ action }) => (action.kind === 'upload' ? [action.settings] : []));
  return [defaults.settings, ...settings].flatMap(({ source }) => (source?.kind === 'move' ? [source.folder] : []));
}

/** Returns whether a path is a folder or inside it. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith(sep) && !path.endsWith(`:${sep}`) ? path.slice(0, -1) : path;
}
