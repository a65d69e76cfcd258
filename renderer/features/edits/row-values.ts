import { htmlToText, WORDS } from '../../../shared/api/html-text.ts';
import { PODCAST_FIELDS } from '../../../shared/api/podcast-fields.ts';
import type { EditRow, EditValue } from '../../../shared/contract/edits.ts';
import { ITEM_FIELD, isTextField, TEXT_FIELDS } from '../../../shared/item/fields.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { type MergedText, mergeText } from '../../../shared/model/edits/merge-text.ts';
import { isRestorable } from '../../../shared/model/edits/restorable.ts';

type Change = EditRow['changes'][number];

/** The fields for which the user can enter another text. */
export const ENTERED_TEXTS: ReadonlySet<AnyField> = new Set([
  ...TEXT_FIELDS,
  ...(['display_name', 'slug'] as const),
  ...PODCAST_FIELDS.filter((field) => field !== 'directory_explicit'),
]);

/**
 * Returns whether a field contains prose. A slug, an address or a category is a single value: merging two of them gives no valid
 * value.
 */
export function isProse(field: AnyField): boolean {
  return PROSE.has(field);
}

/** Returns whether a field contains HTML: a description of an item or of a collection. */
export function isHtmlField(field: AnyField): boolean {
  return isTextField(field) && ITEM_FIELD[field].kind === 'html';
}

const PROSE: ReadonlySet<AnyField> = new Set([
  ...TEXT_FIELDS,
  ...(['display_name', 'directory_author_name', 'directory_subtitle', 'copyright'] as const),
]);

/**
 * Returns a text with the changes of both sides; null for a value that is no prose. Only descriptions can contain passages that
 * both sides changed, because the user enters shorter texts again.
 */
export function mergedOf({ field, before, after, theirs }: Change): MergedText | null {
  if (!isProse(field) || typeof after !== 'string' || typeof theirs !== 'string') return null;
  const base = typeof before === 'string' ? before : '';
  const merged = mergeText({ base, mine: after, theirs }, { isHtml: isHtmlField(field) });
  return merged.conflicts > 0 && !isHtmlField(field) ? null : merged;
}

/**
 * Returns the words of both sides in a passage that both changed, as a reader sees them. HTML whose sides differ only in tags is
 * returned unchanged.
 */
export function conflictText(
  { mine, theirs }: { mine: string; theirs: string },
  isHtml: boolean,
): { mine: string; theirs: string } {
  if (!isHtml) return { mine, theirs };
  const shown = { mine: htmlToText(mine, WORDS), theirs: htmlToText(theirs, WORDS) };
  return shown.mine === shown.theirs ? { mine, theirs } : shown;
}

/** Returns the changes of a refused row for whose fields the user can enter another text. */
export function revisableChanges({ changes }: EditRow): Change[] {
  return changes.filter(({ field, after }) => ENTERED_TEXTS.has(field) && typeof after === 'string');
}

/** Returns whether the library refused a row that can be sent again with other texts. */
export function isRevisable(row: EditRow): boolean {
  return row.state === 'refused' && !isRestorable(row) && revisableChanges(row).length > 0;
}

/** A value of a row, with its role in the row. */
export interface RowValue {
  part: 'base' | 'mine' | 'theirs' | 'lost';
  value: EditValue;
  /** The text that is copied. */
  text: string;
}

/** Returns the values of a change that can be copied: texts and tags. */
export function copyableValues({ field, before, after, theirs, lost = [] }: Change): RowValue[] {
  // Ids and dates are no text of the user.
  if (field === 'collection' || field === 'parent' || field === 'autotranscribe_profile_id') return [];
  const all: [RowValue['part'], EditValue][] = [
    ['base', before],
    ['mine', after],
    ['theirs', theirs],
    ...lost.map((value) => ['lost', value] as [RowValue['part'], EditValue]),
  ];
  return all.flatMap(([part, value]) => {
    const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
    return text === '' ? [] : [{ part, value, text }];
  });
}

/** Returns whether a row contains a value that can be copied. */
export function hasValues({ changes }: EditRow): boolean {
  return changes.some((change) => copyableValues(change).length > 0);
}
