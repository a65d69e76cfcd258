import type { ItemFields } from './item-fields.ts';

/** New values of an item of the library. */
export interface ItemDescription {
  mediaId: string;
  fields: Partial<ItemFields>;
  /** Whether all of them may replace what the item has when it is read. */
  mayReplace(present: ItemFields): boolean;
}

/** `kept`: nothing was changed, because the new values may not replace the present ones. `gone`: the library has no such item. */
export type DescribedItem = 'described' | 'kept' | 'gone';

/** What became of descriptions. */
export interface DescribedItems {
  /** By the ids of the items. */
  results: ReadonlyMap<string, DescribedItem>;
  /** The group of the edit; null: no item changes. */
  groupId: string | null;
}
