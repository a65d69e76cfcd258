import { lstatSync } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EPOCH_KEY } from '../database/meta.ts';
import { makeSingleFile, openSnapshot } from '../database/snapshot.ts';
import { STORAGE_KEY, storeOf } from '../site/storage-settings.ts';
import { forEachOf } from '../storage/for-each-of.ts';
import { syncFolder } from '../storage/replace-file.ts';
import { ArchiveError } from './archive-error.ts';
import { holdLibrary } from './library-source.ts';
import { linkFile } from './link-file.ts';
import { ADMIN, DATABASE, MANIFEST, type ManifestFile, STORED, writeManifest } from './manifest.ts';
import { makeNewFolder } from './new-folder.ts';
import { copyFileTo, readThrough, statOf, syncFiles } from './read-file.ts';
import { folderOf, makeFolders, syncFolders } from './stored-folders.ts';

/** A backup under this name beside its place is not complete. */
const PARTIAL = '.partial';
const AT_A_TIME = 4;

export interface BackupOptions {
  dataDir: string;
  /** The folder to make. */
  to: string;
  /** Whether files are copied even where hard links are possible. */
  copies: boolean;
}

export interface BackupReport {
  backup: string;
  made_at: string;
  epoch: string;
  files: number;
  bytes: number;
  linked: number;
  copied: number;
  /** Files that rows name, and that were not there. */
  missing: string[];
  /** The object store that has the files, which are not part of the backup; null: the backup has them. */
  storage: string | null;
}

/**
 * Makes a backup of a library, also while its service runs: the database as it is at one moment, then the files that its rows name,
 * then the manifest. It is made beside its place and renamed at the end, so a folder with the name `to` is complete. Throws
 * `ArchiveError`, or the error of the file system; what was made is then removed.
 */
export async function makeBackup({ dataDir, to, copies }: BackupOptions): Promise<BackupReport> {
  const place = resolve(to);
  const partial = `${place}${PARTIAL}`;
  await checkPlace(resolve(dataDir), place, partial);
  await makeNewFolder(partial);
  try {
    const report = await fill(resolve(dataDir), partial, copies);
    await rename(partial, place);
    await syncFolder(dirname(place));
    return { backup: place, ...report };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function checkPlace(dataDir: string, place: string, partial: string): Promise<void> {
  const way = relative(await realPlace(dataDir), await realPlace(place));
  if (way.split(sep)[0] !== '..' && !isAbsolute(way)) {
    throw new ArchiveError('backup.inside-data', 'The backup can’t be inside the data folder.');
  }
  if (await statOf(place)) throw new ArchiveError('backup.exists', `${place} exists. Choose a new folder.`);
  if (await statOf(partial)) {
    const message = `${partial} is an interrupted backup. Delete it, then run the command again.`;
    throw new ArchiveError('backup.interrupted-before', message);
  }
}

/** Returns a path without links; what does not exist has none. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path;
    if (!isGone) throw error;
    return join(await realPlace(dirname(path)), basename(path));
  }
}

async function fill(dataDir: string, partial: string, copies: boolean): Promise<Omit<BackupReport, 'backup'>> {
  const made_at = new Date().toISOString();
  const database = join(partial, DATABASE);
  const source = await holdLibrary(dataDir, database);
  try {
    makeSingleFile(database);
    const { rows, schema, epoch, storage } = readRows(database);
    const copier = createCopier(join(dataDir, STORED), join(partial, STORED), copies);
    await makeFolders(join(partial, STORED));
    await forEachOf(rows, AT_A_TIME, copier.copy);
    const admin = await copyAdmin(dataDir, partial);
    source.check();
    const { files, missing, linked } = copier;
    const facts = await readThrough(database, Number.MAX_SAFE_INTEGER);
    if (facts === undefined) throw new Error('The copy of the database is gone.');
    await syncFiles([...copier.copied, database, ...(admin === null ? [] : [join(partial, ADMIN)])]);
    await syncFolders(join(partial, STORED));
    await writeManifest(join(partial, MANIFEST), { made_at, epoch, schema, database: facts, admin }, files, missing);
    await syncFolder(partial);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const counts = { files: files.length, bytes, linked: linked(), copied: files.length - linked() };
    return { made_at, epoch, ...counts, missing, storage };
  } finally {
    await source.release();
  }
}

/** Returns the files to copy, and facts about the database. */
function readRows(database: string): { rows: Set<string>; schema: number; epoch: string; storage: string | null } {
  const snapshot = openSnapshot(database);
  try {
    const rows = new Set<string>();
    const storage = storeOf(snapshot.meta(STORAGE_KEY));
    if (storage === null) for (const { name } of snapshot.rows()) rows.add(name);
    return { rows, schema: snapshot.version, epoch: snapshot.meta(EPOCH_KEY) ?? '', storage };
  } finally {
    snapshot.close();
  }
}

/** Links or copies stored files, and hashes them. A link is to the same bytes, which never change: the name of a file is new each time. */
function createCopier(from: string, to: string, copies: boolean) {
  const files: ManifestFile[] = [];
  const missing: string[] = [];
  let canLink = !copies;
  let linked = 0;
  const copied: string[] = [];

  function tryLink(source: string, target: string): boolean {
    if (!canLink) return false;
    const outcome = linkFile(source, target);
    canLink = outcome !== 'impossible';
    return outcome === 'linked';
  }

  return {
    files,
    missing,
    linked: () => linked,
    copied,
    async copy(name: string): Promise<void> {
      const [source, target] = [join(from, folderOf(name), name), join(to, folderOf(name), name)];
      if (!lstatSync(source, { throwIfNoEntry: false })?.isFile()) {
        missing.push(name);
        return;
      }
      const isLinked = tryLink(source, target);
      const facts = isLinked ? await readThrough(target, Number.MAX_SAFE_INTEGER) : await copyFileTo(source, target);
      if (facts === undefined) throw new Error(`The stored file ${name} is gone.`);
      if (isLinked) linked += 1;
      else copied.push(target);
      files.push({ name, ...facts });
    },
  };
}

async function copyAdmin(dataDir: string, partial: string) {
  const source = join(dataDir, ADMIN);
  return (await statOf(source))?.isFile() ? ((await copyFileTo(source, join(partial, ADMIN))) ?? null) : null;
}
