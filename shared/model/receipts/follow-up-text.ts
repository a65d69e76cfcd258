import type { FollowUpRow } from '../../contract/uploads.ts';

const PARTS = {
  captions: 'Captions',
  thumbnail: 'Thumbnail',
  tags: 'Tags',
  details: 'Details',
  source: 'Local file',
} as const;

const OLD_FILE = { done: 'Replaced', pending: 'Replaces', failed: 'Not deleted' } as const;

/**
 * Returns what was done after an upload, in the words of a receipt: `Captions: lecture.srt`, `Captions: lecture.srt, read as windows-1251: a guess`, `Captions pending: lecture.srt`,
 * `Tags failed. Some tags …`, `Draft. The library …`.
 */
export function followUpText({ kind, state, fileName, error, guessed }: FollowUpRow): string {
  const why = error === null ? '' : `. ${error.message}`;
  if (kind === 'old-file') return `${OLD_FILE[state]}: ${fileName}${why}`;
  if (kind === 'publish') return state === 'done' ? 'Published' : `Draft${why}`;
  const name = fileName === '' ? '' : `: ${fileName}`;
  const guess = guessed === undefined ? '' : `, read as ${guessed}: a guess`;
  if (state === 'done') return name === '' ? `${PARTS[kind]} added` : `${PARTS[kind]}${name}${guess}`;
  return `${PARTS[kind]} ${state}${name}${why}`;
}
