import { type AppError, toAppError } from '../../../shared/contract/app-error.ts';
import type { PublishChoice } from '../../../shared/contract/upload-choices.ts';
import type { CollectionTarget } from '../../../shared/contract/watch-rules.ts';
import { ITEM_FIELDS, type ItemField, type ItemFields, itemFieldsOf } from '../../../shared/item/fields.ts';
import { isSameInstant } from '../../../shared/model/edits/canonical.ts';
import { isSameField, type KnownFields } from '../../../shared/model/edits/same-field.ts';
import type { DescribeItems, ItemDescription } from '../../../shared/model/item-description.ts';
import { pickFields } from '../../../shared/model/item-fields.ts';
import type { Upload, UploadEvent } from '../../../shared/model/uploads/upload.ts';
import { isDescribable } from '../../../shared/model/uploads/upload-machine.ts';
import type { Clock } from '../ports/clock.ts';
import type { UploadJournal } from '../uploads/journal/upload-journal.ts';

export interface LateTools {
  journal: Pick<UploadJournal, 'recordMany'>;
  clock: Clock;
  describe: DescribeItems;
  /** Returns the present upload; null: it does not exist, or accepts no values any more. */
  uploadOf(id: string): Upload | null;
}

/** The collection of an item, and when it is published; null: no change. */
export interface LatePlace {
  collection: CollectionTarget | null;
  publish: PublishChoice | null;
}

export const NO_PLACE: LatePlace = { collection: null, publish: null };

/** Values that arrived after their upload was queued. */
export interface LateValues {
  uploadId: string;
  given: Partial<ItemFields>;
  /** All values that Mediadesk itself gave to the fields before. All others were entered by someone. */
  made: readonly KnownFields[];
  /**
   * Which present values are replaced: `made`: each that Mediadesk gave. `all-made`: all, if Mediadesk gave all of them. `any`: all,
   * as the user decided.
   */
  replaces: 'made' | 'all-made' | 'any';
  named: LatePlace;
}

/**
 * What became of late values. `applied`: also if nothing had to change; `isOpen`: the collection or the publication waits until the
 * upload is complete. `kept`: someone entered a present value. `gone`: the library has no such item. `over`: there is no upload that
 * accepts values. `unconfirmed`: it is not known yet whether the item was created.
 */
export type LateOutcome =
  | { kind: 'applied'; isOpen: boolean }
  | { kind: 'kept' | 'gone' | 'over' | 'unconfirmed' }
  | { kind: 'failed'; error: AppError };

/**
 * Applies values to uploads whose items are not created yet, and otherwise as one edit of the items of each account. The collection
 * changes only once the upload is complete; the publication too, unless the item is not created yet. After a crash in between the
 * values are applied again, which changes nothing. Returns the outcomes in the order of `late`, and the ids of the edits.
 *
 * Between the read of an upload and `recordMany` there is no await: steps of the upload that are recorded in between would be
 * overwritten with an older row.
 */
export async function applyLate(
  late: readonly LateValues[],
  label: string,
  { journal, clock, describe, uploadOf }: LateTools,
): Promise<{ outcomes: LateOutcome[]; groupIds: string[] }> {
  const steps = late.map((values) => stepFor(uploadOf(values.uploadId), values, clock.now()));
  const facts = steps.flatMap(({ fact }) => fact ?? []);
  if (facts.length > 0) journal.recordMany(facts);
  const groupIds: string[] = [];
  const items = steps.filter((step) => step.item !== undefined);
  for (const [siteId, some] of Map.groupBy(items, ({ item }) => item?.siteId ?? '')) {
    try {
      const { results, groupId } = await describe(
        siteId,
        some.flatMap(({ item }) => item ?? []),
        label,
      );
      if (groupId !== null) groupIds.push(groupId);
      for (const step of some) {
        const result = results.get(step.item?.mediaId ?? '') ?? 'gone';
        if (result !== 'described') step.outcome = { kind: result };
      }
    } catch (error) {
      // Nothing was changed.
      for (const step of some) step.outcome = { kind: 'failed', error: toAppError(error) };
    }
  }
  return { outcomes: steps.map(({ outcome }) => outcome), groupIds };
}

/** What is done with late values: a fact is recorded, or an item is described. `outcome`: if that succeeds. */
interface Step {
  outcome: LateOutcome;
  fact?: { before: Upload; event: UploadEvent };
  item?: ItemDescription & { siteId: string };
}

function stepFor(upload: Upload | null, values: LateValues, now: number): Step {
  if (upload === null) return { outcome: { kind: 'over' } };
  const { siteId, mediaId } = upload;
  // Whether all values of an item may be replaced is decided when the item is read.
  const isDecided = isDescribable(upload) || values.replaces === 'made';
  const fields = isDecided ? replacing(itemFieldsOf(upload), values) : values.given;
  if (fields === null) return { outcome: { kind: 'kept' } };
  const { collection, publish } = newPlace(upload, values.named);
  const isMoved = collection !== null || publish !== null;
  const hasFields = Object.keys(fields).length > 0;
  const outcome: LateOutcome = { kind: 'applied', isOpen: isMoved && upload.state !== 'complete' };
  if (!hasFields && !isMoved) return { outcome };
  if (isDescribable(upload)) {
    const given = publish === null || isPassed(publish, now) ? {} : { publish };
    if (!hasFields && given.publish === undefined) return { outcome };
    return { outcome, fact: { before: upload, event: { kind: 'described', fields, ...given } } };
  }
  if (mediaId === null) return { outcome: { kind: 'unconfirmed' } };
  const isComplete = upload.state === 'complete';
  const item = {
    siteId,
    mediaId,
    fieldsFor: (present: ItemFields) => replacing(present, { ...values, given: fields }),
    collection: isComplete && collection !== null ? { from: upload.collectionId, to: collection } : null,
    publish: isComplete && publish !== null ? { from: upload.publish, to: publish } : null,
  };
  return { outcome, item };
}

/** Returns the collection and publication that differ from those of the upload. */
function newPlace(upload: Upload, { collection, publish }: LatePlace): LatePlace {
  const isThere = collection?.kind === 'id' && collection.id === upload.collectionId;
  return {
    collection: isThere ? null : collection,
    publish: isSamePublish(publish, upload.publish) ? null : publish,
  };
}

/** Returns the given values that may replace the present ones; null: none may. */
function replacing(
  present: ItemFields,
  { given, made, replaces }: Pick<LateValues, 'given' | 'made' | 'replaces'>,
): Partial<ItemFields> | null {
  if (replaces === 'any') return given;
  const entered = enteredFields(given, present, made);
  if (replaces === 'all-made') return entered.length > 0 ? null : given;
  return pickFields(given, (field) => !entered.includes(field) && !isSameField(field, given, present));
}

/**
 * Returns the fields whose values someone entered, and that `given` would replace: their present value is neither the given value
 * nor one that Mediadesk set by itself.
 */
export function enteredFields(
  given: Partial<ItemFields>,
  present: KnownFields,
  made: readonly KnownFields[],
): ItemField[] {
  return ITEM_FIELDS.filter(
    (field) => given[field] !== undefined && ![given, ...made].some((each) => isSameField(field, each, present)),
  );
}

function isSamePublish(one: PublishChoice | null, other: PublishChoice): boolean {
  return one?.kind === other.kind && (one.kind !== 'at' || other.kind !== 'at' || isSameInstant(one.at, other.at));
}

/** Returns whether a publish time has passed: with such a time, the upload would publish its item immediately. */
function isPassed(publish: PublishChoice, now: number): boolean {
  return publish.kind === 'at' && !(Date.parse(publish.at) > now);
}
