import type { MediaItem } from '../../../shared/api/media.ts';
import type { MediaPatch } from '../../../shared/contract/library.ts';
import { editableDescription, plainToHtml } from './description.ts';

/** What a person edits of an item: text, as they see it. */
export interface Draft {
  title: string;
  byline: string;
  description: string;
  tags: readonly string[];
}

export function draftOf(item: MediaItem): Draft {
  return {
    title: item.title,
    byline: item.byline ?? '',
    description: editableDescription(item),
    tags: item.tags,
  };
}

/** The fields that differ between what was opened and what stands there now; nothing else is sent. */
export function patchOf(opened: Draft, draft: Draft): MediaPatch {
  const patch: MediaPatch = {};
  if (draft.title.trim() !== opened.title) patch.title = draft.title.trim();
  if (draft.byline.trim() !== opened.byline) patch.byline = draft.byline.trim();
  if (normal(draft.description) !== normal(opened.description)) patch.description = plainToHtml(draft.description);
  if (draft.tags.join('\n') !== opened.tags.join('\n')) patch.tags = [...draft.tags];
  return patch;
}

/** The fields that a person changed, as they stand there. */
export function editsOf(opened: Draft, draft: Draft): Partial<Draft> | null {
  const fields = Object.keys(patchOf(opened, draft)) as (keyof Draft)[];
  if (fields.length === 0) return null;
  return Object.fromEntries(fields.map((field) => [field, draft[field]]));
}

function normal(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}

export function isDirty(opened: Draft, draft: Draft): boolean {
  return Object.keys(patchOf(opened, draft)).length > 0;
}

/** What is wrong with a draft before anyone is asked. */
export function problemsOf(draft: Draft): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.title.trim() === '') problems.title = 'An item needs a title.';
  if (draft.title.length > 1000) problems.title = 'A title has at most 1,000 characters.';
  if (draft.byline.length > 1000) problems.byline = 'A byline has at most 1,000 characters.';
  return problems;
}
