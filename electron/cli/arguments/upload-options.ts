import { resolve } from 'node:path';
import type { SourceChoice } from '../../../shared/contract/upload-choices.ts';
import { UsageError } from './usage-error.ts';

/** Reads how the source file of a complete upload is handled; it is kept by default. Throws `UsageError`. */
export function readSource(folder: string | null, trash: boolean): SourceChoice {
  if (folder !== null && trash) throw new UsageError('Use either --move-to or --trash, not both.');
  if (folder !== null) return { kind: 'move', folder: resolve(folder) };
  return { kind: trash ? 'trash' : 'keep' };
}

/** Reads words that are separated by commas, each once. */
export function readWords(value: string | null): string[] {
  const words = (value ?? '').split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}
