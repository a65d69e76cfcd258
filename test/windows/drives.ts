// Drives that tests connect and disconnect. `wine.ts` gives the letters D: and E: to folders that don't exist until a test renames
// another one to them.
import { mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** The environment variable with the folder of the drives. */
export const DRIVES = 'MEDIADESK_WINE_DRIVES';

/** A share, by its address. */
export const SHARE = '\\\\server\\share';

const slot = (letter: string) => join(process.env[DRIVES] ?? '', letter.slice(0, 1).toLowerCase());
const connected = new Map<string, string>();

/** Returns the folder of a new drive, which has no letter yet. */
export function emptyDrive(): string {
  return mkdtempSync(join(process.env[DRIVES] ?? '', 'stick-'));
}

/** Gives a drive a letter, such as `D:`. Returns the path of its first folder. */
export function connectDrive(drive: string, letter: 'D:' | 'E:'): string {
  renameSync(drive, slot(letter));
  connected.set(letter, drive);
  return `${letter}\\`;
}

/** Takes the letter from its drive. */
export function disconnectDrive(letter: 'D:' | 'E:'): void {
  renameSync(slot(letter), connected.get(letter) ?? '');
}

/** Makes the folders of drives and of the share, before the tests. */
export function makeDrives(folder: string): void {
  mkdirSync(join(folder, 'unc', 'server', 'share'), { recursive: true });
}
