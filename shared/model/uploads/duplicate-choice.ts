import type { Upload } from './upload.ts';

/** The errors that the user resolves with “skip” or “upload anyway”. */
const DUPLICATE_CODES: ReadonlySet<string> = new Set([
  'upload.duplicate',
  'upload.duplicate-skipped',
  'upload.same-file',
]);

/** Returns whether a choice about a duplicate applies to an upload: to one that asks, and `upload` also to a skipped one. */
export function isOpenToChoice(upload: Upload, choice: 'skip' | 'upload'): boolean {
  if (!DUPLICATE_CODES.has(upload.error?.code ?? '')) return false;
  return upload.state === 'failed' || (upload.state === 'skipped' && choice === 'upload');
}
