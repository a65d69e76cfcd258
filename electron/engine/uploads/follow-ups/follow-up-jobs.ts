import { toAppError } from '../../../../shared/contract/app-error.ts';
import { type FollowUp, followUpsInTurn } from '../../../../shared/model/uploads/follow-ups.ts';
import { withSuccess } from '../../../../shared/model/uploads/retries.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { filesByRoot, moverByRoot } from '../../ports/rooted-files.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, failureOf, type JobResult } from '../../scheduler/job-result.ts';
import { guardedClient } from '../../sites/guarded-client.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import { siteWideCause } from '../../sites/site-wide-cause.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import type { FollowUpRows } from '../journal/follow-up-rows.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import { afterFollowUpFailure, isLocalTrouble } from './follow-up-failure.ts';
import { doFollowUp } from './follow-up-steps.ts';
import type { FollowUpTools } from './follow-up-tools.ts';

export interface FollowUpJobTools extends Omit<FollowUpTools, 'client' | 'signal'> {
  store: UploadStore;
  rows: FollowUpRows;
  journal: UploadJournal;
  breakers: SiteBreakers;
  clock: Clock;
  logger: Logger;
  /** Throws `AppError` when the site is not known or not signed in. */
  clientFor(siteId: string): SiteClient;
  /** Returns the function that returns the root of each file of an upload, see `rootsForUpload`. */
  rootsFor(upload: Upload): (path: string) => string;
  /** Resolves when the site answers; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
}

/** One follow-up: the id of its upload, and its index there. Follow-ups of one upload run one after the other. */
interface FollowUpJob extends Job {
  index: number;
}

/** The number of uploads whose follow-ups run in parallel. */
const PARALLEL = 2;
/** No follow-up waits longer than the longest step of the backoff: a later time means that the clock was set. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** The longest wait while a breaker is open: a fallback, because a breaker that closes wakes this lane. */
const CLOSED_AGAIN_MS = 60_000;
/** The maximum number of rows that are read for sites in maintenance, of which some may only need a poll. */
const READS_AHEAD = 64;
/** The minimum wait before the next run of a follow-up. */
const SHORTEST_WAIT_MS = 50;

/** Runs follow-ups: one attempt each before the publication; further attempts, and the move of the local file, after it. */
export class FollowUpJobs implements JobKind<FollowUpJob> {
  readonly name = 'follow-up';
  readonly #tools: FollowUpJobTools;
  readonly #lane: Lane;
  /** The sites of running follow-ups that change something in the library, by the id of the upload. */
  readonly #changing = new Map<string, string>();
  /** When the rows were last read, on the wall clock. */
  #readAt = 0;

  constructor(tools: FollowUpJobTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  get isBusy(): boolean {
    return this.#lane.size > 0;
  }

  /** Wakes the lane when a follow-up may be due. May be called while an event is recorded. */
  wakeSoon(): void {
    this.#lane.wakeIn(0);
  }

  slots(): number {
    return PARALLEL;
  }

  /** Retries follow-ups that failed because of this computer, such as a full disk: the cause may have ended since. */
  start(): void {
    const { store, journal, rows } = this.#tools;
    for (const id of rows.withFailed()) {
      const followUps = store.get(id)?.followUps ?? [];
      const isLocal = followUps.some(
        ({ state, error }) => state === 'failed' && error !== null && isLocalTrouble(error),
      );
      if (isLocal) journal.record(id, { kind: 'follow-ups-retried' });
    }
  }

  /** The uploads of which a follow-up runs. */
  ids(): string[] {
    return this.#lane.ids();
  }

  due(free: number): FollowUpJob[] {
    const { rows, breakers, clock, journal } = this.#tools;
    // One instant for all queries: otherwise a follow-up that becomes due between two of them would be missed.
    const now = clock.now();
    this.#readAt = now;
    if (free === 0 || journal.followUps.pending === 0) return [];
    const halfOpen = [...breakers.halfOpenSites()].filter((siteId) => !breakers.isOpen(siteId));
    const ids = [
      ...rows.due(now, LONGEST_WAIT_MS, PARALLEL * 2, [...breakers.blockedSites(), ...halfOpen]),
      ...rows.dueAtSites(now, LONGEST_WAIT_MS, READS_AHEAD, [...breakers.readOnlySites(), ...halfOpen]),
    ];
    const jobs: FollowUpJob[] = [];
    for (const id of ids) {
      if (jobs.length >= free) break;
      const job = this.#lane.has(id) ? null : this.#dueOf(id, now);
      if (job === null) continue;
      if (job.changesAt !== null) this.#changing.set(id, job.changesAt);
      jobs.push({ id, index: job.index });
    }
    return jobs;
  }

  nextInMs(): number | null {
    const { rows, breakers, clock, journal } = this.#tools;
    if (journal.followUps.pending === 0) return null;
    const nextAt = rows.nextAt(this.#readAt);
    const waits = breakers.blockedSites().length > 0 ? [CLOSED_AGAIN_MS] : [];
    if (nextAt !== null) waits.push(Math.max(0, nextAt - clock.now()));
    return waits.length === 0 ? null : Math.min(...waits);
  }

  async run({ id, index }: FollowUpJob, signal: AbortSignal): Promise<JobResult<number>> {
    const { store, clientFor, logger, breakers } = this.#tools;
    const upload = store.get(id);
    if (upload === null) return DONE;
    let answered = 0;
    try {
      const client = guardedClient(clientFor(upload.siteId), upload.siteId, this.#tools, () => {
        answered += 1;
      });
      const rootOf = this.#tools.rootsFor(upload);
      const [files, mover] = [filesByRoot(this.#tools.files, rootOf), moverByRoot(this.#tools.mover, rootOf)];
      return await doFollowUp(upload, index, { ...this.#tools, files, mover, client, signal });
    } catch (error) {
      if (signal.aborted) return DONE;
      if (sqliteCodeOf(error) !== null) throw error;
      const classified = toAppError(error);
      if (classified.code === 'internal') {
        logger.error('follow-up.failed', { id, stack: String((error as Error)?.stack ?? error) });
      }
      // Captions and thumbnails may be sent to another host: after a broken transfer the library is probed.
      const cause = await siteWideCause(upload.siteId, classified, this.#tools);
      breakers.report(upload.siteId, cause.toData());
      return failureOf(cause, answered);
    }
  }

  record({ id, index }: FollowUpJob, result: JobResult<number>): void {
    const { store, journal, clock } = this.#tools;
    this.#changing.delete(id);
    const followUp = store.get(id)?.followUps[index];
    if (followUp === undefined) return;
    const now = clock.now();
    switch (result.kind) {
      // The row is unchanged: the follow-up is still due.
      case 'release':
        return;
      case 'done':
        journal.record(id, { kind: 'follow-up-done', index });
        return;
      case 'wait': {
        const until = Math.round(now + Math.max(result.inMs, SHORTEST_WAIT_MS));
        const delayed = { kind: 'follow-up-delayed', index, until, usesRetry: false } as const;
        if (result.keepsRetryCount) journal.record(id, { ...delayed, error: result.reason });
        // The requests of the step succeeded, so its earlier failures no longer count.
        else
          journal.record(id, {
            ...delayed,
            error: null,
            retriesByStep: withSuccess(followUp.retriesByStep ?? {}, ['look']),
          });
        return;
      }
      default:
        journal.record(id, afterFollowUpFailure(followUp, index, result.error, now, result.counted));
    }
  }

  /**
   * Returns the first follow-up of an upload that is due, and the site that it changes; null for one that changes nothing there. In
   * maintenance only polls are due. While the breaker is half-open, one change of the site runs at a time, as a probe whether the
   * maintenance is over.
   */
  #dueOf(id: string, now: number): { index: number; changesAt: string | null } | null {
    const { store, breakers } = this.#tools;
    const upload: Upload | null = store.get(id);
    if (upload === null) return null;
    const { siteId, followUps } = upload;
    const isProbed = breakers.halfOpenSites().has(siteId) && [...this.#changing.values()].includes(siteId);
    const mayRun = breakers.isOpen(siteId) ? isPoll : isProbed ? changesNothing : () => true;
    for (const index of followUpsInTurn(followUps, upload.state === 'complete')) {
      const followUp = followUps[index];
      const nextAt = followUp?.nextAt ?? 0;
      const isWaiting = nextAt > now && nextAt <= now + LONGEST_WAIT_MS;
      if (followUp === undefined || isWaiting || !mayRun(followUp)) continue;
      return { index, changesAt: changesNothing(followUp) ? null : siteId };
    }
    return null;
  }
}

/** Returns whether a follow-up changes nothing in the library. */
function changesNothing(followUp: FollowUp): boolean {
  return followUp.kind === 'source' || followUp.kind === 'details' || isPoll(followUp);
}

/** Returns whether captions were sent and are only polled, until a poll leads to a request that the maintenance refused. */
function isPoll({ kind, fileId, sentAt, error }: FollowUp): boolean {
  return kind === 'captions' && fileId !== null && sentAt !== null && error?.code !== 'api.read-only';
}
