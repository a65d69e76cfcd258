import { dirname } from 'node:path';
import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
import type { FileDigests } from '../duplicates/file-digests.ts';
import { deviceOf } from '../journal/device-of.ts';
import type { FolderEntry, FolderIndex } from './folder-index.ts';

export interface LocateTools {
  files: Files;
  digests: FileDigests;
  index: FolderIndex;
  /** Folders that were added with the upload. */
  rootsOf(upload: Upload): readonly string[];
}

/** The search depth for a moved file below its folder, and below folders that were added with it. */
const DEPTH = 4;
/** The search depth below a folder one level above that of the file. */
const NEAR_DEPTH = 2;
/** The maximum number of entries that are read: of folders to which the file belongs, and of other folders near them. */
const MOST_OF_ITS_OWN = 20_000;
const MOST_NEAR = 2000;

interface Place {
  folders: readonly string[];
  depth: number;
  most: number;
}

/**
 * Returns the current path of an upload's file. A renamed or moved file is identified by its properties: the same device and
 * inode, the same size and modification time and, if known, the same bytes at both ends. A file at its old path is then another
 * file. No other file is ever used; a file that was rewritten at its path is still the file that the user selected.
 *
 * Throws the errors of `Files`, and for a missing file: `file.missing` (deleted), `file.folder-gone` or `file.drive-gone`, by the
 * part of the path that still exists.
 */
export async function locateFile(upload: Upload, tools: LocateTools): Promise<FolderEntry> {
  let facts: FileFacts;
  try {
    facts = await tools.files.facts(upload.path);
  } catch (error) {
    const failure = toAppError(error);
    if (failure.code !== 'file.missing' && failure.code !== 'file.link-broken') throw error;
    const moved = await findMoved(upload, tools);
    if (moved) return moved;
    throw await reasonOfAbsence(upload, failure, tools.files);
  }
  const isSame = facts.sizeBytes === upload.sizeBytes && facts.mtimeMs === upload.mtimeMs;
  if (facts.identity !== upload.identity && !isSame) {
    // Another file is at the path now: the original may have been moved.
    const moved = await findMoved(upload, tools);
    if (moved) return moved;
  }
  return { path: upload.path, facts };
}

/** Returns the new path of the file, if it can be found without searching the whole disk. */
async function findMoved(upload: Upload, tools: LocateTools): Promise<FolderEntry | null> {
  if (!isTelling(upload.identity)) return null;
  const { files, index, rootsOf } = tools;
  const folder = dirname(upload.path);
  const near = await nearestFolder(folder, files);
  if (near === null || near.path === dirname(near.path)) return null;
  // The drive is missing, and the file with it.
  if (deviceOf(near.facts.identity) !== deviceOf(upload.identity)) return null;
  const places: Place[] = [
    { folders: [near.path], depth: near.path === folder ? DEPTH : NEAR_DEPTH, most: MOST_OF_ITS_OWN },
    { folders: rootsOf(upload).filter((root) => isWithin(upload.path, root)), depth: DEPTH, most: MOST_OF_ITS_OWN },
    { folders: await siblingsOf(near.path, files), depth: NEAR_DEPTH, most: MOST_NEAR },
  ];
  const found = await findIn(places, upload.identity, index);
  if (found === null || found.path === upload.path) return null;
  const { sizeBytes, mtimeMs } = found.facts;
  if (sizeBytes !== upload.sizeBytes || mtimeMs !== upload.mtimeMs) return null;
  return (await hasItsEdges(upload, found, tools)) ? found : null;
}

/**
 * Searches places for a file. Lists of folders are cached for the search for many files, and a list can be older than the move of
 * this file. A file that is not found in such lists is searched once more in new ones, in fewer folders.
 */
async function findIn(places: readonly Place[], identity: string, index: FolderIndex): Promise<FolderEntry | null> {
  const since = index.now();
  let isNew = true;
  for (const place of places) {
    const found = await index.find(identity, place.folders, { ...place, since });
    if (found.entry) return found.entry;
    isNew &&= found.isNew;
  }
  if (isNew) return null;
  index.forget();
  for (const place of places) {
    const found = await index.find(identity, place.folders, { ...place, most: MOST_NEAR, since });
    if (found.entry) return found.entry;
  }
  return null;
}

/** Returns the folder one level up, below which the sibling folders are searched; none if that is the root of the file system. */
async function siblingsOf(folder: string, files: Files): Promise<string[]> {
  const above = dirname(folder);
  if (above === dirname(above)) return [];
  const facts = await factsOrNull(above, files);
  return facts?.kind === 'folder' ? [above] : [];
}

/** Returns whether a found file has the upload's bytes at both ends, if these were read before. Inode numbers are reused. */
async function hasItsEdges(upload: Upload, found: FolderEntry, { files, digests }: LocateTools): Promise<boolean> {
  if (upload.edgeHash === null) return true;
  const file = await files.open(found.path);
  try {
    return (await digests.edges(file, found.facts.sizeBytes)) === upload.edgeHash;
  } finally {
    // Not awaited: a disk or share that never answers would block the slot.
    file.close().catch(() => {});
  }
}

/**
 * Returns why a file is absent: it was deleted, or its folder or drive is missing. After an unmount, the mount point remains as a
 * folder of another device, or is missing, too. Returns `failure` itself for a file that was deleted from its folder.
 */
export async function reasonOfAbsence(upload: Upload, failure: AppError, files: Files): Promise<AppError> {
  const { path } = upload;
  const device = deviceOf(upload.identity);
  const folder = dirname(path);
  const near = await nearestFolder(folder, files);
  const isElsewhere = near !== null && device !== '' && deviceOf(near.facts.identity) !== device;
  if (near?.path === folder) {
    // The target of a link to another drive does not exist while the drive is disconnected.
    const isAway = isElsewhere && (failure.code === 'file.link-broken' || (await isEmpty(folder, files)));
    return isAway ? appError('file.drive-gone', { details: { path, awaited: path } }) : failure;
  }
  const awaited = near === null ? folder : stepTowards(near.path, folder);
  return appError(isElsewhere || near === null ? 'file.drive-gone' : 'file.folder-gone', {
    details: { path, awaited },
  });
}

/** Returns the folder itself or the nearest existing one above it; null when not even the top exists (a drive's letter). */
async function nearestFolder(folder: string, files: Files): Promise<FolderEntry | null> {
  for (let path = folder; ; path = dirname(path)) {
    const facts = await factsOrNull(path, files);
    if (facts?.kind === 'folder') return { path, facts };
    if (path === dirname(path)) return null;
  }
}

/** Returns the first missing folder on the path from `from` down to `to`: uploads wait until it exists again. */
function stepTowards(from: string, to: string): string {
  let step = to;
  while (dirname(step) !== from && dirname(step) !== step) step = dirname(step);
  return step;
}

async function factsOrNull(path: string, files: Files): Promise<FileFacts | null> {
  try {
    return await files.facts(path);
  } catch (error) {
    const { code } = toAppError(error);
    if (code === 'file.missing' || code === 'file.link-broken') return null;
    throw error;
  }
}

async function isEmpty(folder: string, files: Files): Promise<boolean> {
  return (await files.list(folder)).length === 0;
}

/** Returns whether an identity is unique to a file: some file systems give the number 0 to all. */
function isTelling(identity: string): boolean {
  return /^\d+:[1-9]\d*$/.test(identity);
}

function isWithin(path: string, folder: string): boolean {
  for (let step = dirname(path); ; step = dirname(step)) {
    if (step === folder) return true;
    if (step === dirname(step)) return false;
  }
}
