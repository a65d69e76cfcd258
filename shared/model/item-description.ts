import type { ItemFields } from '../item/fields.ts';

/** New values of an item of the library. */
export interface ItemDescription {
  mediaId: string;
  fields: Partial<ItemFields>;
  /** Returns whether the new values may replace `present`, the values that the library returned for the item. */
  mayReplace(present: ItemFields): boolean;
}

/** `kept`: nothing was changed, because the new values may not replace the present ones. `gone`: the library has no such item. */
export type DescribedItem = 'described' | 'kept' | 'gone';

/** The results of descriptions. */
export interface DescribedItems {
  /** By the ids of the items. */
  results: ReadonlyMap<string, DescribedItem>;
  /** The group of the edit; null: no item changes. */
  groupId: string | null;
}
