// What a person enters for an act: which items, and their change.
import type { BulkChange, EditSelection, TextChange } from '../../../shared/contract/edits.ts';
import type { MediaQuery } from '../../../shared/contract/library.ts';
import type { Act } from './edit-scenario.ts';

/** Text fields that persons edit. */
export const TEXTS = ['title', 'byline', 'description'] as const;
const TAGS = ['one', 'two', 'Three'];

/** Items by their ids or, for some acts, all items but one. */
export function selectionOf(siteId: string, { kind, value }: Act, ids: string[]): EditSelection {
  if (kind !== 'edit-many' || value % 3 !== 0) return { siteId, ids };
  return { siteId, query: everythingOf(siteId), except: value % 2 === 0 ? ids.slice(0, 1) : [] };
}

/** The list of a whole library. */
export function everythingOf(siteId: string): MediaQuery {
  return { siteId, collectionId: null, search: '', type: null, status: null, sort: 'created_on', order: 'asc' };
}

/** Returns the change of an act. Its texts differ from those of all other acts, unless `value` is below 4. */
export function changeOf(kind: Act['kind'], { value, pick }: Act, itemId: string): BulkChange {
  const text = value < 4 ? (['Same', 'same', ' Same ', '<b>Same</b>'][value] ?? '') : `v${value}`;
  const field = TEXTS[(value + pick) % TEXTS.length] ?? 'title';
  const wanted: TextChange =
    value % 7 === 1 && kind === 'edit-many' ? { kind: 'suffix', text: ` ${text}` } : { kind: 'set', value: text };
  const tag = TAGS[value % TAGS.length] ?? 'one';
  switch (kind) {
    case 'tags':
      return { tags: { kind: 'change', add: value % 2 === 0 ? [tag] : [], remove: value % 2 === 0 ? [] : [tag] } };
    case 'move':
      return { collectionId: String(1 + (value % 3)) };
    case 'publish':
      return { publication: { kind: 'now' } };
    case 'publish-at':
      return {
        publication: { kind: 'at', at: new Date(Date.UTC(2026, 0, 5, 8) + (value % 40) * 60_000).toISOString() },
      };
    case 'unpublish':
      return { publication: { kind: 'unpublish' } };
    case 'delete':
      return { delete: true };
    default:
      return {
        [field]: wanted,
        ...(value % 5 === 0 && itemId !== '' ? { byline: { kind: 'set', value: `by ${text}` } } : {}),
      };
  }
}
