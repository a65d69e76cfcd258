import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceChoice } from '../../../shared/contract/upload-choices.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads how the source file of a complete upload is handled; it is kept by default. Throws `UsageError`, also when the choice can't be
 * carried out, see `requirePossible`.
 */
export function readSource(folder: string | null, trash: boolean, platform: string = process.platform): SourceChoice {
  if (folder !== null && trash) throw new UsageError('Use either --move-to or --trash, not both.');
  const source: SourceChoice =
    folder === null ? { kind: trash ? 'trash' : 'keep' } : { kind: 'move', folder: resolve(folder) };
  requirePossible(source, platform);
  return source;
}

/**
 * Throws `UsageError` when files can't be moved as chosen: to the trash of a system whose trash only the window can use, or to a
 * folder that doesn't exist. The folder is not created: it may be on a drive that is not connected.
 */
export function requirePossible(source: SourceChoice, platform: string = process.platform): void {
  if (source.kind === 'trash') requireTrash(platform);
  if (source.kind !== 'move' || isFolder(source.folder)) return;
  throw new UsageError(
    `The folder for uploaded files doesn’t exist: ${source.folder}. Create it, or connect its drive.`,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Returns whether a command can move files to the trash of this system: Windows and macOS offer it to apps with windows only. */
export function hasTrash(platform: string): boolean {
  return platform === 'linux';
}

/** Throws `UsageError` when a command can't move files to the trash of this system. */
function requireTrash(platform: string): void {
  if (hasTrash(platform)) return;
  throw new UsageError(
    'On this system, commands can’t move files to the trash. Use --move-to, or upload with the Mediadesk window.',
  );
}

/** Reads words that are separated by commas, each once. */
export function readWords(value: string | null): string[] {
  const words = (value ?? '').split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}
