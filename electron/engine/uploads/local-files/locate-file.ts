import { dirname, join, parse, sep } from 'node:path';
import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
import type { Volume, Volumes } from '../../ports/volumes.ts';
import type { FileDigests } from '../duplicates/file-digests.ts';
import { type ChosenPlaces, NOWHERE, rootOf } from '../places/chosen-places.ts';
import type { FolderIndex, IndexedEntry } from './folder-index.ts';
import { isPhysical, isTelling, sameFile } from './same-file.ts';

export interface LocateTools {
  files: Files;
  digests: FileDigests;
  index: FolderIndex;
  volumes: Volumes;
  /** Returns what the user chose in the batch of an upload; null: not known. */
  placesOf(upload: Upload): ChosenPlaces | null;
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

/** Errors of a path at which no file is found; it may have been moved. */
const ABSENT: ReadonlySet<string> = new Set(['file.missing', 'file.link-broken', 'file.is-link']);

/** Returns the files as the work on an upload may read them: without links below the root of its file. */
export function filesBelowRoot({ path }: Pick<Upload, 'path'>, places: ChosenPlaces | null, files: Files): Files {
  return files.within(rootOf(path, places ?? NOWHERE));
}

/**
 * Returns the current path of an upload's file. A renamed or moved file is identified by its properties: the same device and
 * inode, the same size and modification time and, if known, the same bytes at both ends; or the same place, size and time on its
 * drive, which is mounted elsewhere now. No other file is ever used, and none behind a link below the root that the user chose; a
 * file that was rewritten at its path is still the file that the user selected.
 *
 * Throws the errors of `Files`; `file.replaced` and `file.is-link` for something else at its path; and for a missing file:
 * `file.missing` (deleted), `file.folder-gone` or `file.drive-gone`, by the part of the path that still exists.
 */
export async function locateFile(upload: Upload, tools: LocateTools): Promise<IndexedEntry> {
  const files = filesBelowRoot(upload, tools.placesOf(upload), tools.files);
  let facts: FileFacts;
  try {
    facts = await files.facts(upload.path);
  } catch (error) {
    const failure = toAppError(error);
    if (!ABSENT.has(failure.code)) throw error;
    const moved = await findMoved(upload, { ...tools, files });
    if (moved) return moved;
    throw failure.code === 'file.is-link' ? failure : await reasonOfAbsence(upload, failure, { ...tools, files });
  }
  const entry = { path: upload.path, facts };
  if (facts.kind !== 'file' || upload.identity === '') return entry;
  const volume = tools.volumes.of(upload.path, deviceOf(facts.identity));
  const sameness = sameFile(upload, facts, volume);
  if (sameness === 'same') return entry;
  // Until the file was read once, a drive that numbers files anew at each mount has nothing else that identifies it.
  const isComparable = upload.edgeHash !== null || !volume.hasFileNumbers;
  if (sameness === 'likely' && isComparable && (await hasItsEdges(upload, entry, { ...tools, files }))) return entry;
  // Another file is at the path now: the original may have been moved.
  const moved = await findMoved(upload, { ...tools, files });
  if (moved) return moved;
  if (sameness === 'other-volume') throw driveGone(upload, volume.mountPoint);
  throw appError('file.replaced', {
    details: { path: upload.path, addedBytes: upload.sizeBytes, foundBytes: facts.sizeBytes },
  });
}

/** `awaited`: the path that is probed until the drive is back. */
function driveGone({ path, volume }: Upload, awaited: string): AppError {
  return appError('file.drive-gone', { details: { path, awaited, ...(isPhysical(volume) ? { volume } : {}) } });
}

/** Returns the new path of the file, if it can be found without searching the whole disk. */
async function findMoved(upload: Upload, tools: LocateTools): Promise<IndexedEntry | null> {
  return (await findElsewhere(upload, tools)) ?? (await findOnDrive(upload, tools));
}

/**
 * Returns the file on its drive if that is mounted at another path, or has another letter: at the same place below the mount point,
 * with the same size and time.
 */
async function findOnDrive(upload: Upload, tools: LocateTools): Promise<IndexedEntry | null> {
  if (!isPhysical(upload.volume)) return null;
  const { root } = parse(upload.path);
  const steps = upload.path.slice(root.length).split(sep);
  for (const mountPoint of tools.volumes.mountPoints(upload.volume)) {
    const files = tools.files.within(mountPoint);
    const top = await factsOrNull(mountPoint, files).catch(() => null);
    if (top === null || tools.volumes.of(mountPoint, deviceOf(top.identity)).key !== upload.volume) continue;
    for (const from of steps.keys()) {
      const path = join(mountPoint, ...steps.slice(from));
      const facts = path === upload.path ? null : await factsOrNull(path, files);
      if (facts?.kind !== 'file' || sameFile(upload, facts, volumeOf(path, facts, tools)) === 'another') continue;
      const isKept = facts.sizeBytes === upload.sizeBytes && facts.mtimeMs === upload.mtimeMs;
      if (isKept && (await hasItsEdges(upload, { path, facts }, { ...tools, files }))) return { path, facts };
    }
  }
  return null;
}

function volumeOf(path: string, { identity }: FileFacts, { volumes }: Pick<LocateTools, 'volumes'>): Volume {
  return volumes.of(path, deviceOf(identity));
}

/** Returns whether a place is on the drive of an upload. */
function isOnItsDrive(upload: Upload, { path, facts }: IndexedEntry, tools: Pick<LocateTools, 'volumes'>): boolean {
  if (isPhysical(upload.volume)) return volumeOf(path, facts, tools).key === upload.volume;
  const device = deviceOf(upload.identity);
  return device === '' || deviceOf(facts.identity) === device;
}

/** Returns the new path of a file with another name or in another folder near its old one. */
async function findElsewhere(upload: Upload, tools: LocateTools): Promise<IndexedEntry | null> {
  if (!isTelling(upload.identity)) return null;
  const { files, index, placesOf } = tools;
  const folder = dirname(upload.path);
  const near = await nearestFolder(folder, files);
  if (near === null || near.path === dirname(near.path)) return null;
  // The drive is missing, and the file with it.
  if (!isOnItsDrive(upload, near, tools)) return null;
  const places: Place[] = [
    { folders: [near.path], depth: near.path === folder ? DEPTH : NEAR_DEPTH, most: MOST_OF_ITS_OWN },
    {
      folders: (placesOf(upload)?.roots ?? []).filter((root) => isWithin(upload.path, root)),
      depth: DEPTH,
      most: MOST_OF_ITS_OWN,
    },
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
async function findIn(places: readonly Place[], identity: string, index: FolderIndex): Promise<IndexedEntry | null> {
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
async function hasItsEdges(upload: Upload, found: IndexedEntry, { files, digests }: LocateTools): Promise<boolean> {
  if (upload.edgeHash === null) return true;
  const file = await files.within(dirname(found.path)).open(found.path);
  try {
    if ((await file.facts()).identity !== found.facts.identity) return false;
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
export async function reasonOfAbsence(
  upload: Upload,
  failure: AppError,
  tools: Pick<LocateTools, 'files' | 'volumes'>,
): Promise<AppError> {
  const { path } = upload;
  const { files } = tools;
  const folder = dirname(path);
  const near = await nearestFolder(folder, files);
  const isElsewhere = near !== null && !isOnItsDrive(upload, near, tools);
  if (near?.path === folder) {
    // The target of a link to another drive does not exist while the drive is disconnected.
    const isAway = isElsewhere && (failure.code === 'file.link-broken' || (await isEmpty(folder, files)));
    return isAway ? driveGone(upload, path) : failure;
  }
  const awaited = near === null ? folder : stepTowards(near.path, folder);
  if (isElsewhere || near === null) return driveGone(upload, awaited);
  return appError('file.folder-gone', { details: { path, awaited } });
}

/** Returns the folder itself or the nearest existing one above it; null when not even the top exists (a drive's letter). */
async function nearestFolder(folder: string, files: Files): Promise<IndexedEntry | null> {
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
    if (ABSENT.has(code)) return null;
    throw error;
  }
}

async function isEmpty(folder: string, files: Files): Promise<boolean> {
  return (await files.list(folder)).length === 0;
}

function isWithin(path: string, folder: string): boolean {
  for (let step = dirname(path); ; step = dirname(step)) {
    if (step === folder) return true;
    if (step === dirname(step)) return false;
  }
}
