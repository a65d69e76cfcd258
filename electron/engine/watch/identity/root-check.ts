import { basename, dirname, join, parse, relative } from 'node:path';
import { AppError, type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import { deviceOf, hasFileNumber } from '../../ports/file-identity.ts';
import type { Files } from '../../ports/files.ts';
import type { Volume, Volumes } from '../../ports/volumes.ts';
import type { FolderRecord } from '../rows/folder-store.ts';

/** The place of a watched folder. `notice`: why it can't be read now. */
export type RootCheck =
  | { kind: 'there'; rootId: string; isNetwork: boolean }
  /** The drive, the share or the folder is missing. */
  | { kind: 'away'; notice: AppErrorData }
  | { kind: 'moved'; to: string; notice: AppErrorData }
  | { kind: 'unusable'; notice: AppErrorData };

export interface RootTools {
  files: Files;
  volumes: Volumes;
}

/** The stored identity of a root. */
export interface RootIdentity {
  volume: string;
  volumeName: string;
  place: string;
  rootId: string;
}

/** The maximum number of names that are compared in the folder above when a root is not at its path. */
const MOST_SIBLINGS = 500;

/** Returns the identity of the folder at `root`. Throws the errors of `Files.facts`, and `watch.root-not-folder`. */
export async function identifyRoot(root: string, { files, volumes }: RootTools): Promise<RootIdentity> {
  const facts = await files.facts(root);
  if (facts.kind !== 'folder') throw appError('watch.root-not-folder', { details: { path: root } });
  const volume = volumes.of(root, deviceOf(facts.identity));
  // Its drive was pulled just now.
  if (volume.key === '') throw appError('file.missing', { details: { path: root } });
  return {
    volume: volume.key,
    volumeName: volume.name,
    place: relative(volume.mountPoint, root),
    rootId: fileNumberOf(facts.identity),
  };
}

/**
 * Checks whether the watched folder is at its path. An empty mount point, another volume at the path, and a path that does not
 * exist all mean that the folder is missing: none of its files counts as deleted. Another folder behind a link that was put on the
 * path counts as moved, so that the user has to confirm it. `isListed`: whether it may be listed is checked
 * as well, which takes long in a large folder.
 */
export async function checkRoot(
  folder: FolderRecord,
  tools: RootTools,
  { isListed = true }: { isListed?: boolean } = {},
): Promise<RootCheck> {
  try {
    const rootId = await readableRoot(folder.root, tools, isListed);
    const volume = tools.volumes.of(folder.root, rootId.device);
    const isItsVolume = isVolumeOf(folder, volume, rootId.id);
    const isOther = isItsVolume && rootId.id !== folder.rootId && (await hasLink(folder.root, tools));
    if (isItsVolume && !isOther) return { kind: 'there', rootId: rootId.id, isNetwork: volume.isNetwork };
    const to = await placeElsewhere(folder, tools);
    if (isOther) return movedTo(to ?? folder.root, folder.root);
    if (to !== null) return movedTo(to, folder.root);
    // Another volume is at the path. An empty folder is the mount point; anything else may be the same folder on a new volume.
    const isEmpty = rootId.isEmpty ?? (await tools.files.list(folder.root)).length === 0;
    return isEmpty ? away('watch.drive-away', folder) : movedTo(folder.root, folder.root);
  } catch (thrown) {
    return explain(thrown, folder, tools);
  }
}

/**
 * Returns whether a volume is that of the watched folder. Earlier versions stored the letter or the name of a drive: then only the
 * number of the folder shows that it is the same one.
 */
function isVolumeOf(folder: FolderRecord, volume: Volume, rootId: string): boolean {
  if (folder.volume === volume.key) return true;
  const isNameOnly = folder.volume === volume.nameKey;
  return isNameOnly && folder.place !== '' && hasFileNumber(rootId) && rootId === folder.rootId;
}

/**
 * Returns whether a part of the path of a root is a link. It was none when the user chose the folder, because the stored path is the
 * real one: another folder behind such a link was never chosen.
 */
async function hasLink(root: string, { files }: RootTools): Promise<boolean> {
  try {
    await files.within(parse(root).root).facts(root);
    return false;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'file.is-link') return true;
    throw thrown;
  }
}

/** Returns whether a folder exists on the volume of the watched folder. */
async function isOnItsVolume(path: string, folder: FolderRecord, { files, volumes }: RootTools): Promise<boolean> {
  try {
    const { identity } = await files.facts(path);
    return volumes.of(path, deviceOf(identity)).key === folder.volume;
  } catch {
    // Missing, or on a drive that can't be read.
    return false;
  }
}

/** Returns whether the volume of the watched folder is mounted, where it was. */
async function isConnected(folder: FolderRecord, tools: RootTools): Promise<boolean> {
  for (let path = dirname(folder.root); ; path = dirname(path)) {
    if (await isOnItsVolume(path, folder, tools)) return true;
    if (path === dirname(path)) return false;
  }
}

/** Returns the number of a folder, and whether its list is empty. Throws the errors of `Files`, and `watch.root-not-folder`. */
async function readableRoot(root: string, { files }: RootTools, isListed: boolean) {
  const facts = await files.facts(root);
  if (facts.kind !== 'folder') throw appError('watch.root-not-folder', { details: { path: root } });
  // Without this check, a folder without permission would look like an empty one.
  const names = isListed ? await files.list(root) : null;
  const { identity } = facts;
  return {
    id: fileNumberOf(identity),
    device: deviceOf(identity),
    isEmpty: names === null ? null : names.length === 0,
  };
}

/** Returns the state that an unreadable root means. */
async function explain(thrown: unknown, folder: FolderRecord, tools: RootTools): Promise<RootCheck> {
  if (!(thrown instanceof AppError)) throw thrown;
  switch (thrown.code) {
    case 'file.missing':
    case 'file.link-broken': {
      const to = await placeElsewhere(folder, tools);
      if (to !== null) return movedTo(to, folder.root);
      return away((await isConnected(folder, tools)) ? 'watch.root-missing' : 'watch.drive-away', folder);
    }
    case 'file.disk-hangs':
    case 'file.disk-error':
      return away('watch.drive-away', folder);
    case 'file.unreadable':
      return unusable(appError('watch.root-unreadable', { details: { path: folder.root }, cause: thrown }));
    default:
      return unusable(thrown);
  }
}

/** Returns the present path of the folder: its volume is mounted at another path, or it was renamed in the same parent folder. */
async function placeElsewhere(folder: FolderRecord, tools: RootTools): Promise<string | null> {
  for (const mountPoint of tools.volumes.mountPoints(folder.volume)) {
    const path = join(mountPoint, folder.place);
    if (path !== folder.root && (await isFolder(path, folder, tools))) return path;
  }
  const above = dirname(folder.root);
  // Only its number identifies a renamed folder.
  if (!hasFileNumber(folder.rootId)) return null;
  if (above === folder.root || !(await isOnItsVolume(above, folder, tools))) return null;
  const names = await tools.files.list(above).catch(() => []);
  for (const name of names.slice(0, MOST_SIBLINGS)) {
    const path = join(above, name);
    if (name !== basename(folder.root) && (await isFolder(path, folder, tools))) return path;
  }
  return null;
}

async function isFolder(path: string, folder: FolderRecord, { files, volumes }: RootTools): Promise<boolean> {
  try {
    const { kind, identity } = await files.facts(path);
    const isItsVolume = volumes.of(path, deviceOf(identity)).key === folder.volume;
    return kind === 'folder' && isItsVolume && fileNumberOf(identity) === folder.rootId;
  } catch {
    return false;
  }
}

/** Returns the number of a file on its volume: the second half of `FileFacts.identity`. */
export function fileNumberOf(identity: string): string {
  return identity.slice(identity.indexOf(':') + 1);
}

function away(code: 'watch.drive-away' | 'watch.root-missing', { root, volumeName }: FolderRecord): RootCheck {
  return { kind: 'away', notice: appError(code, { details: { path: root, drive: volumeName } }).toData() };
}

function movedTo(to: string, root: string): RootCheck {
  return { kind: 'moved', to, notice: appError('watch.root-moved', { details: { path: root, now: to } }).toData() };
}

function unusable(error: AppError): RootCheck {
  return { kind: 'unusable', notice: error.toData() };
}
