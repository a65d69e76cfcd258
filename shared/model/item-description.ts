import type { PublishChoice } from '../contract/upload-choices.ts';
import type { CollectionTarget } from '../contract/watch-rules.ts';
import type { ItemFields } from '../item/fields.ts';

/** New values of an item of the library. */
export interface ItemDescription {
  mediaId: string;
  /** Returns the new values that may replace `present`, the values that the library returned for the item; null: none may. */
  fieldsFor(present: ItemFields): Partial<ItemFields> | null;
  /**
   * The collection to which the item is moved if it is still in `from`, an id, and no edit has moved it before; null: it stays. A
   * collection that does not exist, or whose name is not unique, is left out.
   */
  collection?: { from: string; to: CollectionTarget } | null;
  /**
   * The new publish choice, applied if the item's publication is still `from`, the item is not public, and no edit has changed it
   * before; null: it stays. An edit with a publish time that has passed is held, and asks the user.
   */
  publish?: { from: PublishChoice; to: PublishChoice } | null;
}

/** `kept`: nothing was changed, because the new values may not replace the present ones. `gone`: the library has no such item. */
export type DescribedItem = 'described' | 'kept' | 'gone';

/** The results of descriptions. */
interface DescribedItems {
  /** By the ids of the items. */
  results: ReadonlyMap<string, DescribedItem>;
  /** The group of the edit; null: no item changes. */
  groupId: string | null;
}

/** Gives values to items of an account as one edit. Throws the errors of reading items and collections; then nothing is changed. */
export type DescribeItems = (
  siteId: string,
  descriptions: readonly ItemDescription[],
  label: string,
) => Promise<DescribedItems>;
