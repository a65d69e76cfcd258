import type { MediaItem } from '../../../../shared/api/media.ts';
import type { MediaPatch } from '../../../../shared/contract/library.ts';
import {
  ITEM_FIELD,
  ITEM_FIELDS,
  type ItemField,
  recordOf,
  TEXT_FIELDS,
  type TextField,
} from '../../../../shared/item/fields.ts';
import { canonicalTag, canonicalText } from '../../../../shared/model/edits/canonical.ts';
import { formatDateTime } from '../../../kit/text/format.ts';
import { fieldLabels } from '../../../kit/text/item-fields.ts';
import { mediaLook } from '../../../kit/text/states.ts';
import { texts } from './texts.ts';

/** The editable fields of an item. */
export interface Draft extends Readonly<Record<TextField, string>> {
  readonly tags: readonly string[];
}

export type DraftField = ItemField;
export const DRAFT_FIELDS = ITEM_FIELDS;

/** A changed field. `base`: the value of the library that the user saw when the change began. */
interface FieldEdit<Value> {
  readonly mine: Value;
  readonly base: Value;
}

/** The changed fields of an item. Fields that are not changed follow the library. */
export type Edits = { readonly [F in DraftField]?: FieldEdit<Draft[F]> };

/** Returns the library's values. */
export function valuesOf(item: MediaItem): Draft {
  return { ...recordOf(TEXT_FIELDS, (field) => item[field] ?? ''), tags: item.tags };
}

/** Returns the shown values of the fields: the library's values with the edits applied. */
export function draftOf(values: Draft, edits: Edits): Draft {
  const texts = recordOf(TEXT_FIELDS, (field) => edits[field]?.mine ?? values[field]);
  return { ...texts, tags: edits.tags?.mine ?? values.tags };
}

/** Returns the edits after the user changed fields. A field that again has exactly the value of its base is no longer an edit. */
export function changedEdits(values: Draft, edits: Edits, change: Partial<Draft>): Edits {
  let result = edits;
  for (const field of DRAFT_FIELDS) {
    const mine = change[field];
    if (mine === undefined) continue;
    const base = result[field]?.base ?? values[field];
    result = isEqual(mine, base) ? without(result, [field]) : { ...result, [field]: { mine, base } };
  }
  return result;
}

/**
 * Returns the edits after the library's values changed. An edit that the library has too is dropped. Tags are added and removed
 * one by one, so they never conflict: the edit is applied to the new tags.
 */
export function followedEdits(values: Draft, edits: Edits): Edits {
  const done = DRAFT_FIELDS.filter((field) => {
    const edit = edits[field];
    return edit !== undefined && isEquivalent(field, edit.mine, values[field]);
  });
  const rest = without(edits, done);
  if (rest.tags === undefined) return rest;
  const mine = mergedTags(rest.tags, values.tags);
  return changedEdits(values, without(rest, ['tags']), { tags: mine });
}

/** Returns the edited fields whose value someone else changed after the start of the edit: the user decides about them. */
export function conflictsOf(values: Draft, edits: Edits): DraftField[] {
  return DRAFT_FIELDS.filter((field) => {
    const edit = edits[field];
    if (edit === undefined || field === 'tags' || edit.base === values[field]) return false;
    return !isEquivalent(field, edit.base, values[field]);
  });
}

/** Returns the edits after the user decided about a conflict: the user's value now replaces the library's, or is dropped. */
export function settledEdits(values: Draft, edits: Edits, field: DraftField, choice: 'mine' | 'theirs'): Edits {
  const edit = edits[field];
  if (edit === undefined) return edits;
  const rest = without(edits, [field]);
  return choice === 'theirs' ? rest : changedEdits(values, rest, { [field]: edit.mine });
}

/**
 * Returns the edits that remain after `sent` was saved: text that was typed in the meantime, with the saved value as base.
 * `values`: the library's present values.
 */
export function editsAfter(sent: Edits, now: Edits, values: Draft): Edits {
  let left = now;
  for (const field of DRAFT_FIELDS) {
    const [before, after] = [sent[field], now[field]];
    if (before === undefined || after === undefined) continue;
    left = without(left, [field]);
    if (!isSame(field, before.mine, after.mine)) left = changedEdits(values, left, { [field]: after.mine });
  }
  return followedEdits(values, left);
}

/** Returns the changed fields as the API expects them. */
export function patchOf(edits: Edits): MediaPatch {
  return patchWith(edits, 'mine');
}

/** Returns the values that the user saw of the changed fields. */
export function expectedOf(edits: Edits): MediaPatch {
  return patchWith(edits, 'base');
}

function patchWith(edits: Edits, which: keyof FieldEdit<unknown>): MediaPatch {
  const values = Object.entries(writtenEdits(edits)).map(([field, edit]) => {
    const value = edit[which];
    if (typeof value !== 'string') return [field, [...value]];
    const isTrimmed = which === 'mine' && ITEM_FIELD[field as DraftField].kind === 'line';
    return [field, isTrimmed ? value.trim() : value];
  });
  return Object.fromEntries(values) as MediaPatch;
}

/** Returns the edits without changes of blanks around a line of text, which are not saved. */
function writtenEdits(edits: Edits): Edits {
  const blank = DRAFT_FIELDS.filter((field) => {
    const edit = edits[field];
    return edit !== undefined && isSame(field, edit.mine, edit.base);
  });
  return without(edits, blank);
}

/** Returns whether a save would write anything. */
export function hasEdits(edits: Edits): boolean {
  return Object.keys(writtenEdits(edits)).length > 0;
}

/** Returns a message for each invalid field, without asking the library. Only edited fields are checked. */
export function problemsOf(edits: Edits): Record<string, string> {
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

/** Returns edits without some of their fields. */
function without(edits: Edits, fields: readonly DraftField[]): Edits {
  if (!fields.some((field) => field in edits)) return edits;
  return Object.fromEntries(Object.entries(edits).filter(([field]) => !fields.includes(field as DraftField)));
}

/** Returns whether two texts, or two lists of tags in their order, are exactly the same. A tag can contain a comma. */
function isEqual(one: Draft[DraftField], other: Draft[DraftField]): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((tag, at) => tag === other[at]);
}

/** Returns whether the user sees no difference that a save would write. */
function isSame(field: DraftField, one: Draft[DraftField], other: Draft[DraftField]): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isEqual(one, other);
  return ITEM_FIELD[field].kind === 'html' ? one === other : one.trim() === other.trim();
}

/** Returns whether two values are the same for the library, see `canonicalText`. */
function isEquivalent(field: DraftField, one: Draft[DraftField], other: Draft[DraftField]): boolean {
  if (typeof one === 'string' && typeof other === 'string' && field !== 'tags') {
    return one === other || canonicalText(field, one) === canonicalText(field, other);
  }
  const forms = (tags: Draft[DraftField]) => [...tags].map(canonicalTag).sort();
  return isEqual(forms(one), forms(other));
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
