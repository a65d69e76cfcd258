import type { Upload } from './upload-machine.ts';

/** Errors about which a person says “skip” or “upload anyway”. */
const DUPLICATE_CODES: ReadonlySet<string> = new Set([
  'upload.duplicate',
  'upload.duplicate-skipped',
  'upload.same-file',
]);

/** Whether an upload waits for a decision because its collection has the same contents already. */
export function isOpenToChoice(upload: Upload, choice: 'skip' | 'upload'): boolean {
  if (!DUPLICATE_CODES.has(upload.error?.code ?? '')) return false;
  return upload.state === 'failed' || (upload.state === 'skipped' && choice === 'upload');
}
