import type { UploadSelection } from '../../../shared/contract/uploads.ts';
import { type OptionSpec, type OptionValues, optionText } from './options.ts';
import { UsageError } from './usage-error.ts';

/** The options that select uploads; `readSelection` reads them. */
export const SELECTION_OPTIONS = {
  batch: { value: 'ID', help: 'All uploads of this batch.' },
  failed: { value: null, help: 'All uploads that failed.' },
  all: { value: null, help: 'Every upload.' },
} as const satisfies Record<string, OptionSpec>;

/**
 * Reads which uploads a command is for: ids, --batch, --failed or --all, only one of them; `fallback` when none is given.
 * Throws `UsageError`.
 */
export function readSelection(values: OptionValues, ids: string[], fallback: UploadSelection | null): UploadSelection {
  const batchId = optionText(values, 'batch');
  const given: UploadSelection[] = [];
  if (ids.length > 0) given.push({ kind: 'ids', ids });
  if (batchId !== null) given.push({ kind: 'batch', batchId });
  if (values.failed) given.push({ kind: 'failed' });
  if (values.all) given.push({ kind: 'all' });
  if (given.length > 1) throw new UsageError('Use only one of: upload IDs, --batch, --failed, --all.');
  const selection = given[0] ?? fallback;
  if (!selection) throw new UsageError('Select uploads by their IDs, or with --batch ID, --failed or --all.');
  return selection;
}
