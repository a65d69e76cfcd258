import { resolve } from 'node:path';
import type { SourceChoice } from '../../../shared/contract/upload-choices.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads how the source file of a complete upload is handled; it is kept by default. Throws `UsageError`, also for the trash of a
 * system whose trash only the window can use.
 */
export function readSource(folder: string | null, trash: boolean, platform: string = process.platform): SourceChoice {
  if (folder !== null && trash) throw new UsageError('Use either --move-to or --trash, not both.');
  if (trash) requireTrash(platform);
  if (folder !== null) return { kind: 'move', folder: resolve(folder) };
  return { kind: trash ? 'trash' : 'keep' };
}

/** Returns whether a command can move files to the trash of this system: Windows and macOS offer it to apps with windows only. */
export function hasTrash(platform: string): boolean {
  return platform === 'linux';
}

/** Throws `UsageError` when a command can't move files to the trash of this system. */
export function requireTrash(platform: string = process.platform): void {
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
