import type { PublishChoice } from '../../../shared/contract/upload-choices.ts';
import type { CollectionTarget } from '../../../shared/contract/watch-rules.ts';
import type { ItemField, ItemFields } from '../../../shared/item/fields.ts';
import { changeTo, planItem } from '../../../shared/model/edits/bulk-change.ts';
import { isSamePublication } from '../../../shared/model/edits/canonical.ts';
import type { EditableMedia, EditOp } from '../../../shared/model/edits/edit-ops.ts';
import { isSameField } from '../../../shared/model/edits/same-field.ts';
import { pickFields } from '../../../shared/model/item-fields.ts';
import type { CollectionIndex } from '../library/collections/collection-index.ts';
import { matchesIn } from '../library/collections/find-collection.ts';
import type { EditHandlers } from './edit-handlers.ts';
import type { Edits } from './edits.ts';

/** New values of an item. Only fields that still have a value in `expected` change. */
export interface UntouchedChange {
  mediaId: string;
  expected: readonly Partial<ItemFields>[];
  fields: Partial<ItemFields>;
  /** The collection that the item is moved to if it is still in `from`, an id, and no edit has moved it before. */
  collection?: { from: string; to: CollectionTarget } | null;
  /**
   * The new publish choice, applied if the item's publication is still `from`, the item is not public, and no edit has changed it
   * before.
   */
  publish?: { from: PublishChoice; to: PublishChoice } | null;
}

/**
 * Edits items as one group, except values that someone changed since: a field with another value, also an unsent one, stays.
 * Items that the library no longer has are omitted; so is a collection that does not exist or whose name is not unique. An edit
 * with a publish time that has passed is held, and asks the user. Throws the errors of reading items and collections.
 */
export async function changeUntouched(
  {
    readItems,
    keepPlan,
    hadOp,
    handlers,
    collections,
  }: Pick<Edits, 'readItems' | 'keepPlan' | 'hadOp'> & {
    handlers: Pick<EditHandlers, 'edits.apply'>;
    /** The collections that the account may list; null: none. */
    collections(siteId: string): Promise<CollectionIndex | null>;
  },
  siteId: string,
  changes: readonly UntouchedChange[],
  label: string,
): Promise<void> {
  const selected = await readItems({ siteId, ids: changes.map(({ mediaId }) => mediaId) });
  const items = new Map(selected.items.map((item) => [item.effective.id, item]));
  const targets = changes.some(({ collection }) => collection?.to.kind === 'ref') ? await collections(siteId) : null;
  const rows = changes.flatMap((change) => {
    const item = items.get(change.mediaId);
    if (item === undefined) return [];
    // What an edit changed before is not changed again: the user may have moved the item back since.
    const wasMoved = hadOp(siteId, change.mediaId, ['move-collection']);
    const wasPublished = hadOp(siteId, change.mediaId, ['publish', 'unpublish']);
    const place = { ...(wasMoved ? { collection: null } : {}), ...(wasPublished ? { publish: null } : {}) };
    const ops = opsOf(item.effective, { ...change, ...place }, targets);
    return ops.length === 0 ? [] : [{ item: item.effective, ops, problem: null }];
  });
  if (rows.length === 0) return;
  const planId = keepPlan({ selected: { ...selected, missing: 0 }, change: null, rows, unchanged: 0 });
  await handlers['edits.apply']({ planId, except: [], label });
}

function opsOf(
  item: EditableMedia,
  { expected, fields, collection = null, publish = null }: UntouchedChange,
  targets: CollectionIndex | null,
): EditOp[] {
  const isUntouched = (field: ItemField) => expected.some((each) => isSameField(field, each, item));
  const change = changeTo(pickFields(fields, isUntouched));
  const collectionId = collection?.from === item.collectionId ? idOf(collection.to, targets) : null;
  if (collectionId !== null) change.collectionId = collectionId;
  if (publish !== null && isStill(item, publish.from)) {
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
