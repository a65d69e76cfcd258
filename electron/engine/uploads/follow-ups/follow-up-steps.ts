import type { MediaFile } from '../../../../shared/api/files.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../../shared/contract/errors/error-catalog.ts';
import { mimeTypeOf } from '../../../../shared/model/media-types.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../../shared/model/title-match.ts';
import { type FollowUp, type FollowUpFacts, fileFingerprintOf } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { outcomeOf, tookNoEffect } from '../../api/classify.ts';
import { finishUpload } from '../../api/completion.ts';
import { wasAnswered } from '../../api/created.ts';
import type { FormDataDescriptor } from '../../api/descriptor.ts';
import { existing } from '../../api/existing.ts';
import { createFile, getFile, listFiles } from '../../api/files.ts';
import { addTags, getMedia } from '../../api/media.ts';
import { createThumb } from '../../api/thumbs.ts';
import { DONE, pollAgain, RELEASE, type StepResult, waitFor } from '../../scheduler/job-result.ts';
import { deleteIfAllowed, isOutOfTheWay } from '../delivery/leftover-files.ts';
import { isNew, NEW_AGAIN_MS } from '../delivery/new-in-library.ts';
import { notPublished } from '../delivery/planner.ts';
import { bytesAsFile } from '../delivery/prepare-captions.ts';
import { fileIdOf, MOST_FRUITLESS, mediaIdOf, publishItem } from '../delivery/upload-steps.ts';
import { deleteOldFile } from './delete-old-file.ts';
import { disposeOfSource } from './dispose-of-source.ts';
import type { FollowUpTools } from './follow-up-tools.ts';
import { closeSoon, type OpenSidecar, openSidecar } from './open-sidecar.ts';

/** The interval of checks while sending is not allowed. */
const CHECK_PACE_EVERY_MS = 60_000;

/**
 * Returns a wait while sending is not allowed. Called before a placeholder is created, because the library aborts placeholders
 * that wait for long.
 */
function pausedByPace({ pacing }: FollowUpTools): StepResult | null {
  const reason = pacing.notice();
  return reason === null ? null : waitFor(CHECK_PACE_EVERY_MS, reason);
}

/** The number of polls of undetected captions (about five minutes) after which they are sent again. */
const LOOKS_UNTIL_LOST = 16;
/** After this many polls (about half an hour), Mediadesk no longer waits for the library to process the captions. */
const LOOKS_UNTIL_SLOW = 45;
const LONGEST_LOOK_WAIT_MS = 60_000;

/**
 * Completes one follow-up. It can be repeated after an unknown outcome, because files that may have been created are searched for
 * first. Returns a wait while the library is processing and while sending is not allowed. Throws `AppError`.
 */
export async function doFollowUp(upload: Upload, index: number, tools: FollowUpTools): Promise<StepResult> {
  const followUp = upload.followUps[index];
  switch (followUp?.kind) {
    case 'captions':
      return sendCaptions(upload, index, followUp, tools);
    case 'thumbnail':
      return sendThumbnail(upload, index, followUp, tools);
    case 'tags':
      return checkTags(upload, tools);
    case 'details':
      // The item was created with these values. This follow-up only names the local file, which is moved with the recording.
      return DONE;
    case 'publish':
      return publishAgain(upload, tools);
    case 'old-file':
      await deleteOldFile(upload, followUp, tools);
      return DONE;
    case 'source':
      await disposeOfSource(upload, index, followUp, tools);
      return DONE;
    case undefined:
      throw appError('internal', { details: { reason: 'there is no such follow-up' } });
  }
}

async function sendCaptions(
  upload: Upload,
  index: number,
  followUp: FollowUp,
  tools: FollowUpTools,
): Promise<StepResult> {
  const { client, clock, signal } = tools;
  const mediaId = mediaIdOf(upload);
  const note = (facts: FollowUpFacts) => noteFollowUp(upload, index, facts, tools);
  const before = await checkEarlier(upload, index, followUp, tools);
  const paused = before ?? pausedByPace(tools);
  if (paused !== null) return paused;
  const sidecar = await openSidecar(followUp, tools);
  const { file } = sidecar;
  try {
    const { guessed, sent } = await readyCaptions(sidecar, tools);
    note({ intentAt: clock.now(), fileId: null, sentAt: null, looks: 0, ...(guessed === null ? {} : { guessed }) });
    const destination = await createCaptions(upload, index, { ...followUp, sizeBytes: sent.sizeBytes }, tools);
    const key = keyOf(upload, index);
    const sending = await sendSidecar(key, destination, followUp.fileName, sent, tools);
    if (sending.kind !== 'done') return sending;
    note({ sentAt: clock.now(), fingerprint: fileFingerprintOf(sidecar), known: sidecar.known });
    await tellDelivered(key, destination.postprocess_url, tools);
  } finally {
    closeSoon(file);
  }
  // The library often processes small files immediately.
  const sent = await existing(
    getFile(client, mediaId, tools.store.get(upload.id)?.followUps[index]?.fileId ?? '', signal),
  );
  return sent?.status === 'complete' ? DONE : pollAgain(captionsLookWaitMs(0));
}

/** Returns what is sent of opened captions. Throws `captions.…`: then the library gets no request. */
async function readyCaptions(
  sidecar: OpenSidecar,
  { prepareCaptions }: FollowUpTools,
): Promise<{ guessed: string | null; sent: OpenSidecar }> {
  const { bytes, guessed } = await prepareCaptions(sidecar.file, sidecar.sizeBytes);
  if (bytes === null) return { guessed, sent: sidecar };
  const file = bytesAsFile(bytes, await sidecar.file.facts());
  return { guessed, sent: { file, sizeBytes: bytes.length, mtimeMs: sidecar.mtimeMs } };
}

/** Creates the placeholder of captions. If the creation gets no reply, the next attempt searches for it (`findCaptions`). */
async function createCaptions(
  upload: Upload,
  index: number,
  { fileName, sizeBytes }: FollowUp & { sizeBytes: number },
  tools: FollowUpTools,
): Promise<FormDataDescriptor> {
  const input = {
    upload_name: fileName,
    upload_size: sizeBytes,
    upload_type: 'captions',
    encoded_from_id: fileIdOf(upload),
  };
  try {
    const { id, descriptor } = await createFile(tools.client, mediaIdOf(upload), input, tools.signal);
    noteFollowUp(upload, index, { fileId: id }, tools);
    if (descriptor === null) throw withoutDestination(upload, index, appError('upload.destination-lost'));
    return descriptor;
  } catch (error) {
    if (tookNoEffect(error)) noteFollowUp(upload, index, { intentAt: null }, tools);
    throw wasAnswered(error) ? withoutDestination(upload, index, error) : error;
  }
}

/**
 * Returns the id of captions that an earlier attempt created; null: there are none. They are found by their name, as the library
 * may have changed it: files with contents are used, empty files are removed. Other captions of the upload are not changed.
 */
async function findCaptions(upload: Upload, followUp: FollowUp, tools: FollowUpTools): Promise<string | null> {
  const { client, signal } = tools;
  const mediaId = mediaIdOf(upload);
  const others = upload.followUps.filter(({ kind, fileName }) => kind === 'captions' && fileName !== followUp.fileName);
  const owned = new Set([upload.fileId, ...others.map(({ fileId }) => fileId)]);
  const files: MediaFile[] = [];
  for await (const file of listFiles(client, mediaId, signal)) files.push(file);
  const longest = longestOf(files.map((file) => file.display_name));
  let found: string | null = null;
  for (const file of files) {
    if (owned.has(file.id) || (file.type !== null && file.type !== 'captions')) continue;
    const agreement = titleAgreement(followUp.fileName, file.display_name, longest);
    const isOthers = others.some((other) => titleAgreement(other.fileName, file.display_name, longest) >= agreement);
    if (agreement === AGREEMENT.none || isOthers) continue;
    if (isDelivered(file)) found ??= file.id;
    else await deleteIfAllowed(client, mediaId, file.id, signal);
  }
  return found;
}

/**
 * Returns the progress of captions that an earlier attempt may have created; null when they must be created. They are searched
 * by name only if their id is unknown or no longer exists.
 */
async function checkEarlier(
  upload: Upload,
  index: number,
  followUp: FollowUp,
  tools: FollowUpTools,
): Promise<StepResult | null> {
  const { fileId, intentAt, sentAt } = followUp;
  const known = fileId === null ? null : await fileOf(upload, fileId, tools);
  if (known !== null || (fileId !== null && sentAt !== null))
    return checkCaptions(upload, index, followUp, known, tools);
  const found = intentAt === null ? null : await findCaptions(upload, followUp, tools);
  if (found === null) return null;
  return checkCaptions(upload, index, { ...followUp, fileId: found }, await fileOf(upload, found, tools), tools);
}

function fileOf(upload: Upload, fileId: string, { client, signal }: FollowUpTools): Promise<MediaFile | null> {
  return existing(getFile(client, mediaIdOf(upload), fileId, signal));
}

/** Returns the progress of captions whose file is `file`, null: gone. Returns null when they must be created again. */
async function checkCaptions(
  upload: Upload,
  index: number,
  { fileId, intentAt, sentAt, looks }: FollowUp,
  file: MediaFile | null,
  tools: FollowUpTools,
): Promise<StepResult | null> {
  const { client, clock, signal } = tools;
  const mediaId = mediaIdOf(upload);
  const isLost = sentAt !== null && (file === null || file.status === 'aborted');
  if (isLost && file === null && isNew(intentAt, clock.now())) return pollAgain(NEW_AGAIN_MS);
  if (isLost) {
    if (file !== null) await deleteIfAllowed(client, mediaId, file.id, signal);
    throw lost(upload, index, fileId, tools);
  }
  if (file !== null && isDelivered(file)) {
    const fingerprint = await fingerprintOfSidecar(upload.followUps[index], tools);
    noteFollowUp(upload, index, { fileId, fingerprint, sentAt: sentAt ?? clock.now(), looks: looks + 1 }, tools);
    return afterPoll(file, looks);
  }
  // After a retry, `sentAt` is null: broken captions are removed and sent again.
  if (file?.status === 'error' && sentAt !== null) throw appError('upload.processing-failed', { details: { fileId } });
  if (file?.status === 'uploading' && sentAt !== null) {
    await tellDelivered(keyOf(upload, index), null, tools);
    noteFollowUp(upload, index, { looks: looks + 1 }, tools);
    if (looks < LOOKS_UNTIL_LOST) return pollAgain(captionsLookWaitMs(looks));
    // Both errors use a retry, so that the attempts end. If the file can't be removed, it may still be detected: a second file is
    // created only when the first can't complete any more.
    if (await isOutOfTheWay(client, mediaId, file, signal)) throw lost(upload, index, fileId, tools);
    throw appError('upload.not-received', { details: { fileId } });
  }
  if (file !== null) await deleteIfAllowed(client, mediaId, file.id, signal);
  return null;
}

/** Returns the result for captions that the library has. Throws `upload.processing-slow` after about half an hour of polls. */
function afterPoll({ id, status }: MediaFile, looks: number): StepResult {
  if (status === 'complete') return DONE;
  if (looks >= LOOKS_UNTIL_SLOW) throw appError('upload.processing-slow', { details: { fileId: id } });
  return pollAgain(captionsLookWaitMs(looks));
}

/** Returns the fingerprint of the sent file; if an earlier process sent it, that of the local file now. null: unknown. */
async function fingerprintOfSidecar(followUp: FollowUp | undefined, { files }: FollowUpTools): Promise<string | null> {
  if (followUp === undefined || followUp.fingerprint !== null) return followUp?.fingerprint ?? null;
  const facts = await files.facts(followUp.path).catch(() => null);
  return facts === null ? null : fileFingerprintOf(facts);
}

/**
 * Handles sent captions that the library has lost: the next attempt sends them again. Returns an error that counts this, so that
 * captions are not sent forever to a library that always loses them.
 */
function lost(upload: Upload, index: number, fileId: string | null, tools: FollowUpTools): AppError {
  noteFollowUp(upload, index, { fileId: null, sentAt: null }, tools);
  return appError('upload.not-received', { details: { fileId } });
}

/** Returns the error of an answer without a destination: `error`, or, when this has happened too often, one without a retry. */
function withoutDestination(upload: Upload, index: number, error: unknown): unknown {
  return (upload.followUps[index]?.retries ?? 0) < MOST_FRUITLESS - 1 ? error : appError('upload.no-destination');
}

function keyOf({ id }: Upload, index: number): string {
  return `${id} ${index}`;
}

/**
 * Notifies the library of the bytes that were sent for the follow-up `key`, or repeats a failed notification. Repeating is
 * harmless; the file's status shows whether a refusal matters.
 */
async function tellDelivered(
  key: string,
  postprocessUrl: string | null,
  { client, signal, completions }: FollowUpTools,
): Promise<void> {
  const url = postprocessUrl ?? completions.sidecars.get(key);
  if (!url) return;
  // The address stays stored when the notification fails: then only the notification is repeated.
  completions.sidecars.set(key, url);
  try {
    await finishUpload(client, url, { signal, ways: completions.ways });
  } catch (error) {
    if (!(error instanceof AppError) || outcomeOf(error) !== 'refused' || error.code === 'api.read-only') throw error;
    if (error.code === 'sign-in.required') throw error;
  }
  completions.sidecars.delete(key);
}

/** Sends a thumbnail. After a lost answer it is sent again, which results in the same thumbnail. */
async function sendThumbnail(
  upload: Upload,
  index: number,
  followUp: FollowUp,
  tools: FollowUpTools,
): Promise<StepResult> {
  const { client, clock, signal } = tools;
  const key = keyOf(upload, index);
  // The picture arrived, and only the notification failed.
  if (followUp.sentAt !== null && tools.completions.sidecars.has(key)) {
    await tellDelivered(key, null, tools);
    return DONE;
  }
  const paused = pausedByPace(tools);
  if (paused !== null) return paused;
  const { file, sizeBytes, mtimeMs, known } = await openSidecar(followUp, tools);
  try {
    const input = { upload_name: followUp.fileName, upload_size: sizeBytes };
    const destination = await createThumb(client, 'media', mediaIdOf(upload), input, signal).catch((error: unknown) => {
      throw wasAnswered(error) ? withoutDestination(upload, index, error) : error;
    });
    noteFollowUp(upload, index, { intentAt: clock.now() }, tools);
    const sending = await sendSidecar(key, destination, followUp.fileName, { file, sizeBytes, mtimeMs }, tools);
    if (sending.kind !== 'done') return sending;
    const fingerprint = fileFingerprintOf({ sizeBytes, mtimeMs });
    noteFollowUp(upload, index, { sentAt: clock.now(), fingerprint, known }, tools);
    await tellDelivered(key, destination.postprocess_url, tools);
    return DONE;
  } finally {
    closeSoon(file);
  }
}

/** Tags are part of the creation of the item; if the service did not store them they are added once more. */
async function checkTags(upload: Upload, { client, signal, hasEditedTags }: FollowUpTools): Promise<StepResult> {
  // After an edit of the tags there is nothing to check: tags that it removed are not missing, and it checks those it added.
  if (hasEditedTags(upload.siteId, mediaIdOf(upload))) return DONE;
  const missing = async () => {
    const there = new Set((await getMedia(client, mediaIdOf(upload), signal)).tags.map(sameTag));
    return upload.tags.filter((tag) => !there.has(sameTag(tag)));
  };
  const lost = await missing();
  if (lost.length === 0) return DONE;
  await addTags(client, mediaIdOf(upload), lost, signal);
  const still = await missing();
  if (still.length > 0) throw appError('upload.tags-missing', { details: { tags: still } });
  return DONE;
}

/** Publishes an item whose publication was refused before. */
async function publishAgain(upload: Upload, tools: FollowUpTools): Promise<StepResult> {
  try {
    await publishItem(upload, tools);
    return DONE;
  } catch (error) {
    if (!(error instanceof AppError) || !endsRetries(error.code)) throw error;
    const { details } = notPublished(error.toData());
    throw appError('upload.not-published', { details: details ?? {}, cause: error });
  }
}

/** Returns a tag in a form for comparisons, because libraries normalize blanks, letter case and accents of tags. */
function sameTag(tag: string): string {
  return tag.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

async function sendSidecar(
  key: string,
  destination: FormDataDescriptor,
  fileName: string,
  { file, sizeBytes, mtimeMs }: OpenSidecar,
  { sendForm, sidecars, signal, clock, random, connections, journal, pacing }: FollowUpTools,
): Promise<StepResult> {
  await journal.whenDurable();
  const sending = await sidecars.run(key, signal, (gate, stop) =>
    sendForm({
      url: new URL(destination.upload_url),
      fields: destination.upload_post_params,
      fileParam: destination.upload_file_param,
      fileName,
      contentType: mimeTypeOf(fileName),
      file,
      expected: { sizeBytes, mtimeMs },
      hash: false,
      gate,
      signal: stop,
      clock,
      random,
      connections,
      onProgress: () => {},
    }),
  );
  // The transfer was paused for longer than a destination keeps an idle connection.
  if (sending.kind !== 'release') return sending;
  const reason = pacing.notice();
  return reason === null ? RELEASE : waitFor(CHECK_PACE_EVERY_MS, reason);
}

function noteFollowUp(upload: Upload, index: number, facts: FollowUpFacts, { journal }: FollowUpTools): void {
  journal.record(upload.id, { kind: 'follow-up-noted', index, facts });
}

function isDelivered({ status }: MediaFile): boolean {
  return status === 'processing' || status === 'complete';
}

function captionsLookWaitMs(looks: number): number {
  return Math.round(Math.min(500 * 1.4 ** looks, LONGEST_LOOK_WAIT_MS));
}
