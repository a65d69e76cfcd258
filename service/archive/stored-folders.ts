import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachOf } from '../storage/for-each-of.ts';
import { syncFolder } from '../storage/replace-file.ts';

/** Many at a time: a drive makes them durable together. */
const SYNCS_AT_A_TIME = 16;

/** Returns the names of the folders of stored files. */
export function folderNames(): string[] {
  return Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));
}

/** Returns the folder of a stored file within `stored/`. */
export function folderOf(name: string): string {
  return name.slice(0, 2);
}

/** Makes all folders of stored files: they are few, and then no copy has to make one. */
export async function makeFolders(stored: string): Promise<void> {
  await mkdir(stored, { mode: 0o700 });
  for (const name of folderNames()) await mkdir(join(stored, name), { mode: 0o700 });
}

/** Waits until the names of all stored files are on disk. */
export async function syncFolders(stored: string): Promise<void> {
  await forEachOf(folderNames(), SYNCS_AT_A_TIME, (name) => syncFolder(join(stored, name)));
  await syncFolder(stored);
}
