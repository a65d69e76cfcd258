import type { UploadDescriptor } from '../../api/files.ts';
import type { AppErrorData } from '../../contract/app-error.ts';
import type { Addition, DuplicateChoice, PublishChoice } from '../../contract/upload-choices.ts';
import type { ItemFields } from '../../item/fields.ts';
import type { FollowUp, FollowUpDelay, FollowUpFacts, KnownFile } from './follow-ups.ts';
import type { Priority } from './priorities.ts';
import type { FailedStep, RetriedStep, RetriesByStep } from './retries.ts';
import type { UploadState } from './upload-states.ts';

export type Destination = UploadDescriptor['protocols']['form_data'];

/** The values of a row that a cancel replaces. */
export interface CancelledFrom {
  state: UploadState;
  nextAttemptAt: number | null;
  endedAt: number | null;
}

/**
 * The durable row of one upload, from the local file to a media file with the status `complete`.
 *
 * The `…IntentAt` fields are written before a request and the ids after its answer, so that a row read after a crash
 * shows which requests may have had an effect. All times are epoch milliseconds.
 */
export interface Upload extends ItemFields {
  id: string;
  batchId: string;
  siteId: string;
  /** Empty until the library has resolved the batch's `collectionRef`. */
  collectionId: string;
  path: string;
  fileName: string;
  /** Size, time, identity and hash of the local file as it was checked last: the attempt sends the file only with these. */
  sizeBytes: number;
  mtimeMs: number;
  identity: string;
  /** The key of the drive or share of the file, because another one can be mounted at its path; empty: not known. */
  volume: string;
  /** SHA-256 of the first and the last 64 KiB, as far as they could be read. */
  edgeHash: string | null;
  /** The path by which the file was added, if the file was moved since. */
  movedFrom: string | null;
  /** Why the title is not what its template says; null: it is, or the user changed it. */
  titleNotice: AppErrorData | null;
  publish: PublishChoice;
  /** What the upload adds to the existing item `mediaId`, or to its collection; null: it creates an item of its own. */
  addition: Addition | null;
  /** The user's choice; the progress of the upload never changes it. */
  priority: Priority;
  /** What to do when the collection already has these contents. The user's decision to upload sets it to `upload`. */
  duplicates: DuplicateChoice;
  /** When the collection was searched without finding a duplicate; null: the search is still to be done. */
  duplicateCheckedAt: number | null;

  state: UploadState;
  /**
   * All retries since the upload was added or the user retried it. Waiting for a network, a site or a sign-in uses
   * none.
   */
  retries: number;
  /** Retries used, by step; the count of a step is reset when the step succeeds. */
  retriesByStep: RetriesByStep;
  nextAttemptAt: number | null;
  error: AppErrorData | null;

  itemIntentAt: number | null;
  /** The same instant by the library's clock; null when that clock was unknown. */
  itemIntentServerAt: number | null;
  /**
   * When the library answered that it created the item, without its id. The item exists, so no second one is created.
   */
  itemAnsweredAt: number | null;
  mediaId: string | null;
  /** Files of the item that were dropped because their bytes are invalid, and that may still exist. */
  spoiledFileIds: readonly string[];
  /** Null with a `fileId`: the bytes of that file are invalid, see `isSpoiled`. */
  fileIntentAt: number | null;
  fileId: string | null;
  /** The number of items and placeholders in a row that were created without a usable destination. */
  fruitless: number;
  destination: Destination | null;
  destinationAt: number | null;
  /** Set when bytes may have reached the destination; a destination is used only once. */
  sendStartedAt: number | null;
  sentAt: number | null;
  sha256: string | null;
  /** When the library was notified of the bytes, if it requires that. */
  finishedAt: number | null;
  /** When the library had processed the file; a publication can follow. */
  completedAt: number | null;
  /**
   * How long the upload has been polled: first for its bytes to be detected, then for its processing. Measured by a
   * monotonic clock.
   */
  watchedMs: number;

  /** Actions after the upload is complete; a failed one never fails the upload. */
  followUps: FollowUp[];
  /** What the user's cancel replaced, for its undo; null when the upload was not cancelled. */
  cancelledFrom: CancelledFrom | null;

  /** When the next follow-up is due; null when none is pending, or the file is not complete yet. */
  followUpAt: number | null;

  addedAt: number;
  endedAt: number | null;
  /** When the user removed the ended upload from the list; null while it is listed. Receipts contain it all the same. */
  clearedAt: number | null;
}

/**
 * What changes the row of an upload: an intent, which is recorded before a step creates or sends something, a fact that a step
 * found or achieved, or a decision of the user. The journal stores the changed row before any action that depends on it. `at` is
 * the time of the event in epoch milliseconds.
 */
export type UploadEvent =
  /** The upload got a transfer slot and begins its steps. */
  | { kind: 'started' }
  /** The local file was checked, and has these properties now. */
  | {
      kind: 'file-seen';
      sizeBytes: number;
      mtimeMs: number;
      identity: string;
      volume?: string;
      edgeHash: string | null;
    }
  /** The local file was found under another path. */
  | { kind: 'file-moved'; path: string; fileName: string }
  /** The user changed values of the item before it was created. Has no effect once a creation may have been requested. */
  | { kind: 'described'; fields: Partial<ItemFields>; publish?: PublishChoice }
  /** The library resolved the collection that the user named. */
  | { kind: 'collection-found'; collectionId: string }
  /** The collection was searched, and contains no duplicate. */
  | { kind: 'duplicates-checked'; at: number }
  /** The upload ended without being sent. `error`: the reason. */
  | { kind: 'skipped'; error: AppErrorData; at: number }
  /** The user decided about a duplicate. `error`: the reason of a skip. */
  | { kind: 'duplicate-resolved'; choice: 'skip' | 'upload'; error: AppErrorData | null; at: number }
  /** Stored before the request that creates the item. */
  | { kind: 'item-intended'; at: number; serverAt?: number | null; answeredAt?: number | null }
  /** The item was created, or found after a creation without an answer. */
  | { kind: 'item-created'; mediaId: string }
  /** The creation had no effect: the request failed, or a search found no item. */
  | { kind: 'item-absent' }
  /** The item was deleted in the library. */
  | { kind: 'item-gone' }
  /** Stored before the request that creates the placeholder of the file. */
  | { kind: 'file-intended'; at: number }
  /**
   * The placeholder was created. `destination` null: the answer contained no usable one. `fileId` null: a thumbnail has
   * a destination, but no file.
   */
  | { kind: 'file-created'; fileId: string | null; destination: Destination | null; at: number }
  /**
   * The placeholder or file was abandoned, and a new one is needed. `isFruitless`: nothing could be sent to it.
   * `mayStay`: it may still exist with bytes, because the library did not permit its deletion.
   */
  | { kind: 'file-dropped'; isFruitless?: boolean; mayStay?: boolean }
  /** Stored before the first byte is sent to the destination. */
  | { kind: 'send-started'; at: number }
  /** The destination accepted all bytes. */
  | { kind: 'sent'; at: number; sha256: string | null }
  /** The library was notified of the bytes, or detected them itself. */
  | { kind: 'finished'; at: number }
  /** The library has processed the file: its status is `complete`. */
  | { kind: 'completed'; at: number }
  /** The item was published or scheduled. */
  | { kind: 'published'; at: number }
  /** The library refused to publish: the upload is complete, its item is a draft, and publishing becomes a follow-up. */
  | { kind: 'publish-refused'; error: AppErrorData; at: number }
  /** The next attempt is at `until`. `failed`: the step that the retry is counted for; null: waiting uses no retry. */
  | { kind: 'delayed'; error: AppErrorData; until: number; failed: FailedStep | null }
  /** The requests of a step succeeded, but the step cannot end yet. */
  | { kind: 'answered'; step: RetriedStep }
  /** The upload ended with an error. */
  | { kind: 'failed'; error: AppErrorData; at: number }
  /** The upload returns to the queue. `error`: why it can't continue yet, for example because its site is blocked. */
  | { kind: 'put-back'; error: AppErrorData | null }
  /**
   * The upload gave up its slot before its delivery ended: its job ended with `release`, or its process ended. The latter is
   * recorded by the next process; a stop itself records nothing.
   */
  | { kind: 'interrupted' }
  /** The user paused the upload. */
  | { kind: 'paused' }
  /** The user resumed the upload. `transferAlive`: its connection is still open, so it continues there. */
  | { kind: 'resumed'; transferAlive: boolean }
  /** The user cancelled the upload. */
  | { kind: 'cancelled'; at: number }
  /** A cancelled or skipped upload left nothing in the library, except possibly a complete file, which stays a draft. */
  | { kind: 'cleaned-up' }
  /** The user retried the upload. `itemId`: the chosen item; null: a new item; absent: no choice was made. */
  | { kind: 'retried'; itemId?: string | null }
  /** The user wants the file sent that is at the path now, in place of the one that was added. */
  | { kind: 'replacement-accepted'; file: KnownFile }
  /** The user undid the cancel. */
  | { kind: 'cancel-undone' }
  /** The library was polled for `ms` in total. */
  | { kind: 'watched'; ms: number }
  /** Something more is to be done for the item, such as captions that arrived late. The other follow-ups keep their places. */
  | { kind: 'follow-up-added'; followUp: FollowUp }
  /** A step of a follow-up has new facts, for example the id of its file. */
  | { kind: 'follow-up-noted'; index: number; facts: FollowUpFacts }
  /** The file that is at the path of captions or a thumbnail now replaces the one that was added. */
  | { kind: 'companion-accepted'; index: number; file: KnownFile }
  | { kind: 'follow-up-done'; index: number }
  | { kind: 'follow-up-failed'; index: number; error: AppErrorData }
  | ({ kind: 'follow-up-delayed'; index: number } & FollowUpDelay)
  /** The user retried the failed follow-ups. */
  | { kind: 'follow-ups-retried' }
  /** The user removed the upload from the list; has no effect while something of it is still to be done. */
  | { kind: 'cleared'; at: number }
  | { kind: 'clear-undone' };

export type EventOf<Kind extends UploadEvent['kind']> = Extract<UploadEvent, { kind: Kind }>;
