import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { MediaFacts } from '../../../../shared/contract/media-facts.ts';

const REASONS: Readonly<Record<NonNullable<MediaFacts['problem']>, string>> = {
  damaged: 'Its tags are damaged.',
  'too-slow': 'Reading its tags took too long.',
  failed: 'Reading its tags failed.',
  unreadable: 'The file can’t be read.',
  'in-cloud': 'The file is only in the cloud. Its tags are read when it is uploaded.',
};

/**
 * Returns the note about a title that is the name of its file; null for a title that its template gives. `missing`: the tokens
 * without a value. `problem`: why the contents of the file are unknown.
 */
export function titleNotice(missing: readonly string[], problem: MediaFacts['problem']): AppErrorData | null {
  if (missing.length === 0) return null;
  const tokens = [...new Set(missing)].map((token) => `{${token}}`);
  const message =
    problem === null
      ? `The title is the file name, because the file has no value for ${tokens.join(', ')}.`
      : `The title is the file name, because ${tokens.join(', ')} could not be read. ${REASONS[problem]}`;
  return appError('upload.title-fallback', {
    message,
    details: { tokens, problem },
  }).toData();
}
