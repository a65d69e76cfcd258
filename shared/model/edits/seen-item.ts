import { recordOf, TEXT_FIELDS, type TextFieldKey } from '../../item/fields.ts';
import { textSum } from '../text-sum.ts';
import { canonicalTag, canonicalText, fingerprintOf, isSamePublication } from './canonical.ts';
import type { EditableMedia, EditField, EditOp, Publication, SeenItem } from './edit-ops.ts';

/** A value that changed; `before` null: it was too long to be kept. */
export interface Difference {
  field: EditField;
  before: string | string[] | Publication | null;
  after: string | string[] | Publication;
}

/** The most characters of a text that a deletion stores: a deletion of thousands of items stores thousands of them. */
const LONGEST_KEPT = 4000;

/** Returns the op that deletes an item, with the values of the item that the user sees. */
export function deletionOf(item: EditableMedia): Extract<EditOp, { kind: 'delete' }> {
  return { kind: 'delete', v: 1, base: fingerprintOf(item), saw: seenItemOf(item) };
}

function seenItemOf({ id: _, ...item }: EditableMedia): SeenItem {
  const texts = recordOf(TEXT_FIELDS, (field) =>
    item[field].length <= LONGEST_KEPT ? item[field] : { sum: sumOf(field, item[field]) },
  );
  return { ...item, ...texts };
}

/** Returns the changes in canonical form since the item was seen, of the values that its fingerprint contains. */
export function changesSince(saw: SeenItem, now: EditableMedia): Difference[] {
  const differences: Difference[] = TEXT_FIELDS.filter((field) => !isSameText(field, saw[field], now[field])).map(
    (field) => ({ field, before: keptText(saw[field]), after: now[field] }),
  );
  if (tagsOf(saw.tags) !== tagsOf(now.tags)) {
    differences.push({ field: 'tags', before: [...saw.tags], after: [...now.tags] });
  }
  if (saw.collectionId !== now.collectionId) {
    differences.push({ field: 'collection', before: saw.collectionId, after: now.collectionId });
  }
  if (!isSamePublication(asOfDate(saw), asOfDate(now))) {
    differences.push({ field: 'publication', before: shownPublication(saw), after: shownPublication(now) });
  }
  return differences;
}

function isSameText(field: TextFieldKey, seen: SeenItem[TextFieldKey], now: string): boolean {
  if (typeof seen !== 'string') return seen.sum === sumOf(field, now);
  return canonicalText(field, seen) === canonicalText(field, now);
}

function keptText(seen: SeenItem[TextFieldKey]): string | null {
  return typeof seen === 'string' ? seen : null;
}

function sumOf(field: TextFieldKey, text: string): string {
  return textSum(canonicalText(field, text));
}

function tagsOf(tags: readonly string[]): string {
  return JSON.stringify(tags.map(canonicalTag).sort());
}

function shownPublication({ status, publishOn }: Pick<EditableMedia, 'status' | 'publishOn'>): Publication {
  return { status, publishOn };
}

/** Returns the publication on a date: a scheduled item whose date arrives becomes a published one, which is no change. */
function asOfDate({ status, publishOn }: Pick<EditableMedia, 'status' | 'publishOn'>): Publication {
  return { status: status === 'draft' ? 'draft' : 'published', publishOn };
}
