import { toAppError } from '../../../shared/contract/app-error.ts';
import type { PublishChoice } from '../../../shared/contract/upload-choices.ts';
import type { CollectionTarget } from '../../../shared/contract/watch-rules.ts';
import { type ItemField, type ItemFields, itemFieldsOf, noItemFields } from '../../../shared/item/fields.ts';
import { isSameInstant } from '../../../shared/model/edits/canonical.ts';
import { isSameField } from '../../../shared/model/edits/same-field.ts';
import type { DescribeItems } from '../../../shared/model/item-description.ts';
import { pickFields } from '../../../shared/model/item-fields.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { isDescribable } from '../../../shared/model/uploads/upload-machine.ts';
import type { UploadPlan } from '../../../shared/model/watch/apply-rules.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { UploadJournal } from '../uploads/journal/upload-journal.ts';

export interface LateTools {
  journal: UploadJournal;
  clock: Clock;
  logger: Logger;
  describe: DescribeItems;
  uploadOf(id: string): Upload | null;
}

/**
 * Values that arrived after their upload was queued. `made`: all values that Mediadesk itself gave to the fields before; only
 * these may be replaced. `given`: the values that arrived. `named`: the collection and publication that arrived.
 */
export interface LateValues {
  uploadId: string;
  made: readonly Partial<ItemFields>[];
  given: Partial<ItemFields>;
  named: LatePlace;
}

/** The late values that an upload accepts in its present state. */
interface Taken extends Pick<LateValues, 'made'> {
  upload: Upload;
  fields: Partial<ItemFields>;
  place: LatePlace;
}

/** The collection of an item, and when it is published; null: no change. */
export interface LatePlace {
  collection: CollectionTarget | null;
  publish: PublishChoice | null;
}

export const NO_PLACE: LatePlace = { collection: null, publish: null };

/** The interval for values that can't be applied to the upload or the item now. */
export const AGAIN_MS = 30_000;
/** The same for uploads that continue only after a decision of the user. */
const USER_AGAIN_MS = 10 * 60_000;

/**
 * Returns the late values that still apply: fields that differ and whose current value Mediadesk set. null: none apply. `again`:
 * some apply, but it is not known yet whether the item was created; try later.
 */
function takenBy(upload: Upload, { made, given, named }: LateValues): Taken | 'again' | null {
  const fields = untouched(upload, made, given);
  const isThere = named.collection?.kind === 'id' && named.collection.id === upload.collectionId;
  const collection = isThere ? null : named.collection;
  const publish = isSamePublish(named.publish, upload.publish) ? null : named.publish;
  if (isOver(upload)) return null;
  if (Object.keys(fields).length === 0 && collection === null && publish === null) return null;
  const taken = { upload, fields, made, place: { collection, publish } };
  return isDescribable(upload) || upload.mediaId !== null ? taken : 'again';
}

function isSamePublish(one: PublishChoice | null, other: PublishChoice): boolean {
  return one?.kind === other.kind && (one.kind !== 'at' || other.kind !== 'at' || isSameInstant(one.at, other.at));
}

/**
 * Applies values to uploads whose items are not created yet, and otherwise as one edit of the items of each account. Values that
 * someone changed in the library stay. The collection changes only once the upload is complete; the publication too, unless the
 * item is not created yet. After a crash in between the values are applied again, which changes nothing. Returns after how many
 * milliseconds to apply them again; null: all are applied.
 *
 * Between the read of an upload and `recordMany` there is no await: steps of the upload that are recorded in between would be
 * overwritten with an older row.
 */
export async function applyLate(
  late: readonly LateValues[],
  label: string,
  { journal, clock, logger, describe, uploadOf }: LateTools,
): Promise<number | null> {
  const taken: Taken[] = [];
  let mustWait = false;
  for (const values of late) {
    const upload = uploadOf(values.uploadId);
    const found = upload === null ? null : takenBy(upload, values);
    if (found === 'again') mustWait = true;
    else if (found !== null) taken.push(found);
  }
  const facts = taken.flatMap(({ upload, fields, place }) => {
    if (!isDescribable(upload)) return [];
    const publish = isPassed(place.publish, clock.now()) ? null : place.publish;
    if (publish === null && Object.keys(fields).length === 0) return [];
    const event = { kind: 'described', fields, ...(publish === null ? {} : { publish }) } as const;
    return [{ before: upload, event }];
  });
  if (facts.length > 0) journal.recordMany(facts);
  const items = taken.flatMap(({ upload, fields, made, place }) => {
    const { siteId, mediaId, collectionId } = upload;
    if (mediaId === null) return [];
    const { collection, publish } = upload.state === 'complete' ? place : NO_PLACE;
    const moved = collection === null ? null : { from: collectionId, to: collection };
    const published = publish === null ? null : { from: upload.publish, to: publish };
    const expected = [itemFieldsOf(upload), ...made];
    const fieldsFor = (present: ItemFields) => untouched(present, expected, fields);
    return [{ siteId, mediaId, fieldsFor, collection: moved, publish: published }];
  });
  for (const [siteId, changes] of Map.groupBy(items, (item) => item.siteId)) {
    try {
      await describe(siteId, changes, label);
    } catch (error) {
      logger.warn('watch.late-values', { error: toAppError(error).toData() });
      mustWait = true;
    }
  }
  const open = taken.filter(isOpen);
  if (mustWait || !open.every(needsTheUser)) return AGAIN_MS;
  return open.length > 0 ? USER_AGAIN_MS : null;
}

/** Returns whether the collection or the publication waits until the upload is complete. */
function isOpen({ upload, place }: Taken): boolean {
  return upload.state !== 'complete' && (place.collection !== null || place.publish !== null);
}

function needsTheUser({ upload }: Taken): boolean {
  return upload.state === 'failed' || upload.state === 'paused';
}

/** Returns whether a publish time has passed: with such a time, the upload would publish its item immediately. */
function isPassed(publish: PublishChoice | null, now: number): boolean {
  return publish?.kind === 'at' && !(Date.parse(publish.at) > now);
}

/** Returns the values that a plan gives to an item. */
export function madeBy({ title, tags }: UploadPlan): ItemFields {
  return { ...noItemFields(), title, tags: [...tags] };
}

/** Returns whether an upload has ended without an item that could be described. */
export function isOver({ state }: Upload): boolean {
  return state === 'cancelled' || state === 'skipped';
}

/** Returns the given values that differ from the present ones, for fields that still have a value that Mediadesk set. */
function untouched(
  present: ItemFields,
  made: readonly Partial<ItemFields>[],
  given: Partial<ItemFields>,
): Partial<ItemFields> {
  const isTaken = (field: ItemField) =>
    made.some((each) => isSameField(field, each, present)) && !isSameField(field, given, present);
  return pickFields(given, isTaken);
}
