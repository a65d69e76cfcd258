import type { ItemFields } from '../../../shared/item/fields.ts';
import type { DescribeItems } from '../../../shared/model/item-description.ts';

/** An item of the library as the user sees it, with the edits that are not sent yet. */
export interface KnownItem {
  fields: ItemFields;
  collectionId: string;
}

/** The items of earlier uploads, to which captions, thumbnails and details can be added later. */
export interface KnownItems {
  /** Returns an item as this computer knows it without a request; null: it does not know the item. */
  get(siteId: string, mediaId: string): KnownItem | null;
  /** Returns whether an edit of this computer, in whatever state, added or removed tags of an item. */
  hasEditedTags(siteId: string, mediaId: string): boolean;
  /** Returns the name of a collection; null: this computer does not know it. */
  collectionName(siteId: string, collectionId: string): string | null;
  describe: DescribeItems;
}

/** Without a library, nothing is known about items, and none can be edited. */
export const NO_KNOWN_ITEMS: KnownItems = {
  get: () => null,
  hasEditedTags: () => false,
  collectionName: () => null,
  describe: async (_siteId, descriptions) => ({
    results: new Map(descriptions.map(({ mediaId }) => [mediaId, 'gone'])),
    groupId: null,
  }),
};
