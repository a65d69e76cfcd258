import type { z } from 'zod';
import { appError } from '../../../../shared/contract/app-error.ts';
import type {
  describeUploadsInputSchema,
  describeUploadsOutputSchema,
  UploadDetails,
} from '../../../../shared/contract/upload-files.ts';
import { itemFieldsOf } from '../../../../shared/item/fields.ts';
import { definedItemFields } from '../../../../shared/model/item-fields.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { isDescribable } from '../../../../shared/model/uploads/upload-machine.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import { storedFields } from './stored-fields.ts';

interface DescribeTools {
  store: UploadStore;
  journal: UploadJournal;
}

/**
 * Returns the values of uploads as stored in their rows, and whether the row or the item can be changed. Unknown ids are omitted.
 */
export function uploadDetails(ids: readonly string[], { store }: DescribeTools): UploadDetails[] {
  return ids.flatMap((id) => {
    const upload = store.get(id);
    if (upload === null) return [];
    const { siteId, fileName, mediaId } = upload;
    return [{ id, siteId, fileName, place: placeOf(upload), mediaId, fields: itemFieldsOf(upload) }];
  });
}

/**
 * Writes values into rows whose items are not created yet, all in one transaction. Rows with an item are named in the answer and
 * not changed: their values are edits of the item. Throws `upload.unknown` and `input.invalid` before anything is changed.
 */
export function describeUploads(
  { changes }: z.output<typeof describeUploadsInputSchema>,
  { store, journal }: DescribeTools,
): z.output<typeof describeUploadsOutputSchema> {
  const facts: { before: Upload; event: UploadEvent }[] = [];
  const output: z.output<typeof describeUploadsOutputSchema> = { changed: 0, items: [], refused: [] };
  // Several changes of one row would start from the same row; the last value of each field counts.
  const byId = new Map<string, (typeof changes)[number]['fields']>();
  for (const { id, fields } of changes) byId.set(id, { ...byId.get(id), ...definedItemFields(fields) });
  for (const [id, given] of byId) {
    const before = store.get(id);
    if (before === null) throw appError('upload.unknown', { details: { id } });
    const { siteId, mediaId } = before;
    const place = placeOf(before);
    if (place === 'item' && mediaId !== null) output.items.push({ id, siteId, mediaId });
    else if (place === 'unconfirmed') output.refused.push({ id, error: appError('upload.item-unconfirmed').toData() });
    else facts.push({ before, event: { kind: 'described', fields: storedFields(given) } });
  }
  journal.recordMany(facts);
  return { ...output, changed: facts.length };
}

function placeOf(upload: Upload): UploadDetails['place'] {
  if (isDescribable(upload)) return 'row';
  return upload.mediaId === null ? 'unconfirmed' : 'item';
}
