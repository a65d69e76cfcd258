import type { AppErrorData } from '../contract/app-error.ts';
import type { SourceChoice } from '../contract/upload-choices.ts';
import type { FollowUpKind, FollowUpState } from './follow-up-kinds.ts';
import { type TriesByStep, withFailure } from './retries.ts';

/**
 * The counts of retries of a follow-up: `do` makes and sends, `look` polls the service, and `delivery` counts how often sent
 * data was lost again.
 */
export type FollowUpStep = 'do' | 'look' | 'delivery';

/** Errors that mean that the sent data is lost and must be sent again. */
const LOST: ReadonlySet<string> = new Set(['upload.not-received', 'upload.destination-lost']);

/** The counts after one more failure, and the one that it belongs to. `answered`: how many requests had succeeded. */
export function followUpTries(
  { tries = {}, sentAt }: FollowUp,
  code: string,
  answered: number,
): { tries: TriesByStep<FollowUpStep>; count: number } {
  const step = LOST.has(code) ? 'delivery' : sentAt !== null ? 'look' : 'do';
  const after = withFailure(tries, { step, answered: step === 'delivery' ? 0 : answered });
  return { tries: after, count: after[step]?.count ?? 1 };
}

/**
 * One thing to do after an upload is complete. One transaction stores it together with its upload. None of them makes an
 * upload fail. Times are epoch milliseconds.
 */
export interface FollowUp {
  kind: FollowUpKind;
  state: FollowUpState;
  /** Of captions and a thumbnail: the local file. Empty for tags; the recording itself for `source`. */
  path: string;
  fileName: string;
  /** Retries in all. */
  attempts: number;
  /** Retries used up, by what is done. Rows of earlier versions have none. */
  tries?: TriesByStep<FollowUpStep>;
  /** When it is due again; null: as soon as the follow-ups before it allow it. */
  nextAt: number | null;
  /** Why it waits or failed. */
  error: AppErrorData | null;
  /** A first try has ended. Publishing waits for that of captions, thumbnail and tags, not for their success. */
  wasTried: boolean;

  /** Written before an effect whose outcome could stay unknown. */
  intentAt: number | null;
  /** Of captions: the media file. */
  fileId: string | null;
  sentAt: number | null;
  /** How often the service was polled about the sent data. */
  looks: number;
  /** Of what was sent: size and time of the local file, to see later that it is still the same. */
  fingerprint: string | null;
  /** Of `source`: what happens to the recording. */
  source: SourceChoice | null;
  /** Of `source` that is moved: the full path that it gets. */
  target: string | null;
}

/** Returns a new follow-up. */
export function newFollowUp(
  given: Pick<FollowUp, 'kind' | 'path' | 'fileName'> & Partial<Pick<FollowUp, 'source'>>,
): FollowUp {
  const { kind, path, fileName, source = null } = given;
  return {
    kind,
    state: 'pending',
    path,
    fileName,
    attempts: 0,
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

/** What is kept where the file is complete and could not be published. */
export function failedPublication(error: AppErrorData): FollowUp {
  return { ...newFollowUp({ kind: 'publish', path: '', fileName: '' }), state: 'failed', wasTried: true, error };
}

/** Why an upload that is complete is a draft although it was to be published; null where it is as it was meant. */
export function publicationTrouble(
  followUps: readonly Pick<FollowUp, 'kind' | 'state' | 'error'>[],
): AppErrorData | null {
  return followUps.find(({ kind, state }) => kind === 'publish' && state !== 'done')?.error ?? null;
}

/** A fact about a follow-up. */
export type FollowUpFacts = Partial<
  Pick<FollowUp, 'intentAt' | 'fileId' | 'sentAt' | 'looks' | 'fingerprint' | 'target'>
>;

/** Returns a failed follow-up as pending, for a retry: captions that may exist are searched in the library first. */
export function retriedFollowUp(followUp: FollowUp): FollowUp {
  if (followUp.state !== 'failed') return followUp;
  const { intentAt, fileId } = followUp;
  const mayExist = intentAt !== null || fileId !== null;
  const lookAgain = { fileId: null, sentAt: null, looks: 0, intentAt: mayExist ? (intentAt ?? 0) : null };
  const again = followUp.kind === 'captions' ? lookAgain : {};
  return { ...followUp, ...again, state: 'pending', attempts: 0, tries: {}, nextAt: null, error: null };
}

/** Returns whether publishing waits for the first attempt of another follow-up of the item. */
export function holdsPublication(followUps: readonly FollowUp[]): boolean {
  return followUps.some(
    ({ kind, state, wasTried }) => kind !== 'source' && kind !== 'publish' && state === 'pending' && !wasTried,
  );
}

/**
 * Places of the follow-ups whose turn it is. Before the item is published each of captions, thumbnail and tags has one
 * try; further ones wait until it is, so that never two things are done to an item at a time. The recording is touched
 * only when the upload is complete and all others have ended.
 */
export function followUpsInTurn(followUps: readonly FollowUp[], isComplete: boolean): number[] {
  const pending = [...followUps.keys()].filter((index) => followUps[index]?.state === 'pending');
  const first = pending.filter((index) => followUps[index]?.kind !== 'source');
  if (!isComplete) return first.filter((index) => followUps[index]?.wasTried === false);
  return first.length > 0 ? first : pending;
}

/** Returns when the follow-ups are due; 0 is at once, null never. */
export function followUpDueAt(followUps: readonly FollowUp[], isComplete: boolean): number | null {
  const turns = followUpsInTurn(followUps, isComplete).map((index) => followUps[index]?.nextAt ?? 0);
  return turns.length === 0 ? null : Math.min(...turns);
}
