import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { DuplicateDetails } from '../../../../shared/contract/uploads.ts';
import { splitFileName } from '../../../../shared/model/title-template.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { listFiles } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import { hasFileNumber } from '../../ports/file-identity.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
import { DONE, type StepResult, waitFor } from '../../scheduler/job-result.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import type { CandidateStore, DuplicateCandidate } from './candidate-store.ts';
import type { CollectionContents, ComparedItem } from './collection-contents.ts';
import { EDGE_BYTES, type FileDigests } from './file-digests.ts';
import type { HashCache } from './hash-cache.ts';
import { DUPLICATE_RECHECK_MS } from './wake-waiting.ts';

export interface DuplicateTools {
  client: SiteClient;
  journal: UploadJournal;
  store: UploadStore;
  candidates: CandidateStore;
  hashes: HashCache;
  digests: FileDigests;
  contents: CollectionContents;
  files: Files;
  clock: Clock;
  signal: AbortSignal;
}

/** Whether two files have the same contents; `unsure`: nothing contradicts it, and the bytes can't be compared. */
type Likeness = 'equal' | 'different' | 'unsure';

/** The message about a file that is probably there already, by what was compared. */
const PROBABLY: Record<DuplicateDetails['where'], string> = {
  library: 'This collection probably already has this file: an item with the same title has a file of the same size.',
  history:
    'This collection probably already has this file: a similar file of the same size was uploaded from this computer, and can’t be compared any more.',
};

/** The maximum number of items with one title that are compared. */
const MOST_NAMESAKES = 5;

/**
 * Checks whether the collection has this upload's contents already: by the uploads of this profile, complete or in progress,
 * whose SHA-256 is known or can be computed, and by the items of the library, which are found by title, and whose files have a size but no hash.
 * A file is read for this only when another of the same size and the same edges exists.
 *
 * Stores `duplicates-checked` when there is no duplicate, or `skipped` if the batch skips duplicates. Throws `upload.duplicate`
 * when a user has to decide. Returns a wait when another upload of the same contents comes first. When a user paused or ended the
 * upload meanwhile, nothing is stored, and the check starts anew when the upload continues.
 */
export async function checkDuplicates(upload: Upload, tools: DuplicateTools): Promise<StepResult> {
  const { candidates, journal, clock } = tools;
  const likeness = new Map<string, Likeness>();
  const items = new Map<string, ComparedItem | null>();
  let librarySearched = false;
  for (;;) {
    if (!isAtWork(upload.id, tools)) return DONE;
    const all = candidates.candidatesOf(upload);
    const unknown = all.find((candidate) => !likeness.has(keyOf(candidate)));
    if (unknown) {
      likeness.set(keyOf(unknown), await compare(upload, unknown, tools));
      continue;
    }
    const alike = all.filter((candidate) => likeness.get(keyOf(candidate)) !== 'different');
    const stored = alike.filter((candidate) => candidate.state === 'complete');
    const unseen = stored.find((candidate) => candidate.mediaId !== null && !items.has(candidate.mediaId));
    if (unseen?.mediaId) {
      items.set(unseen.mediaId, await tools.contents.item(tools.client, upload, unseen.mediaId, tools.signal));
      continue;
    }
    for (const candidate of stored) {
      const item = items.get(candidate.mediaId ?? '');
      if (item) return settle(upload, fromHistory(candidate, item, likeness.get(keyOf(candidate)) === 'equal'), tools);
    }
    const ahead = alike.find((candidate) => candidate.state !== 'complete');
    if (ahead) return waitForOther(ahead);
    if (!librarySearched) {
      const found = await searchLibrary(upload, tools);
      if (found) return settle(upload, found, tools);
      librarySearched = true;
      continue;
    }
    // Nothing was awaited since the candidates were read, so the result is up to date: no other upload can have passed its check
    // since, and the row is still `preparing`.
    journal.record(upload.id, { kind: 'duplicates-checked', at: clock.now() });
    return DONE;
  }
}

/** Returns false when the user paused or ended the upload in the meantime. Throws when the program ends. */
function isAtWork(id: string, { store, signal }: DuplicateTools): boolean {
  signal.throwIfAborted();
  return store.get(id)?.state === 'preparing';
}

/** This upload is checked again when the other one has ended. */
function waitForOther({ id, path }: DuplicateCandidate): StepResult {
  return waitFor(DUPLICATE_RECHECK_MS, appError('upload.duplicate-under-way', { details: { uploadId: id, path } }));
}

/** A probable duplicate is never skipped automatically: only equal contents are. */
function settle(upload: Upload, details: DuplicateDetails, { journal, store, clock }: DuplicateTools): StepResult {
  const choice = store.get(upload.id)?.duplicates ?? upload.duplicates;
  const what = { details: { ...details } };
  if (choice === 'skip' && details.match === 'contents') {
    const error = appError('upload.duplicate-skipped', what).toData();
    journal.record(upload.id, { kind: 'skipped', error, at: clock.now() });
    return DONE;
  }
  throw appError(
    'upload.duplicate',
    details.match === 'contents' ? what : { ...what, message: PROBABLY[details.where] },
  );
}

async function compare(upload: Upload, candidate: DuplicateCandidate, tools: DuplicateTools): Promise<Likeness> {
  // Where files have no numbers, two recordings may have one size and time.
  const isOneFile = hasFileNumber(upload.identity) || upload.path === candidate.path;
  if (isOneFile && isUnchanged(upload, candidate) && upload.volume === candidate.volume) return 'equal';
  const edges = upload.edgeHash !== null && upload.edgeHash === candidate.edgeHash;
  if (edges && upload.sizeBytes <= 2 * EDGE_BYTES) return 'equal';
  const theirs = await hashOf(candidate, tools, upload.id).catch((error: unknown) => {
    // Another upload's file that can't be read leaves the result open.
    if (toAppError(error).code.startsWith('file.')) return null;
    throw error;
  });
  if (theirs === null) {
    return edges || sameName(upload.fileName, candidate.fileName) ? 'unsure' : 'different';
  }
  const ours = await hashOf(upload, tools, upload.id);
  // The file has changed since the row was written, which the upload detects later.
  if (ours === null) return 'different';
  return ours === theirs ? 'equal' : 'different';
}

/**
 * Returns the SHA-256 of an upload's file, stored or computed by reading it; null when the file has changed. Throws `file.*` when
 * it can't be read.
 */
async function hashOf(
  file: Upload | DuplicateCandidate,
  tools: DuplicateTools,
  wantedBy: string,
): Promise<string | null> {
  const { hashes, files, digests } = tools;
  const known = file.sha256 ?? hashes.get(file);
  if (known !== null) return known;
  const isWanted = () => !tools.signal.aborted && tools.store.get(wantedBy)?.state === 'preparing';
  const open = await files.open(file.path);
  try {
    if (!isUnchanged(file, await open.facts())) return null;
    const hash = await digests.contents(open, file.sizeBytes, isWanted);
    tools.signal.throwIfAborted();
    // `hash` is null also when the upload was paused or ended during the read; `checkDuplicates` stops then.
    if (hash === null || !isUnchanged(file, await open.facts())) return null;
    hashes.put(file, hash);
    return hash;
  } finally {
    // Not awaited: a disk or share that never answers would block the slot.
    open.close().catch(() => {});
  }
}

type Fingerprint = Pick<FileFacts, 'identity' | 'sizeBytes' | 'mtimeMs'>;

function isUnchanged(a: Fingerprint, b: Fingerprint): boolean {
  return a.identity === b.identity && a.sizeBytes === b.sizeBytes && a.mtimeMs === b.mtimeMs;
}

function sameName(a: string, b: string): boolean {
  return a.normalize('NFC') === b.normalize('NFC');
}

/** Searches the library for an item that no upload of this profile owns, with this name and an original of this size. */
async function searchLibrary(upload: Upload, tools: DuplicateTools): Promise<DuplicateDetails | null> {
  const { client, contents, store, signal } = tools;
  const titles = [upload.title, splitFileName(upload.fileName).stem, upload.fileName];
  const namesakes = await contents.withTitles(client, upload, titles, signal);
  // Items of our own uploads were judged by their contents.
  const foreign = namesakes.filter(({ id }) => !store.ownsMedia(upload.siteId, id)).slice(0, MOST_NAMESAKES);
  for (const item of foreign) {
    if (await holdsFileOfSize(item, upload.sizeBytes, tools)) {
      const uploadedAt = item.createdOn === null ? Number.NaN : Date.parse(item.createdOn);
      return {
        mediaId: item.id,
        title: item.title,
        url: item.url,
        where: 'library',
        match: 'name-and-size',
        uploadedAt: Number.isNaN(uploadedAt) ? null : uploadedAt,
      };
    }
  }
  return null;
}

async function holdsFileOfSize(item: ComparedItem, sizeBytes: number, tools: DuplicateTools): Promise<boolean> {
  try {
    for await (const file of listFiles(tools.client, item.id, tools.signal)) {
      const isThere = file.status === 'complete' || file.status === 'processing';
      if (isThere && file.source !== 'encoding' && file.size === sizeBytes) return true;
    }
  } catch (error) {
    const { code } = toAppError(error);
    // The item was deleted meanwhile, or the account may not see it.
    if (code !== 'api.not-found' && code !== 'api.forbidden') throw error;
  }
  return false;
}

function fromHistory(candidate: DuplicateCandidate, item: ComparedItem, isEqual: boolean): DuplicateDetails {
  return {
    mediaId: item.id,
    title: item.title,
    url: item.url,
    where: 'history',
    match: isEqual ? 'contents' : 'name-and-size',
    uploadedAt: candidate.endedAt,
  };
}

/** Returns the key of a candidate. It changes with the file, so that a changed file is compared again. */
function keyOf(candidate: DuplicateCandidate): string {
  return JSON.stringify([candidate.id, candidate.identity, candidate.mtimeMs, candidate.sha256]);
}
