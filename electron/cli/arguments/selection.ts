import type { UploadSelection } from '../../../shared/contract/uploads.ts';
import { type OptionSpec, type OptionValues, optionText } from './options.ts';
import { UsageError } from './usage-error.ts';

/** The options that select uploads; `readSelection` reads them. */
export const SELECTION_OPTIONS = {
  batch: { value: 'ID', help: 'All uploads of this batch.' },
  failed: { value: null, help: 'All uploads that failed.' },
  all: { value: null, help: 'Every upload.' },
} as const satisfies Record<string, OptionSpec>;

type SelectionOption = keyof typeof SELECTION_OPTIONS;

/**
 * Reads which uploads a command is for: ids or one of `options`, those of `SELECTION_OPTIONS` that the command has.
 * Returns `fallback` when none is given. Throws `UsageError`.
 */
export function readSelection(
  values: OptionValues,
  ids: string[],
  fallback: UploadSelection | null,
  options: readonly SelectionOption[] = ['batch', 'failed', 'all'],
): UploadSelection {
  const batchId = optionText(values, 'batch');
  const given: UploadSelection[] = [];
  if (ids.length > 0) given.push({ kind: 'ids', ids });
  if (batchId !== null) given.push({ kind: 'batch', batchId });
  if (values.failed) given.push({ kind: 'failed' });
  if (values.all) given.push({ kind: 'all' });
  if (given.length > 1)
    throw new UsageError(`Use only one of: ${['upload IDs', ...options.map((name) => `--${name}`)].join(', ')}.`);
  const selection = given[0] ?? fallback;
  if (!selection) throw new UsageError(`Select uploads by their IDs, or with ${anyOf(options)}.`);
  return selection;
}

/** Returns the options as a text, such as `--batch ID, --failed or --all`. */
function anyOf(options: readonly SelectionOption[]): string {
  const words = options.map((name) => (name === 'batch' ? '--batch ID' : `--${name}`));
  return words.join(', ').replace(/, ([^,]*)$/, ' or $1');
}
