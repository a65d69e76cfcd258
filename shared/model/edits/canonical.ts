import { ITEM_FIELD, TEXT_FIELDS, type TextFieldKey } from '../../item/fields.ts';
import { textSum } from '../text-sum.ts';
import { canonicalHtml } from './canonical-html.ts';
import type { EditableMedia, Publication } from './edit-ops.ts';

/** Returns a line of text in the form in which values are compared: NFC, single blanks, no blanks at its ends. */
function canonicalLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Returns the form in which a text field is compared. Equal forms mean that no user would see a difference. */
export function canonicalText(field: TextFieldKey, value: string): string {
  return ITEM_FIELD[field].kind === 'html' ? canonicalHtml(value) : canonicalLine(value);
}

/** Returns the form in which tags are compared: libraries ignore case, blanks and the form of accents. */
export function canonicalTag(tag: string): string {
  return canonicalLine(tag).toLowerCase();
}

/**
 * Returns whether two dates are in the same second, or both missing: the API has whole seconds, so a library stores no more of an
 * instant. Unreadable dates are compared as text.
 */
export function isSameInstant(one: string | null, other: string | null): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  const second = Math.floor(Date.parse(one) / 1000);
  return !Number.isNaN(second) && second === Math.floor(Date.parse(other) / 1000);
}

/** Returns whether two items are public in the same way. The date of a draft has no effect. */
export function isSamePublication(one: Publication, other: Publication): boolean {
  if (one.status !== other.status) return false;
  return one.status === 'draft' || isSameInstant(one.publishOn, other.publishOn);
}

/**
 * Returns a short text that differs when any editable value of an item differs in canonical form. The deletion of an item uses it
 * as base: an item that someone changed since is not deleted without a question. A date that arrives turns a scheduled item into
 * a published one, which is no change.
 */
export function fingerprintOf(item: EditableMedia): string {
  const publication = item.status === 'draft' ? 'draft' : `public ${item.publishOn ?? ''}`;
  const parts = [
    ...TEXT_FIELDS.map((field) => canonicalText(field, item[field])),
    item.tags.map(canonicalTag).sort().join('\u0000'),
    item.collectionId,
    publication,
  ];
  return textSum(parts.join('\u0001'));
}
