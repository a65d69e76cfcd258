import type { MediaItem } from '../../../shared/api/media.ts';
import type { MediaPatch } from '../../../shared/contract/library.ts';
import { editableDescription, plainToHtml } from './description.ts';
import { texts } from './texts.ts';

/** The editable fields of an item, as plain text. */
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

/** Returns the changed fields, as the API expects them; unchanged fields are not sent. */
export function patchOf(opened: Draft, draft: Draft): MediaPatch {
  const patch: MediaPatch = {};
  if (draft.title.trim() !== opened.title) patch.title = draft.title.trim();
  if (draft.byline.trim() !== opened.byline) patch.byline = draft.byline.trim();
  if (normal(draft.description) !== normal(opened.description)) patch.description = plainToHtml(draft.description);
  if (draft.tags.join('\n') !== opened.tags.join('\n')) patch.tags = [...draft.tags];
  return patch;
}

/** Returns the changed fields as the person typed them; null when there are none. */
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

/** Returns a message for each invalid field, without asking the library. */
export function problemsOf(draft: Draft): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.title.trim() === '') problems.title = texts.titleMissing;
  if (draft.title.length > 1000) problems.title = texts.titleTooLong;
  if (draft.byline.length > 1000) problems.byline = texts.bylineTooLong;
  return problems;
}
