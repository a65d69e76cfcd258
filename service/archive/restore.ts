import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EPOCH_KEY } from '../database/meta.ts';
import { openSnapshot, renewRestored } from '../database/snapshot.ts';
import { UNFINISHED } from '../site/data-dir.ts';
import { newEpoch } from '../site/epoch.ts';
import { forEachOf } from '../storage/for-each-of.ts';
import { syncFolder } from '../storage/replace-file.ts';
import { ArchiveError } from './archive-error.ts';
import { ADMIN, DATABASE, type Manifest, STORED } from './manifest.ts';
import { makeNewFolder } from './new-folder.ts';
import { copyFileTo, statOf, syncFiles } from './read-file.ts';
import { folderOf, makeFolders, syncFolders } from './stored-folders.ts';
import { type VerifyReport, verifyBackup } from './verify.ts';

const AT_A_TIME = 4;

export interface RestoreOptions {
  /** The backup. */
  from: string;
  /** The data directory to make; it may exist if it is empty. */
  dataDir: string;
  /** Whether files may be missing that were missing already when the backup was made. */
  acceptsMissing: boolean;
}

export interface RestoreReport {
  restored: string;
  /** The new epoch. */
  epoch: string;
  files: number;
  bytes: number;
  missing: number;
  /** The object store that has the files; null: they were restored. */
  storage: string | null;
}

/**
 * Restores a library from a backup into a new data directory. The backup is verified first. The restored library has a new epoch
 * and a new signing key, and nobody is signed in. An interrupted restore leaves a marker with which no service starts. Throws
 * `ArchiveError`; `onRefused` gets the report when the backup is not whole.
 */
export async function restoreBackup(
  { from, dataDir, acceptsMissing }: RestoreOptions,
  onRefused: (report: VerifyReport) => void,
): Promise<RestoreReport> {
  const place = resolve(dataDir);
  await checkEmpty(place);
  const { report, manifest, isOnlyMissing } = await verifyBackup(resolve(from));
  if (manifest === undefined || !(report.is_whole || (acceptsMissing && isOnlyMissing))) {
    onRefused(report);
    throw new ArchiveError('restore.not-whole', 'This is not a whole backup. Nothing was restored.');
  }
  await makeNewFolder(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const marker = join(place, UNFINISHED);
  await (await open(marker, 'wx', 0o600)).close();
  await syncFolder(place);
  const epoch = newEpoch();
  await copyAll(resolve(from), place, manifest);
  await copyDatabase(resolve(from), place, manifest, epoch);
  await rm(marker);
  await syncFolder(place);
  await syncFolder(dirname(place));
  return {
    restored: place,
    epoch,
    files: manifest.files.size,
    bytes: manifest.bytes,
    missing: manifest.missing.size,
    storage: report.storage,
  };
}

async function checkEmpty(place: string): Promise<void> {
  const stats = await statOf(place);
  if (stats === undefined) return;
  if (stats.isDirectory() && (await readdir(place)).length === 0) return;
  throw new ArchiveError('restore.not-empty', `${place} exists and is not an empty folder. Choose a new folder.`);
}

async function copyAll(from: string, place: string, { head, files }: Manifest): Promise<void> {
  await makeFolders(join(place, STORED));
  await forEachOf(files, AT_A_TIME, ([name, listed]) =>
    copyChecked(join(from, STORED, folderOf(name), name), join(place, STORED, folderOf(name), name), listed),
  );
  if (head.admin !== null) await copyChecked(join(from, ADMIN), join(place, ADMIN), head.admin);
  const stored = Array.from(files.keys(), (name) => join(place, STORED, folderOf(name), name));
  await syncFiles(head.admin === null ? stored : [...stored, join(place, ADMIN)]);
  await syncFolders(join(place, STORED));
}

/** The database comes last, under another name: before it, the folder is no library. */
async function copyDatabase(from: string, place: string, { head }: Manifest, epoch: string): Promise<void> {
  const made = join(place, `${DATABASE}.new`);
  await copyChecked(join(from, DATABASE), made, head.database);
  checkCopy(made);
  renewRestored(made, EPOCH_KEY, epoch);
  await syncFiles([made]);
  await rename(made, join(place, DATABASE));
  await syncFolder(place);
}

async function copyChecked(source: string, target: string, listed: { size: number; sha256: string }): Promise<void> {
  const facts = await copyFileTo(source, target, listed.size);
  if (facts?.size === listed.size && facts.sha256 === listed.sha256) return;
  throw changed(source);
}

/** The file that was verified may have been another one than the file that was copied. */
function checkCopy(database: string): void {
  const snapshot = openSnapshot(database);
  try {
    if (snapshot.problem() !== null) throw changed(DATABASE);
  } finally {
    snapshot.close();
  }
}

const changed = (source: string) =>
  new ArchiveError(
    'restore.changed',
    `${source} changed while it was restored. Delete the new folder, then run the command again.`,
  );
