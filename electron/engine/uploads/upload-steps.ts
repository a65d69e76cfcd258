import type { MediaFile } from '../../../shared/api/files.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, type ErrorCode } from '../../../shared/contract/error-catalog.ts';
import { standaloneFileType } from '../../../shared/model/media-types.ts';
import type { Upload } from '../../../shared/model/upload-machine.ts';
import { isEnded } from '../../../shared/model/upload-states.ts';
import { outcomeOf } from '../api/classify.ts';
import { createFile, deleteFile, getFile, listFiles } from '../api/files.ts';
import type { SiteClient } from '../api/http-client.ts';
import { createMedia, getMedia, listMedia, publishMedia } from '../api/media.ts';
import type { Clock } from '../ports/clock.ts';
import type { Completions } from './completion-step.ts';
import type { Creations } from './creations.ts';
import type { UploadJournal } from './upload-journal.ts';
import type { UploadStore } from './upload-store.ts';

/** What the effects of a step work with. */
export interface StepTools {
  client: SiteClient;
  journal: UploadJournal;
  store: UploadStore;
  clock: Clock;
  signal: AbortSignal;
  creations: Creations;
  completions: Completions;
  /** Whether the last transfer to a media file surely did not go out to its end: there is nothing to notice. */
  wasCutShort(fileId: string): boolean;
}

/** A creation whose reply was lost can take effect for as long as the service may have held on to the request. */
export const CREATE_SETTLES_MS = 60_000;
/** How soon an item is looked for again when another upload of the same title is being created. */
const TWIN_WAIT_MS = 1000;
/** How long a service may take to notice bytes that were delivered. */
export const NOTICE_PATIENCE_MS = 5 * 60_000;
/** How often it is looked whether bytes that can't be taken back have been noticed, or given up. */
const ARRIVAL_LOOK_MS = 60_000;
/** How far the clocks of this computer and of the service may be apart: a wrong date by a day happens. */
const CLOCK_SKEW_MS = 25 * 3_600_000;

/**
 * Makes the media item. Not idempotent: the intent is stored before, and when the outcome is unknown it stays, so that
 * the next step is a look-up and never a blind second creation.
 */
export async function createItem(upload: Upload, tools: StepTools): Promise<void> {
  const { journal, clock, client, signal, creations } = tools;
  journal.record(upload.id, { kind: 'item-intended', at: clock.now() });
  const end = creations.begin(upload);
  try {
    const { id } = await createMedia(
      client,
      {
        title: upload.title,
        collection_id: upload.collectionId,
        ...(upload.tags.length > 0 ? { tags: upload.tags } : {}),
      },
      signal,
    );
    journal.record(upload.id, { kind: 'item-created', mediaId: id });
  } catch (error) {
    if (tookNoEffect(error)) journal.record(upload.id, { kind: 'item-absent' });
    throw error;
  } finally {
    end();
  }
}

/**
 * Finds out whether an item whose creation was begun is there: in the collection, not older than the intent, with
 * exactly this title, without files, and not another row's. Exactly one is adopted; several are a person's business.
 */
export async function lookUpItem(upload: Upload, intendedAt: number, tools: StepTools): Promise<void> {
  const { client, journal, store, clock, signal, creations } = tools;
  const createdAfter = `${new Date(intendedAt - CLOCK_SKEW_MS).toISOString().slice(0, 19)}Z`;
  const query = { collection_id: upload.collectionId, created_after: createdAfter, sort: 'created_on' } as const;
  const candidates: string[] = [];
  for await (const item of listMedia(client, query, signal)) {
    if (item.title !== upload.title || store.ownsMedia(upload.siteId, item.id)) continue;
    // It is looked for only to be removed: then nobody else may have done anything with it.
    if (isEnded(upload.state) && (item.status !== 'draft' || item.description)) continue;
    if (!(await hasFiles(client, item.id, signal))) candidates.push(item.id);
  }
  const [found, another] = candidates;
  if (found !== undefined && another === undefined) {
    // It may have become another row's meanwhile, or be about to.
    if (creations.isTwinRunning(upload) || store.ownsMedia(upload.siteId, found)) throw new NotYet(TWIN_WAIT_MS);
    creations.settled(upload);
    journal.record(upload.id, { kind: 'item-created', mediaId: found });
    return;
  }
  if (another !== undefined) throw appError('upload.may-exist', { details: { mediaIds: candidates } });
  // The wall clock may have been set meanwhile: what counts is how long this process has been waiting.
  const age = creations.missedForMs(upload, clock.monotonic());
  if (age < CREATE_SETTLES_MS) throw new NotYet(CREATE_SETTLES_MS - age);
  creations.settled(upload);
  journal.record(upload.id, { kind: 'item-absent' });
}

/** Nothing failed, but it is too early to know: look again in `inMs`. `reason`: what a person is told meanwhile. */
export class NotYet extends Error {
  readonly inMs: number;
  readonly reason: ErrorCode;
  constructor(inMs: number, reason: ErrorCode = 'upload.looking') {
    super('not yet');
    this.inMs = inMs;
    this.reason = reason;
  }
}

/** Makes the placeholder and learns where the bytes go. */
export async function createPlaceholder(upload: Upload, tools: StepTools): Promise<void> {
  const { client, journal, clock, signal } = tools;
  const mediaId = mediaIdOf(upload);
  journal.record(upload.id, { kind: 'file-intended', at: clock.now() });
  try {
    const type = standaloneFileType(upload.fileName);
    const input = {
      // A name may hold what no library takes, such as a line break; its bytes on the disk stay what they are.
      upload_name: upload.fileName.replace(/\p{Cc}/gu, ' '),
      upload_size: upload.sizeBytes,
      ...(type === undefined ? {} : { upload_type: type }),
    };
    const { id, descriptor } = await createFile(client, mediaId, input, signal);
    journal.record(upload.id, { kind: 'file-created', fileId: id, destination: descriptor, at: clock.now() });
  } catch (error) {
    if (tookNoEffect(error)) journal.record(upload.id, { kind: 'file-dropped' });
    throw await orItemGone(error, upload, tools);
  }
}

/** Placeholders that lost replies left behind are removed where that is allowed; they hold no bytes. */
export async function clearFiles(upload: Upload, tools: StepTools): Promise<void> {
  const { client, journal, signal } = tools;
  const mediaId = mediaIdOf(upload);
  try {
    for await (const file of listFiles(client, mediaId, signal)) {
      if (isLeftover(file)) await deleteIfAllowed(client, mediaId, file.id, signal);
    }
  } catch (error) {
    throw await orItemGone(error, upload, tools);
  }
  journal.record(upload.id, { kind: 'file-dropped' });
}

/** Files without bytes that are any good. */
export function isLeftover(file: MediaFile): boolean {
  return ['uploading', 'aborted', 'error'].includes(file.status) && file.source !== 'encoding';
}

/**
 * What became of a file whose transfer was interrupted. "Unknown" is not "gone": only a clear answer drops it. Where it
 * may not be deleted and the service may still notice its bytes, no second one is made before it is noticed or given up.
 */
export async function checkFile(upload: Upload, tools: StepTools): Promise<void> {
  const { client, journal, clock, signal } = tools;
  const mediaId = mediaIdOf(upload);
  const fileId = fileIdOf(upload);
  const file = await existing(getFile(client, mediaId, fileId, signal));
  if (file !== null && (file.status === 'processing' || file.status === 'complete')) {
    journal.record(upload.id, { kind: 'sent', at: clock.now(), sha256: upload.sha256 });
    journal.record(upload.id, { kind: 'finished', at: clock.now() });
    return;
  }
  const mayArrive = upload.sendStartedAt !== null && !tools.wasCutShort(fileId);
  if (file !== null && !(await isOutOfTheWay(client, mediaId, file, signal)) && mayArrive) {
    throw new NotYet(ARRIVAL_LOOK_MS, 'upload.may-arrive');
  }
  journal.record(upload.id, { kind: 'file-dropped' });
}

/**
 * A destination took all bytes and then refused them: asks the library before that counts. Records the file as sent
 * where the library has it; throws the refusal otherwise.
 */
export async function confirmRefusal(upload: Upload, refusal: AppError, tools: StepTools): Promise<void> {
  const { client, journal, clock, signal } = tools;
  const file = await existing(getFile(client, mediaIdOf(upload), fileIdOf(upload), signal));
  if (file?.status !== 'processing' && file?.status !== 'complete') throw refusal;
  journal.record(upload.id, { kind: 'sent', at: clock.now(), sha256: upload.sha256 });
  journal.record(upload.id, { kind: 'finished', at: clock.now() });
}

/** Removes a file that is no good. Where that is not allowed it stays beside the next one: a person asked for that. */
export async function dropFile(upload: Upload, { client, journal, signal }: StepTools): Promise<void> {
  await deleteIfAllowed(client, mediaIdOf(upload), fileIdOf(upload), signal);
  journal.record(upload.id, { kind: 'file-dropped' });
}

/** How processing goes. Answers false while it is still going on. `known`: the file as the service has just shown it. */
export async function poll(upload: Upload, tools: StepTools, known: MediaFile | null = null): Promise<boolean> {
  const { client, journal, clock, signal } = tools;
  const file = known ?? (await existing(getFile(client, mediaIdOf(upload), fileIdOf(upload), signal)));
  const status = file?.status ?? 'aborted';
  if (status === 'complete') {
    if (file?.size != null && file.size !== upload.sizeBytes) {
      throw appError('upload.size-differs', { details: { sentBytes: upload.sizeBytes, storedBytes: file.size } });
    }
    journal.record(upload.id, { kind: 'completed', at: clock.now() });
    return true;
  }
  if (status === 'error') throw appError('upload.processing-failed', { details: failureOf(upload, file) });
  if (status === 'aborted') {
    journal.record(upload.id, { kind: 'file-dropped' });
    throw appError('upload.destination-lost');
  }
  if (status === 'uploading' && upload.watchedMs > NOTICE_PATIENCE_MS) {
    // The bytes may be noticed yet: a second file is made only when the first can't come to life any more.
    if (file !== null && !(await isOutOfTheWay(client, mediaIdOf(upload), file, signal))) return false;
    journal.record(upload.id, { kind: 'file-dropped' });
    throw appError('upload.not-received', {
      details: { reason: 'the library did not notice the bytes', waitedMs: upload.watchedMs, fileStatus: status },
    });
  }
  return false;
}

/** The API has no word for the reason; which of the derived files failed is all that it tells. */
function failureOf(upload: Upload, file: MediaFile | null): Record<string, unknown> {
  const failed = (file?.encodings ?? []).filter(({ status }) => status !== 'complete');
  const encodings = failed.map(({ encoding_profile, status }) => `${encoding_profile ?? 'encoding'}: ${status}`);
  return { fileId: upload.fileId, ...(encodings.length > 0 ? { errors: encodings } : {}) };
}

/** Publishes or schedules. Both may be repeated: the second time changes nothing. */
export async function publish(upload: Upload, tools: StepTools): Promise<void> {
  const { journal, clock } = tools;
  if (upload.publish.kind !== 'draft') await publishItem(upload, tools);
  journal.record(upload.id, { kind: 'published', at: clock.now() });
}

/**
 * Publishes the item of an upload. A refusal counts only where the library shows the item as something else than what was
 * wanted: some publish by themselves. Throws `api.not-found` where the item is gone, and the refusal otherwise.
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
    if (!(error instanceof AppError) || outcomeOf(error) !== 'refused' || dispositionOf(error.code) !== 'permanent') {
      throw error;
    }
    const { details } = error;
    const item = await existing(getMedia(client, mediaId, signal));
    if (item === null) throw appError('api.not-found', { details: details ?? {}, cause: error });
    if (isAsWanted(item, upload)) return;
    // A lacking permission is told as 404 by some.
    throw isGone(error) ? appError('api.forbidden', { details: details ?? {}, cause: error }) : error;
  }
}

function isAsWanted({ status, publish_on }: MediaItem, { publish: wanted }: Upload): boolean {
  if (wanted.kind !== 'at') return status === 'published';
  return status !== 'draft' && publish_on !== null && Date.parse(publish_on) === Date.parse(wanted.at);
}

/** A failure, or in its place what is behind it: somebody deleted the item, which is noted, and the next try makes another. */
async function orItemGone(error: unknown, upload: Upload, { client, journal, signal }: StepTools): Promise<unknown> {
  if (!isGone(error) || (await itemExists(client, mediaIdOf(upload), signal))) return error;
  journal.record(upload.id, { kind: 'item-gone' });
  return appError('upload.destination-lost', {
    message: 'The media item was deleted in the library.',
    cause: error,
  });
}

async function hasFiles(client: SiteClient, mediaId: string, signal: AbortSignal): Promise<boolean> {
  for await (const _ of listFiles(client, mediaId, signal)) return true;
  return false;
}

async function itemExists(client: SiteClient, mediaId: string, signal: AbortSignal): Promise<boolean> {
  return (await existing(getMedia(client, mediaId, signal))) !== null;
}

/** null for what the service says is not there; every other failure is thrown. */
export async function existing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Deletes a file if that is allowed. Answers whether it can't come to life any more: gone, given up or broken. */
async function isOutOfTheWay(
  client: SiteClient,
  mediaId: string,
  file: MediaFile,
  signal: AbortSignal,
): Promise<boolean> {
  await deleteIfAllowed(client, mediaId, file.id, signal);
  if (isDead(file)) return true;
  const left = await existing(getFile(client, mediaId, file.id, signal));
  return left === null || isDead(left);
}

function isDead({ status }: MediaFile): boolean {
  return status === 'aborted' || status === 'error';
}

export async function deleteIfAllowed(client: SiteClient, mediaId: string, fileId: string, signal: AbortSignal) {
  try {
    await deleteFile(client, mediaId, fileId, signal);
  } catch (error) {
    // Without the permission it stays behind until the service gives up on it by itself.
    if (toAppError(error).code !== 'api.forbidden' && !isGone(error)) throw error;
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'api.not-found';
}

export function isSiteWide(error: AppError): boolean {
  return error.code === 'sign-in.required' || error.code === 'api.read-only';
}

export function tookNoEffect(error: unknown): boolean {
  return error instanceof AppError && (outcomeOf(error) !== 'unknown' || error.code === 'api.read-only');
}

export function mediaIdOf(upload: Upload): string {
  if (upload.mediaId === null) throw appError('internal', { details: { reason: 'upload without a media item' } });
  return upload.mediaId;
}

export function fileIdOf(upload: Upload): string {
  if (upload.fileId === null) throw appError('internal', { details: { reason: 'upload without a media file' } });
  return upload.fileId;
}
