import type { Upload } from './upload-machine.ts';

/** Errors about which a person says “skip” or “upload anyway”. */
const DUPLICATE_CODES: ReadonlySet<string> = new Set([
  'upload.duplicate',
  'upload.duplicate-skipped',
  'upload.same-file',
]);

/** Whether an upload stands still because its collection has its contents already, so that a choice changes something. */
export function isOpenToChoice(upload: Upload, choice: 'skip' | 'upload'): boolean {
  if (!DUPLICATE_CODES.has(upload.error?.code ?? '')) return false;
  return upload.state === 'failed' || (upload.state === 'skipped' && choice === 'upload');
}
