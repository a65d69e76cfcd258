import type { ItemField } from '../../../shared/item/fields.ts';
import type { ManifestField } from '../../../shared/model/manifest/fields.ts';
import { defineTexts } from './define-texts.ts';

/** The names of the fields that users write, on every screen. */
export const fieldLabels = defineTexts({
  en: {
    title: 'Title',
    byline: 'Byline',
    description: 'Description',
    tags: 'Tags',
  } satisfies Record<ItemField, string>,
});

/** The names of an item's fields, in tables and as columns of spreadsheets. */
export const itemFields = defineTexts({
  en: {
    ...fieldLabels,
    collection: 'Collection',
    status: 'Status',
    publishOn: 'Publish time',
  } satisfies Record<Exclude<ManifestField, 'id'>, string>,
});
