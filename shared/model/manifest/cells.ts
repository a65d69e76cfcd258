import { ITEM_FIELD, type ItemFieldKind, isTextField } from '../../item/fields.ts';
import { descriptionCell } from '../description.ts';
import type { EditableMedia } from '../edits/edit-ops.ts';
import type { CellKind } from '../grid/cell-text.ts';
import { writeDate, writeLocalDate } from './dates.ts';
import type { ManifestField } from './fields.ts';

/** The text of a cell for which an import empties the field; an empty cell changes nothing. */
export const CLEAR = '<clear>';

/** How a table on the screen edits each kind of field. */
export const CELL_KINDS = { line: 'text', html: 'multiline', tags: 'tags' } as const satisfies Record<
  ItemFieldKind,
  CellKind
>;

/** The prefix of an id, so that a spreadsheet keeps it as text: a long number would lose its last digits. */
const ID_MARK = 'm:';
const COLLECTION_MARK = 'c:';

/** The facts that cells need besides the item. */
export interface CellContext {
  /** In which zone times are written, and read when a cell has none. */
  timeZone: string;
  /** Returns the names from the top of the tree to a collection; null when it is unknown. */
  pathOf(collectionId: string): readonly string[] | null;
  /**
   * In a table on the screen descriptions are plain text, and times have no offset, because the table names their zone. In files,
   * which other users read in other zones, descriptions are HTML and times have their offset and zone.
   */
  isOnScreen?: boolean;
}

/** Returns the text of a field as an export writes it. An import of the same text changes nothing. */
export function cellOf(field: ManifestField, item: EditableMedia, context: CellContext): string {
  if (isTextField(field)) {
    const isHtml = ITEM_FIELD[field].kind === 'html';
    return isHtml && context.isOnScreen === true ? descriptionCell(item[field]) : item[field];
  }
  switch (field) {
    case 'id':
      return `${ID_MARK}${item.id}`;
    case 'tags':
      return joinTags(item.tags);
    case 'collection':
      return collectionCell(item.collectionId, context);
    case 'status':
      return item.status;
    case 'publishOn':
      return publicationCell(item, context);
  }
}

/** Returns the path of a collection, or its id when the path could not be converted back. */
function collectionCell(id: string, { pathOf }: CellContext): string {
  const path = pathOf(id);
  return path === null || path.some((name) => name.includes('/')) ? `${COLLECTION_MARK}${id}` : path.join(' / ');
}

/** The date of a draft has no effect, so it is not written. */
function publicationCell({ status, publishOn }: EditableMedia, { timeZone, isOnScreen }: CellContext): string {
  if (status === 'draft' || publishOn === null) return '';
  const at = Date.parse(publishOn);
  return dateCell(at, { timeZone, isOnScreen });
}

/** Returns an instant in epoch milliseconds as a cell; an empty one when it is not a number. */
export function dateCell(at: number, { timeZone, isOnScreen }: Pick<CellContext, 'timeZone' | 'isOnScreen'>): string {
  if (Number.isNaN(at)) return '';
  return isOnScreen === true ? writeLocalDate(at, timeZone) : writeDate(at, timeZone);
}

/**
 * Reads the id of an item: `m:123`, or `123`. null: the cell is empty. `damaged`: a spreadsheet turned the id into a
 * number and rounded it.
 */
export function readId(cell: string): { kind: 'id'; id: string } | { kind: 'damaged' } | null {
  const text = cell.trim();
  if (text === '') return null;
  if (text.startsWith(ID_MARK)) return { kind: 'id', id: text.slice(ID_MARK.length).trim() };
  return /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(text) ? { kind: 'damaged' } : { kind: 'id', id: text };
}

/** Returns the reference of a collection: an id after `c:`, otherwise an id, slug, path or name. */
export function readCollection(cell: string): { id: string } | { ref: string } {
  const text = cell.trim();
  return text.startsWith(COLLECTION_MARK) ? { id: text.slice(COLLECTION_MARK.length).trim() } : { ref: text };
}

/** Returns tags in one cell, separated by `|`; a backslash protects a `|` in a tag. */
export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/[\\|]/g, '\\$&')).join('|');
}

/** Reads the tags of a cell; the inverse of `joinTags`. Empty ones are omitted. */
export function readTags(cell: string): string[] {
  const tags: string[] = [];
  let tag = '';
  for (let at = 0; at < cell.length; at += 1) {
    const sign = cell.charAt(at);
    if (sign === '\\' && /[\\|]/.test(cell.charAt(at + 1))) {
      at += 1;
      tag += cell.charAt(at);
    } else if (sign === '|') {
      tags.push(tag);
      tag = '';
    } else tag += sign;
  }
  return [...tags, tag].map((each) => each.trim()).filter((each) => each !== '');
}
