import type { MediaItem } from '../../../../shared/api/media.ts';
import { ITEM_FIELD, recordOf, TEXT_FIELDS, type TextFieldKey } from '../../../../shared/item/fields.ts';
import { isCollectionOp } from '../../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, type EditOp, editableOf } from '../../../../shared/model/edits/edit-ops.ts';
import { fold } from '../../../../shared/model/edits/fold.ts';
import type { EditJournal } from './edit-journal.ts';

/** Returns the open ops of an item in order, also those that wait for a decision. */
export function pendingOpsOf(journal: EditJournal, siteId: string, entityId: string): EditOp[] {
  if (journal.openEntity(siteId, entityId) === null) return [];
  return journal
    .openOf(siteId, entityId)
    .flatMap(({ ops }) =>
      (ops ?? []).flatMap(({ op, outcome }) => (outcome === null && !isCollectionOp(op) ? [op] : [])),
    );
}

/** Returns the values of an item as the user sees them: the library's values with the open edits applied. null: deleted. */
export function effectiveOf(journal: EditJournal, siteId: string, item: MediaItem): EditableMedia | null {
  return fold(editableOf(item), pendingOpsOf(journal, siteId, item.id));
}

/** Returns texts as the API has them: a line without a value is null, except the title. */
export function wireTextsOf(values: Readonly<Record<TextFieldKey, string>>): Pick<MediaItem, TextFieldKey> {
  return recordOf(TEXT_FIELDS, (field) => {
    const { kind, isRequired } = ITEM_FIELD[field];
    return values[field] === '' && kind === 'line' && !isRequired ? null : values[field];
  }) as Pick<MediaItem, TextFieldKey>;
}

/** Returns an item of the API with other editable values. */
export function withValues(item: MediaItem, values: EditableMedia): MediaItem {
  const isSameText = values.description === (item.description ?? '');
  return {
    ...item,
    ...wireTextsOf(values),
    // Only the library can create the plain form.
    description_plain: isSameText ? item.description_plain : null,
    tags: [...values.tags],
    collection_id: values.collectionId,
    status: values.status,
    publish_on: values.publishOn,
  };
}
