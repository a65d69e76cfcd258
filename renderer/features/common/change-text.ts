import { htmlToText, PARAGRAPHS } from '../../../shared/api/html-text.ts';
import type { EditFieldChange, EditValue } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { formatDateTime } from '../../kit/text/format.ts';
import { mediaLook } from '../../kit/text/states.ts';
import { texts } from './texts.ts';

/** Returns the name of a collection; null while it is unknown. */
export type NameOf = (collectionId: string) => string | null;

/**
 * Returns a value of a field in one line, and a word for an empty value. `hasDates`: adds the date of a published item, which
 * distinguishes two publications.
 */
export function valueText(field: AnyField, value: EditValue, nameOf: NameOf, hasDates = false): string {
  if (value === null) return texts.values.none;
  if (Array.isArray(value)) return value.length === 0 ? texts.values.noTags : value.join(', ');
  if (typeof value === 'boolean') return value ? texts.values.on : texts.values.off;
  if (typeof value === 'object' && 'collections' in value) {
    return texts.values.contents(value.collections, value.items);
  }
  if (typeof value === 'object') {
    const { word } = mediaLook(value.status);
    const isTimed = value.status === 'scheduled' || (hasDates && value.status === 'published');
    return isTimed && value.publishOn !== null ? texts.values.timed(word, formatDateTime(value.publishOn)) : word;
  }
  if (field === 'collection' || field === 'parent') return nameOf(value) ?? texts.values.collection(value);
  const text = field === 'description' ? htmlToText(value, PARAGRAPHS) : value;
  return text.trim() === '' ? texts.values.empty : text.replaceAll(/\s+/g, ' ');
}

/** Returns what a change does: the name of its field, or the word for a publication or a move. */
export function changeName({ field, after }: Pick<EditFieldChange, 'field' | 'after'>): string {
  if (field === 'collection' || field === 'parent') return texts.values.move;
  if (field !== 'publication' || after === null || typeof after !== 'object' || !('status' in after)) {
    return texts.fields[field];
  }
  if (after.status === 'scheduled') return texts.values.schedule;
  return after.status === 'published' ? texts.values.publish : texts.values.unpublish;
}

/** Returns the sentence about a change that has no value before and after: a deletion or a creation; null for other changes. */
export function wholeChangeText({ field, before, after }: Change, nameOf: NameOf): string | null {
  const { values } = texts;
  if (field === 'created') return values.created(valueText(field, after, nameOf));
  if (field === 'item') {
    const isCollection = before !== null && typeof before === 'object' && 'collections' in before;
    return isCollection ? values.deletedCollection(valueText(field, before, nameOf)) : values.deleted;
  }
  if (field !== 'files') return null;
  return after === null ? values.deletedFile(String(before)) : values.embedded(valueText(field, after, nameOf));
}

type Change = Pick<EditFieldChange, 'field' | 'before' | 'after'>;

/** Returns the tags that a change adds and removes; null for a change of another field. */
export function tagChanges({ before, after }: Pick<EditFieldChange, 'before' | 'after'>): {
  added: string[];
  removed: string[];
} | null {
  if (!Array.isArray(before) || !Array.isArray(after)) return null;
  return {
    added: after.filter((tag) => !before.includes(tag)),
    removed: before.filter((tag) => !after.includes(tag)),
  };
}
