import type { MediaItem } from '../../../../shared/api/media.ts';
import type { MediaPatch } from '../../../../shared/contract/library.ts';
import {
  ITEM_FIELD,
  ITEM_FIELDS,
  type ItemField,
  recordOf,
  TEXT_FIELDS,
  type TextFieldKey,
} from '../../../../shared/item/fields.ts';
import { canonicalTag, canonicalText } from '../../../../shared/model/edits/canonical.ts';
import { formatDateTime } from '../../../kit/text/format.ts';
import { fieldLabels } from '../../../kit/text/item-fields.ts';
import { mediaLook } from '../../../kit/text/states.ts';
import {
  createDraft,
  type EditsOf,
  exact,
  type FieldEdit,
  type FieldRules,
  isEqual,
  lineField,
} from './create-draft.ts';
import { texts } from './texts.ts';

/** The editable fields of an item. */
export interface Draft extends Readonly<Record<TextFieldKey, string>> {
  readonly tags: readonly string[];
}

export type DraftField = ItemField;
export const DRAFT_FIELDS = ITEM_FIELDS;

/** Returns the library's values. */
export function draftValuesOf(item: MediaItem): Draft {
  return { ...recordOf(TEXT_FIELDS, (field) => item[field] ?? ''), tags: item.tags };
}

/** A description is saved as it is; the library may send it in another form, such as with other blanks. */
function textRules(field: TextFieldKey): FieldRules<string> {
  return {
    ...(ITEM_FIELD[field].kind === 'html' ? exact<string>(field) : lineField(field)),
    isEquivalent: (one, other) => canonicalText(field, one) === canonicalText(field, other),
  };
}

/** Tags are added and removed one by one, so they never conflict: the edit is applied to the new tags. */
const TAG_RULES: FieldRules<readonly string[]> = {
  ...exact<readonly string[]>('tags'),
  isEquivalent: (one, other) => isEqual(one.map(canonicalTag).sort(), other.map(canonicalTag).sort()),
  merged: mergedTags,
};

/** The edits of an item. */
export const itemForm = createDraft<Draft, MediaPatch>({ ...recordOf(TEXT_FIELDS, textRules), tags: TAG_RULES });

/** The changed fields of an item. */
export type DraftEdits = EditsOf<Draft>;

/** Returns whether a save would write anything. */
export function hasEdits(edits: DraftEdits): boolean {
  return Object.keys(itemForm.written(edits)).length > 0;
}

/** Returns a message for each invalid field, without asking the library. Only edited fields are checked. */
export function fieldProblemsOf(edits: DraftEdits): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of TEXT_FIELDS) {
    const mine = edits[field]?.mine;
    if (mine === undefined) continue;
    const { kind, most, isRequired } = ITEM_FIELD[field];
    const name = fieldLabels[field].toLowerCase();
    const excess = mine.length - most;
    if (isRequired && mine.trim() === '') problems[field] = texts.valueMissing(name);
    else if (excess > 0)
      problems[field] = kind === 'html' ? texts.htmlTooLong(name, most, excess) : texts.lineTooLong(name, most);
  }
  return problems;
}

/** Applies a change of tags to other tags: removes the tags that the user removed, adds those that the user added. */
function mergedTags({ mine, base }: FieldEdit<readonly string[]>, theirs: readonly string[]): string[] {
  const formsOf = (tags: readonly string[]) => new Set(tags.map(canonicalTag));
  const [kept, known, present] = [formsOf(mine), formsOf(base), formsOf(theirs)];
  const left = theirs.filter((tag) => kept.has(canonicalTag(tag)) || !known.has(canonicalTag(tag)));
  const added = mine.filter((tag) => !known.has(canonicalTag(tag)) && !present.has(canonicalTag(tag)));
  return [...left, ...added];
}

/** Returns a sentence about the new publication state of an item. `publishOn`: ISO-8601 UTC. */
export function publicationWords(title: string, status: string, publishOn: string | null): string {
  const name = title === '' ? texts.item : texts.quoted(title);
  if (status === 'published') return texts.published(name);
  if (status === 'draft') return texts.draft(name);
  if (status === 'scheduled' && publishOn !== null) return texts.scheduled(name, formatDateTime(publishOn));
  return texts.otherStatus(name, mediaLook(status).word);
}
