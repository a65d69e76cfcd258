import type { AppErrorData } from '../../contract/app-error.ts';
import type { SourceChoice } from '../../contract/upload-choices.ts';
import type { CompanionKind } from '../pairing/pair-files.ts';
import type { FollowUpKind, FollowUpState } from './follow-up-kinds.ts';
import { type RetriesByStep, withFailure } from './retries.ts';

/**
 * The retry counts of a follow-up. `do`: creates and sends; `look`: polls the library; `delivery`: how often sent data
 * was lost again.
 */
export type FollowUpStep = 'do' | 'look' | 'delivery';

/** Errors after which sent data is lost and must be sent again. */
const LOST: ReadonlySet<string> = new Set(['upload.not-received', 'upload.destination-lost']);

/**
 * Returns the retry counts after one more failure, and as `count` that of the step for which the failure is counted.
 * `answered`: the number of requests that succeeded before it.
 */
export function followUpRetries(
  { retriesByStep = {}, sentAt }: FollowUp,
  code: string,
  answered: number,
): { retriesByStep: RetriesByStep<FollowUpStep>; count: number } {
  const step = LOST.has(code) ? 'delivery' : sentAt !== null ? 'look' : 'do';
  const after = withFailure(retriesByStep, { step, answered: step === 'delivery' ? 0 : answered });
  return { retriesByStep: after, count: after[step]?.count ?? 1 };
}

/** A local file as it was when the user added it, or last agreed to it: another file at its path is not sent. */
export interface KnownFile {
  /** Device and number, as in `Upload.identity`. */
  identity: string;
  /** The key of its drive or share, as in `Upload.volume`. */
  volume: string;
  sizeBytes: number;
  mtimeMs: number;
}

/**
 * One follow-up of an upload. It is stored in the same transaction as its upload. A failed follow-up never fails the
 * upload. Times are epoch milliseconds.
 */
export interface FollowUp {
  kind: FollowUpKind;
  state: FollowUpState;
  /**
   * Captions and thumbnail: the path of the local file. Empty for tags, and for `source`, which uses the recording
   * itself.
   */
  path: string;
  fileName: string;
  /** Captions, thumbnail and details: the local file. Absent: no local file, or a row of an earlier version. */
  known?: KnownFile;
  /** Retries used, of all steps together. */
  retries: number;
  /** Retries used, by step, since its last progress. Absent in rows of earlier versions. */
  retriesByStep?: RetriesByStep<FollowUpStep>;
  /** The next attempt; null: as soon as the earlier follow-ups allow it. */
  nextAt: number | null;
  /** Why it waits or failed. */
  error: AppErrorData | null;
  /**
   * The first attempt has ended. Publishing waits for the first attempts of captions, thumbnail and tags, not for their
   * success.
   */
  wasTried: boolean;

  /** When it was stored that a request would follow whose outcome can stay unknown; null: no such request. */
  intentAt: number | null;
  /** Captions: the id of their media file. `old-file`: the id of the replaced file. */
  fileId: string | null;
  sentAt: number | null;
  /** How often the library was polled for the sent data. */
  looks: number;
  /** Size and modification time of the sent local file, to detect later changes. */
  fingerprint: string | null;
  /** Captions: the encoding that was guessed when they were sent. Absent: it was certain, or they were not sent. */
  guessed?: string;
  /** `source`: what happens to the recording. */
  source: SourceChoice | null;
  /** `source` that is moved: its target path. */
  target: string | null;
}

/** Returns a new follow-up. */
export function newFollowUp(
  given: Pick<FollowUp, 'kind' | 'path' | 'fileName' | 'known'> & Partial<Pick<FollowUp, 'source'>>,
): FollowUp {
  const { kind, path, fileName, known, source = null } = given;
  return {
    kind,
    state: 'pending',
    path,
    fileName,
    ...(known === undefined ? {} : { known }),
    retries: 0,
    nextAt: null,
    error: null,
    wasTried: false,
    intentAt: null,
    fileId: null,
    sentAt: null,
    looks: 0,
    fingerprint: null,
    source,
    target: null,
  };
}

/** Returns a text that identifies the contents of a local file: size in bytes and modification time in milliseconds. */
export function fileFingerprintOf({ sizeBytes, mtimeMs }: { sizeBytes: number; mtimeMs: number }): string {
  return `${sizeBytes} ${mtimeMs}`;
}

/** A file that belongs to a recording. `known`: as it was when it was added or read. */
export interface CompanionFile {
  kind: CompanionKind;
  path: string;
  fileName: string;
  known: KnownFile;
}

/** Returns the follow-up of a new companion: the captions or the thumbnail to send, or the file whose fields the item has. */
export function companionFollowUp(file: CompanionFile): FollowUp {
  const followUp = newFollowUp(file);
  if (file.kind !== 'details') return followUp;
  return { ...followUp, state: 'done', wasTried: true, fingerprint: fileFingerprintOf(file.known) };
}

/** The follow-up for an upload that is complete but could not be published. */
export function failedPublication(error: AppErrorData): FollowUp {
  return { ...newFollowUp({ kind: 'publish', path: '', fileName: '' }), state: 'failed', wasTried: true, error };
}

/** Returns why a complete upload is still a draft although it should be published; null when it is as requested. */
export function publicationTrouble(
  followUps: readonly Pick<FollowUp, 'kind' | 'state' | 'error'>[],
): AppErrorData | null {
  return followUps.find(({ kind, state }) => kind === 'publish' && state !== 'done')?.error ?? null;
}

/** A change of a follow-up. */
export type FollowUpFacts = Partial<
  Pick<FollowUp, 'intentAt' | 'fileId' | 'sentAt' | 'looks' | 'fingerprint' | 'guessed' | 'target' | 'known'>
>;

/**
 * Returns a failed follow-up as pending, for a retry. Captions that may exist are looked for in the library first, by their id if
 * it is known: a library may show them under another name. After a restore of the library there is no retry: the id of the item
 * may belong to another one.
 */
export function retriedFollowUp(followUp: FollowUp): FollowUp {
  if (followUp.state !== 'failed' || followUp.error?.code === 'site.restored') return followUp;
  const { intentAt, fileId } = followUp;
  const mayExist = intentAt !== null || fileId !== null;
  const lookAgain = { sentAt: null, looks: 0, intentAt: mayExist ? (intentAt ?? 0) : null };
  const again = followUp.kind === 'captions' ? lookAgain : {};
  const { known, ...others } = followUp;
  // The user says that the deleted file is back: a restored copy has another number and time.
  const file = known === undefined || followUp.error?.code === 'file.missing' ? {} : { known };
  return { ...others, ...file, ...again, state: 'pending', retries: 0, retriesByStep: {}, nextAt: null, error: null };
}

/**
 * Returns the follow-ups of an upload whose item is gone: what its captions, thumbnail and tags had in the library is gone with it,
 * and the next item gets them again. The same array when none of them was begun.
 */
export function followUpsOfNewItem(followUps: FollowUp[]): FollowUp[] {
  const isBegun = ({ kind, state, intentAt, fileId, sentAt, wasTried }: FollowUp) =>
    isOfItem(kind) && (state !== 'pending' || wasTried || intentAt !== null || fileId !== null || sentAt !== null);
  if (!followUps.some(isBegun)) return followUps;
  return followUps.map((each) => (isBegun(each) ? newFollowUp(each) : each));
}

function isOfItem(kind: FollowUpKind): boolean {
  return kind === 'captions' || kind === 'thumbnail' || kind === 'tags';
}

/** Returns a follow-up after the user agreed to the file that is at its path now. One that failed because of it runs again. */
export function withAcceptedFile(followUp: FollowUp, known: KnownFile): FollowUp {
  return { ...(isReplaced(followUp) ? retriedFollowUp(followUp) : followUp), known };
}

/**
 * Whether an upload or a follow-up failed because another file is at the path of its file: the user can decide that this one is
 * sent.
 */
export function isReplaced({ state, error }: { state: string; error: { code: string } | null }): boolean {
  return state === 'failed' && error?.code === 'file.replaced';
}

/** A delay of a follow-up. `retriesByStep`: set only when the retry counts changed. */
export interface FollowUpDelay {
  error: AppErrorData | null;
  until: number;
  usesRetry: boolean;
  retriesByStep?: FollowUp['retriesByStep'];
}

/** Returns a follow-up that waits for its next attempt. */
export function delayedFollowUp(before: FollowUp, { error, until, usesRetry, retriesByStep }: FollowUpDelay): FollowUp {
  return {
    ...before,
    error,
    nextAt: until,
    retries: before.retries + (usesRetry ? 1 : 0),
    retriesByStep: retriesByStep ?? before.retriesByStep ?? {},
    // A delay because the whole site is unreachable does not end the first attempt.
    wasTried: before.wasTried || usesRetry || error === null,
  };
}

/** Returns a follow-up that has ended: done when `error` is null, otherwise failed. */
export function endedFollowUp(before: FollowUp, error: AppErrorData | null): FollowUp {
  return { ...before, state: error === null ? 'done' : 'failed', error, nextAt: null };
}

/** Returns the follow-ups without a publication; the same array when there is none. */
export function withoutPublication(followUps: FollowUp[]): FollowUp[] {
  const others = followUps.filter(({ kind }) => kind !== 'publish');
  return others.length === followUps.length ? followUps : others;
}

/**
 * Returns the follow-ups with or without the check of tags; the same array when nothing changes. Only for an item that is
 * not created yet, because no follow-up has begun then.
 */
export function withTagCheck(followUps: FollowUp[], hasTags: boolean): FollowUp[] {
  if (followUps.some(({ kind }) => kind === 'tags') === hasTags) return followUps;
  if (!hasTags) return followUps.filter(({ kind }) => kind !== 'tags');
  const last = followUps.findIndex(({ kind }) => kind === 'source');
  const at = last === -1 ? followUps.length : last;
  return followUps.toSpliced(at, 0, newFollowUp({ kind: 'tags', path: '', fileName: '' }));
}

/** Returns whether publishing waits for the first attempt of another follow-up of the item. */
export function delaysPublication(followUps: readonly FollowUp[]): boolean {
  return followUps.some(
    ({ kind, state, wasTried }) => kind !== 'source' && kind !== 'publish' && state === 'pending' && !wasTried,
  );
}

/**
 * Returns the indexes of the follow-ups that may run now. Before the item is published, each of captions, thumbnail and
 * tags gets one attempt; further attempts wait until it is published, so that two requests never change an item at
 * once. The local recording is moved or removed only when the upload is complete and all other follow-ups have ended.
 */
export function followUpsInTurn(followUps: readonly FollowUp[], isComplete: boolean): number[] {
  const pending = [...followUps.keys()].filter((index) => followUps[index]?.state === 'pending');
  const first = pending.filter((index) => followUps[index]?.kind !== 'source');
  if (!isComplete) return first.filter((index) => followUps[index]?.wasTried === false);
  return first.length > 0 ? first : pending;
}

/** Returns when the next follow-up is due: 0 is now, null is never. */
export function followUpDueAt(followUps: readonly FollowUp[], isComplete: boolean): number | null {
  const turns = followUpsInTurn(followUps, isComplete).map((index) => followUps[index]?.nextAt ?? 0);
  return turns.length === 0 ? null : Math.min(...turns);
}
