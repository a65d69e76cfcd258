import type { MediaFile } from '../../../../shared/api/files.ts';
import { creationOf, type MediaItem } from '../../../../shared/api/media.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../../shared/contract/errors/error-catalog.ts';
import { itemFieldsOf } from '../../../../shared/item/fields.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { isOfCollection } from '../../../../shared/model/uploads/upload-machine.ts';
import { SLOT_STATES } from '../../../../shared/model/uploads/upload-states.ts';
import { outcomeOf, tookNoEffect } from '../../api/classify.ts';
import { getCollection } from '../../api/collections.ts';
import { wasAnswered } from '../../api/created.ts';
import { existing, isGone } from '../../api/existing.ts';
import { createFile, type FileCreation, getFile } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { countMedia, createMedia, getMedia, publishMedia } from '../../api/media.ts';
import { isStoredAs } from '../../library/items/publish-now.ts';
import { DONE, pollAgain, type StepResult } from '../../scheduler/job-result.ts';
import { additionError, createThumbnail, fileInputOf } from './additions.ts';
import { findItem } from './items/item-lookup.ts';
import { deleteIfAllowed, isOutOfTheWay, removeEmptyItem, removeLeftovers } from './leftover-files.ts';
import { isNew, NEW_AGAIN_MS } from './new-in-library.ts';
import type { StepTools } from './step-tools.ts';

/** The maximum number of consecutive items and placeholders without a destination. Further attempts would not help. */
export const MOST_FRUITLESS = 3;
/** How long a service may take to detect delivered bytes. */
export const NOTICE_TIMEOUT_MS = 5 * 60_000;
/** The interval of polls for a file that may not be deleted, until the library detects its bytes or abandons it. */
const ARRIVAL_LOOK_MS = 60_000;
/**
 * How long a file may stay `uploading` after its bytes were sent. By the API the library abandons such a file after
 * half an hour; one that is not abandoned by then never will be, and the user has to delete it.
 */
const UNNOTICED_LIMIT_MS = 2 * 3_600_000;

/**
 * Creates the media item. Not idempotent: the intent is stored before, and stays when the outcome is unknown, so that
 * the next step is a search and never a second creation.
 */
export async function createItem(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { journal, clock, client, signal, unanswered, store } = tools;
  if (client.serverClock.isStale) {
    await measureClock(upload, tools);
    signal.throwIfAborted();
    // The user may have paused or ended it in the meantime.
    if (!(SLOT_STATES as readonly string[]).includes(store.get(upload.id)?.state ?? '')) return DONE;
  }
  const intent = { kind: 'item-intended', at: clock.now(), serverAt: client.serverClock.now() } as const;
  // The user may have changed the values of the item in the meantime; from now on they can't change.
  const fields = itemFieldsOf(journal.record(upload.id, intent));
  const end = unanswered.begin(upload);
  try {
    const { id } = await createMedia(client, creationOf(fields, upload.collectionId), signal);
    // An id that belongs to another upload can't be that of the new item, so the next step searches for the new item.
    if (store.ownsMedia(upload.siteId, id)) journal.record(upload.id, { ...intent, answeredAt: clock.now() });
    else journal.record(upload.id, { kind: 'item-created', mediaId: id });
  } catch (error) {
    if (wasAnswered(error)) {
      journal.record(upload.id, { ...intent, answeredAt: clock.now() });
      return DONE;
    }
    if (tookNoEffect(error)) journal.record(upload.id, { kind: 'item-absent' });
    if (await isForMissingCollection(error, upload, tools)) {
      const message = 'The collection of these uploads no longer exists.';
      throw appError('collection.unknown', { message, details: { collectionId: upload.collectionId }, cause: error });
    }
    throw error;
  } finally {
    end();
  }
  return DONE;
}

/** Returns whether the service refused the values of an item because its collection was deleted. */
async function isForMissingCollection(error: unknown, upload: Upload, { client, signal }: StepTools): Promise<boolean> {
  if (!(error instanceof AppError) || (error.code !== 'api.invalid' && error.code !== 'api.not-found')) return false;
  try {
    return (await existing(getCollection(client, upload.collectionId, signal))) === null;
  } catch {
    // It is unknown whether the collection exists: the caller reports the refusal itself.
    return false;
  }
}

/** Measures the service's time with a request: without it, older items could be taken for the one that is created now. */
async function measureClock({ collectionId }: Upload, { client, signal }: StepTools): Promise<void> {
  try {
    await countMedia(client, { collection_id: collectionId }, signal);
  } catch (error) {
    // A refusal contains the time, too.
    if (!(error instanceof AppError) || outcomeOf(error) !== 'refused' || stopsChanges(error)) throw error;
  }
}

/** Creates the placeholder and gets its destination. */
export async function createPlaceholder(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { client, journal, clock, signal } = tools;
  if (upload.addition?.kind === 'thumbnail') {
    return createThumbnail(upload, isOfCollection(upload) ? null : mediaIdOf(upload), tools);
  }
  const mediaId = mediaIdOf(upload);
  journal.record(upload.id, { kind: 'file-intended', at: clock.now() });
  let created: FileCreation;
  try {
    created = await createFile(client, mediaId, fileInputOf(upload), signal);
  } catch (error) {
    if (wasAnswered(error)) throw await noDestination(upload, true, tools);
    if (tookNoEffect(error)) journal.record(upload.id, { kind: 'file-dropped' });
    if (isOverQuota(error)) await removeEmptyItem(upload, mediaId, tools);
    return afterItemError(error, upload, tools);
  }
  const { id, descriptor, isComplete } = created;
  if (descriptor === null) throw await noDestination(upload, isComplete, tools);
  journal.record(upload.id, { kind: 'file-created', fileId: id, destination: descriptor, at: clock.now() });
  return DONE;
}

const isOverQuota = (error: unknown) => error instanceof AppError && error.code === 'api.quota-exceeded';

/**
 * Handles a placeholder whose answer does not contain a destination. The API returns the destination only once, so the
 * placeholder is removed if that is allowed. A truncated answer (`isComplete` false) is a fault of the connection and does not
 * count towards `MOST_FRUITLESS`.
 */
async function noDestination(upload: Upload, isComplete: boolean, tools: StepTools): Promise<AppError> {
  const { journal } = tools;
  await removeLeftovers(upload, mediaIdOf(upload), tools);
  const { fruitless } = journal.record(upload.id, { kind: 'file-dropped', isFruitless: isComplete });
  if (fruitless >= MOST_FRUITLESS) return appError('upload.no-destination');
  return appError('api.malformed', { details: { reason: 'no upload destination in the answer', outcome: 'refused' } });
}

/** Removes placeholders whose creation was not answered, if that is allowed. They have no bytes. */
export async function clearFiles(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { journal } = tools;
  try {
    await removeLeftovers(upload, mediaIdOf(upload), tools);
  } catch (error) {
    return afterItemError(error, upload, tools);
  }
  journal.record(upload.id, { kind: 'file-dropped' });
  return DONE;
}

/**
 * Finds out the state of a file whose transfer was interrupted. Only an answer that shows its state drops the file, not
 * an error of the request. If it may not be deleted and the service may still detect its bytes, no second file is created before
 * it is detected or abandoned. Throws `upload.not-noticed` when neither happens for hours.
 */
export async function checkFile(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { client, journal, clock, signal } = tools;
  if (upload.addition?.kind === 'thumbnail') {
    // No request shows whether the picture arrived, and sending it again results in the same thumbnail.
    journal.record(upload.id, { kind: 'file-dropped' });
    return DONE;
  }
  const mediaId = mediaIdOf(upload);
  const fileId = fileIdOf(upload);
  const file = await existing(getFile(client, mediaId, fileId, signal));
  if (file !== null && (file.status === 'processing' || file.status === 'complete')) {
    journal.record(upload.id, { kind: 'sent', at: clock.now(), sha256: hashSentOf(upload, tools) });
    journal.record(upload.id, { kind: 'finished', at: clock.now() });
    return DONE;
  }
  const mayArrive = upload.sendStartedAt !== null && !tools.wasCutShort(fileId);
  if (file === null && mayArrive && isNew(upload.destinationAt, clock.now())) return pollAgain(NEW_AGAIN_MS);
  if (file !== null && !(await isOutOfTheWay(client, mediaId, file, signal)) && mayArrive) {
    assertNoticeable(upload);
    // The wait is counted by polls, not by the computer's clock: it may be set, and the program may have been closed in between.
    journal.record(upload.id, { kind: 'watched', ms: upload.watchedMs + ARRIVAL_LOOK_MS });
    return pollAgain(ARRIVAL_LOOK_MS, 'upload.may-arrive');
  }
  journal.record(upload.id, { kind: 'file-dropped' });
  return DONE;
}

/**
 * Handles a destination that accepted all bytes and then refused them: checks the library first. Records the file as
 * sent when the library has it; throws the refusal otherwise.
 */
export async function confirmRefusal(upload: Upload, refusal: AppError, tools: StepTools): Promise<void> {
  const { client, journal, clock, signal } = tools;
  if (upload.addition?.kind === 'thumbnail') throw refusal;
  const file = await existing(getFile(client, mediaIdOf(upload), fileIdOf(upload), signal));
  if (file?.status !== 'processing' && file?.status !== 'complete') throw refusal;
  journal.record(upload.id, { kind: 'sent', at: clock.now(), sha256: hashSentOf(upload, tools) });
  journal.record(upload.id, { kind: 'finished', at: clock.now() });
}

/** Returns the SHA-256 of bytes that arrived although their answer was lost; null when a power cut lost the hash as well. */
function hashSentOf(upload: Upload, { hashes }: StepTools): string | null {
  return upload.sha256 ?? hashes.get(upload);
}

/**
 * Removes a file with invalid bytes. If that is not allowed, it stays beside the next one, which the user requested. Its id stays
 * in the row, because some libraries answer a missing permission with 404, as for a missing file.
 */
export async function dropFile(upload: Upload, { client, journal, signal }: StepTools): Promise<StepResult> {
  await deleteIfAllowed(client, mediaIdOf(upload), fileIdOf(upload), signal);
  journal.record(upload.id, { kind: 'file-dropped', mayStay: true });
  return DONE;
}

/** Throws `upload.not-noticed` when the library had enough time to detect the bytes of a file, or to abandon it. */
function assertNoticeable({ fileId, watchedMs }: Upload): void {
  if (watchedMs < UNNOTICED_LIMIT_MS) return;
  throw appError('upload.not-noticed', { details: { fileId, waitedMs: watchedMs } });
}

/**
 * Polls processing; waits while it is in progress. `known`: the file as the service has just returned it.
 *
 * A file that stays `processing` is polled without a limit: a library may need a day for a long recording, or for a
 * queue of other files, and a second copy would only extend that. The screen reports it after half an hour, and the
 * polls become rare. A file that stays `uploading` and may not be deleted ends with `upload.not-noticed`.
 */
export async function poll(upload: Upload, tools: StepTools, known: MediaFile | null = null): Promise<StepResult> {
  const { client, journal, clock, signal } = tools;
  const file = known ?? (await existing(getFile(client, mediaIdOf(upload), fileIdOf(upload), signal)));
  if (file === null && isNew(upload.destinationAt, clock.now())) return pollAgain(0);
  const status = file?.status ?? 'aborted';
  if (status === 'complete') {
    if (file?.size != null && file.size !== upload.sizeBytes) {
      throw appError('upload.size-differs', { details: { sentBytes: upload.sizeBytes, storedBytes: file.size } });
    }
    journal.record(upload.id, { kind: 'completed', at: clock.now() });
    return DONE;
  }
  if (status === 'error') throw appError('upload.processing-failed', { details: failedEncodings(upload, file) });
  if (status === 'aborted') {
    journal.record(upload.id, { kind: 'file-dropped' });
    throw appError('upload.destination-lost');
  }
  if (status === 'uploading' && upload.watchedMs > NOTICE_TIMEOUT_MS) {
    // The bytes may still be detected: a second file is created only when the first can't complete any more.
    if (file !== null && !(await isOutOfTheWay(client, mediaIdOf(upload), file, signal))) {
      assertNoticeable(upload);
      return pollAgain(0);
    }
    journal.record(upload.id, { kind: 'file-dropped' });
    throw appError('upload.not-received', {
      details: { reason: 'the library did not notice the bytes', waitedMs: upload.watchedMs, fileStatus: status },
    });
  }
  return pollAgain(0);
}

/** Returns the details of a processing error: the API reports no reason, only which of the derived files failed. */
function failedEncodings(upload: Upload, file: MediaFile | null): Record<string, unknown> {
  const failed = (file?.encodings ?? []).filter(({ status }) => status !== 'complete');
  const encodings = failed.map(({ encoding_profile, status }) => `${encoding_profile ?? 'encoding'}: ${status}`);
  return { fileId: upload.fileId, ...(encodings.length > 0 ? { errors: encodings } : {}) };
}

/** Publishes or schedules. Both are idempotent. */
export async function publish(upload: Upload, tools: StepTools): Promise<StepResult> {
  const { journal, clock } = tools;
  if (upload.publish.kind !== 'draft') await publishItem(upload, tools);
  journal.record(upload.id, { kind: 'published', at: clock.now() });
  return DONE;
}

/**
 * Publishes the item of an upload. A refusal counts only if the item is not in the requested state: some libraries
 * publish automatically. Throws `api.not-found` when the item is gone, and the refusal otherwise.
 */
export async function publishItem(
  upload: Upload,
  { client, signal }: Pick<StepTools, 'client' | 'signal'>,
): Promise<void> {
  const mediaId = mediaIdOf(upload);
  try {
    const at = upload.publish.kind === 'at' ? { publish_on: upload.publish.at } : {};
    await publishMedia(client, mediaId, at, signal);
  } catch (error) {
    if (!(error instanceof AppError) || outcomeOf(error) !== 'refused' || !endsRetries(error.code)) {
      throw error;
    }
    const { details } = error;
    const item = await existing(getMedia(client, mediaId, signal));
    if (item === null) throw appError('api.not-found', { details: details ?? {}, cause: error });
    if (isAsWanted(item, upload)) return;
    // Some libraries answer a missing permission with 404.
    throw isGone(error) ? appError('api.forbidden', { details: details ?? {}, cause: error }) : error;
  }
}

/**
 * Returns whether an item is published, or scheduled, as its upload requests. The library replaces an instant that has passed
 * by its current time.
 */
export function isAsWanted(
  { status, publish_on }: Pick<MediaItem, 'status' | 'publish_on'>,
  { publish: wanted }: Pick<Upload, 'publish'>,
): boolean {
  if (wanted.kind !== 'at') return status === 'published';
  if (status === 'draft' || publish_on === null) return false;
  const wantedMs = Date.parse(wanted.at);
  const shownMs = Date.parse(publish_on);
  return isStoredAs(wantedMs, shownMs) || (status === 'published' && shownMs > wantedMs);
}

/**
 * Handles a failed request about the item of an upload. Throws the failure if the item exists. Waits if the item is so new that
 * not every server of the library may know it. Otherwise it was deleted, and the next attempt creates another; or the library
 * returned a wrong id at its creation, and the right item is searched for and used. Both throw `upload.destination-lost`, or
 * `upload.item-vanishes` when this has happened too often.
 */
async function afterItemError(error: unknown, upload: Upload, tools: StepTools): Promise<StepResult> {
  const { client, journal, signal } = tools;
  if (upload.addition !== null) throw await additionError(error, mediaIdOf(upload), tools);
  if (isGone(error) && isNew(upload.itemIntentAt, tools.clock.now())) return pollAgain(NEW_AGAIN_MS);
  if (!isGone(error) || (await itemExists(client, mediaIdOf(upload), signal))) throw error;
  const found = upload.itemIntentAt === null ? null : await findItem(upload, upload.itemIntentAt, tools);
  const { fruitless } = journal.record(upload.id, { kind: 'item-gone' });
  if (fruitless >= MOST_FRUITLESS) throw appError('upload.item-vanishes');
  if (found?.kind === 'adopt') journal.record(upload.id, { kind: 'item-created', mediaId: found.mediaId });
  throw appError('upload.destination-lost', {
    message: 'The item was deleted in the library.',
    cause: error,
  });
}

async function itemExists(client: SiteClient, mediaId: string, signal: AbortSignal): Promise<boolean> {
  return (await existing(getMedia(client, mediaId, signal))) !== null;
}

/** Returns whether an error is a missing sign-in or a maintenance; false for a 429 and a lost network. */
export function stopsChanges(error: AppError): boolean {
  return error.code === 'sign-in.required' || error.code === 'api.read-only';
}

export function mediaIdOf(upload: Upload): string {
  if (upload.mediaId === null) throw appError('internal', { details: { reason: 'upload without a media item' } });
  return upload.mediaId;
}

export function fileIdOf(upload: Upload): string {
  if (upload.fileId === null) throw appError('internal', { details: { reason: 'upload without a media file' } });
  return upload.fileId;
}
