import type { PublishChoice } from '../../../shared/contract/upload-choices.ts';
import type { CollectionTarget } from '../../../shared/contract/watch-rules.ts';
import { type ItemFields, itemFieldsOf } from '../../../shared/item/fields.ts';
import { changeTo, planItem } from '../../../shared/model/edits/bulk-change.ts';
import { isSamePublication } from '../../../shared/model/edits/canonical.ts';
import type { EditableMedia, EditOp } from '../../../shared/model/edits/edit-ops.ts';
import { isSameField } from '../../../shared/model/edits/same-field.ts';
import type { DescribedItem, DescribeItems, ItemDescription } from '../../../shared/model/item-description.ts';
import { pickFields } from '../../../shared/model/item-fields.ts';
import type { CollectionIndex } from '../library/collections/collection-index.ts';
import { matchesIn } from '../library/collections/find-collection.ts';
import type { EditHandlers } from './edit-handlers.ts';
import type { Edits } from './edits.ts';

/** What `describeItems` reads and writes. */
export interface DescribeTools {
  edits(): Pick<Edits, 'readItems' | 'keepPlan' | 'hadOp'> & { handlers: Pick<EditHandlers, 'edits.apply'> };
  /** The collections that the account may list; null: none. */
  collections(siteId: string): Promise<CollectionIndex | null>;
}

/**
 * Returns the function that gives values to items as one edit, which is durable when its promise resolves. An item that has the
 * values already is `described` without an edit.
 */
export function describeItems({ edits, collections }: DescribeTools): DescribeItems {
  return async (siteId, descriptions, label) => {
    const { readItems, keepPlan, hadOp, handlers } = edits();
    const selected = await readItems({ siteId, ids: descriptions.map(({ mediaId }) => mediaId) });
    const items = new Map(selected.items.map(({ effective }) => [effective.id, effective]));
    const isNamed = descriptions.some(({ collection }) => collection?.to.kind === 'ref');
    const targets = isNamed ? await collections(siteId) : null;
    const results = new Map<string, DescribedItem>();
    const rows = descriptions.flatMap((description) => {
      const { mediaId, fieldsFor } = description;
      const item = items.get(mediaId);
      const fields = item === undefined ? null : fieldsFor(itemFieldsOf(item));
      results.set(mediaId, item === undefined ? 'gone' : fields === null ? 'kept' : 'described');
      if (item === undefined || fields === null) return [];
      // What an edit changed before is not changed again: the user may have moved the item back since.
      const hadEdit = (...kinds: EditOp['kind'][]) => hadOp(siteId, mediaId, kinds);
      const ops = opsOf(item, fields, description, targets, hadEdit);
      return ops.length === 0 ? [] : [{ item, ops, problem: null }];
    });
    if (rows.length === 0) return { results, groupId: null };
    const planId = keepPlan({ selected: { ...selected, missing: 0 }, change: null, rows, unchanged: 0 });
    const { group } = await handlers['edits.apply']({ planId, except: [], label });
    return { results, groupId: group?.id ?? null };
  };
}

function opsOf(
  item: EditableMedia,
  fields: Partial<ItemFields>,
  { collection, publish }: Pick<ItemDescription, 'collection' | 'publish'>,
  targets: CollectionIndex | null,
  hadEdit: (...kinds: EditOp['kind'][]) => boolean,
): EditOp[] {
  const change = changeTo(pickFields(fields, (field) => !isSameField(field, fields, item)));
  if (collection?.from === item.collectionId && !hadEdit('move-collection')) {
    const collectionId = idOf(collection.to, targets);
    if (collectionId !== null) change.collectionId = collectionId;
  }
  if (publish && isStill(item, publish.from) && !hadEdit('publish', 'unpublish')) {
    const { to } = publish;
    change.publication = to.kind === 'draft' ? { kind: 'unpublish' } : to;
  }
  return planItem(item, change).ops;
}

/** Returns the id of the collection; null when the library has no such collection, or several. */
function idOf(target: CollectionTarget, targets: CollectionIndex | null): string | null {
  if (target.kind === 'id') return target.id;
  const [only, another] = targets === null ? [] : matchesIn(targets, target.ref);
  return another === undefined ? (only ?? null) : null;
}

/**
 * Returns whether the publication of an item is unchanged and the item is not public yet. An item that was public and is a draft
 * was unpublished by someone.
 */
function isStill({ status, publishOn }: EditableMedia, made: PublishChoice): boolean {
  if (made.kind !== 'at') return made.kind === 'draft' && status === 'draft';
  return isSamePublication({ status, publishOn }, { status: 'scheduled', publishOn: made.at });
}
