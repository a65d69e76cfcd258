import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import { retryWaitMs } from '../../../../shared/model/backoff.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import type { JobResult } from '../../scheduler/job-result.ts';
import { STORE_REST_MS } from '../../scheduler/scheduler.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import type { UploadRunner } from '../delivery/upload-runner.ts';
import type { UploadStore } from '../journal/upload-store.ts';

export interface CleanUpTools {
  store: UploadStore;
  runner: UploadRunner;
  breakers: SiteBreakers;
  clock: Clock;
  /** Returns whether a step of the upload is still in progress. */
  isDelivering(id: string): boolean;
}

/** An upload that may have left something in the library, and when its removal is due. */
interface CleanUp extends Job {
  siteId: string;
  /** Retries used. */
  retries: number;
  /** When the removal is due, on the monotonic clock; null: when the account is signed in. */
  dueAt: number | null;
  /** When the removal was planned first, on the monotonic clock. */
  since: number;
}

/**
 * How long a removal that fails or waits makes the queue count as busy. A search for an item that may have been created takes one
 * and a half minutes.
 */
const EXPECTED_FOR_MS = 3 * 60_000;
/** The number of parallel removals; a batch of ten thousand may have been cancelled. */
const PARALLEL = 4;

/**
 * Removes what cancelled and skipped uploads left in the library, each after its last step has ended. Removals that the
 * network, a maintenance or a missing sign-in prevents are retried afterwards; the rest is found again at the next
 * start.
 */
export class CleanUpJobs implements JobKind<CleanUp> {
  readonly name = 'clean-up';
  readonly #tools: CleanUpTools;
  readonly #lane: Lane;
  readonly #pending = new Map<string, CleanUp>();
  /** The sites of running jobs, by the id of the upload. */
  readonly #sites = new Map<string, string>();

  constructor(tools: CleanUpTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  /**
   * True while something is being removed, or will be soon. A removal that needs the user first (a sign-in, a keychain)
   * does not count, and nothing counts for longer than some minutes.
   */
  get isExpected(): boolean {
    if (this.#lane.size > 0) return true;
    const now = this.#tools.clock.monotonic();
    const needUser = this.#tools.breakers.sitesThatNeedTheUser();
    return [...this.#pending.values()].some(
      (pending) => now < expectedUntil(pending) && !needUser.includes(pending.siteId),
    );
  }

  get pendingCount(): number {
    return this.#lane.size + this.#pending.size;
  }

  /** The uploads whose leftovers are being removed right now. */
  ids(): string[] {
    return this.#lane.ids();
  }

  /** Returns whether an upload's leftovers are being removed right now. */
  isRunning(id: string): boolean {
    return this.#lane.has(id);
  }

  wake(): void {
    this.#lane.wake();
  }

  /** Continues the work of the previous process. */
  start(): void {
    for (const id of this.#tools.store.uncleaned()) this.#note(id, 0);
  }

  /** Plans the removal of what a cancelled or skipped upload may have left, in `inMs` at the earliest. */
  add(id: string, inMs = 0): void {
    this.#note(id, inMs);
    // Not called at once: ten thousand uploads may be cancelled together, and the lane is called once for all.
    this.#lane.wakeIn(0);
  }

  /** Drops the planned removal of an upload that continues. A removal in progress is not stopped. */
  drop(id: string): void {
    this.#pending.delete(id);
  }

  /** The account is signed in again: removals that waited for that are due now. */
  siteSignedIn(siteId: string): void {
    const now = this.#tools.clock.monotonic();
    for (const pending of this.#pending.values()) {
      if (pending.siteId === siteId && pending.dueAt === null) pending.dueAt = now;
    }
    this.#lane.wake();
  }

  slots(): number {
    return PARALLEL;
  }

  due(free: number): CleanUp[] {
    const now = this.#tools.clock.monotonic();
    const chosen: CleanUp[] = [];
    for (const [id, job] of this.#pending) {
      if (chosen.length >= free) break;
      if (!this.#isDue(job, now) || this.#tools.isDelivering(id) || this.#lane.has(id)) continue;
      this.#pending.delete(id);
      this.#sites.set(id, job.siteId);
      chosen.push(job);
    }
    return chosen;
  }

  /** Includes the time at which a removal is not expected any more, because the queue may be idle then. */
  nextInMs(): number | null {
    if (this.#pending.size === 0) return null;
    const now = this.#tools.clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const each of this.#pending.values()) {
      for (const at of [each.dueAt ?? 0, expectedUntil(each)]) if (at > now) next = Math.min(next, at);
    }
    return Number.isFinite(next) ? next - now : null;
  }

  run({ id }: CleanUp, signal: AbortSignal): Promise<JobResult> {
    return this.#tools.runner.cleanUp(id, signal);
  }

  record(job: CleanUp, result: JobResult): void {
    this.#sites.delete(job.id);
    // The upload was cancelled again meanwhile: the new removal counts.
    if (this.#pending.has(job.id)) return;
    switch (result.kind) {
      case 'done':
        return;
      // The removal would fail again in this process; the next process finds and repeats it.
      case 'ask':
      case 'failed':
        return;
      case 'wait':
        this.#again(job, result.inMs);
        return;
      case 'release':
        this.#again(job, STORE_REST_MS);
        return;
      case 'retry':
        this.#afterFailure(job, result.error);
    }
  }

  #afterFailure(job: CleanUp, error: AppErrorData): void {
    // A clean-up alone is no reason to request a sign-in: it waits until the account is signed in.
    if (dispositionOf(error.code) === 'sign-in') {
      this.#pending.set(job.id, { ...job, dueAt: null });
      return;
    }
    const retries = job.retries + 1;
    const inMs = retryWaitMs(retries, error);
    if (inMs !== null) this.#again({ ...job, retries }, inMs);
  }

  #again(job: CleanUp, inMs: number): void {
    this.#pending.set(job.id, { ...job, dueAt: this.#tools.clock.monotonic() + inMs });
  }

  #note(id: string, inMs: number): void {
    const siteId = this.#tools.store.get(id)?.siteId;
    if (siteId === undefined) return;
    const now = this.#tools.clock.monotonic();
    this.#pending.set(id, { id, siteId, retries: 0, dueAt: now + inMs, since: now });
  }

  #isDue({ siteId, dueAt }: CleanUp, now: number): boolean {
    const { breakers } = this.#tools;
    if (dueAt === null || dueAt > now || breakers.isOpen(siteId)) return false;
    // While the breaker is half-open, only one removal of the site runs, as a probe whether the maintenance is over.
    return !breakers.halfOpenSites().has(siteId) || ![...this.#sites.values()].includes(siteId);
  }
}

/** Until when a removal is expected (`isExpected`), on the monotonic clock; `-Infinity` for one that is due too late. */
function expectedUntil({ dueAt, since }: CleanUp): number {
  return dueAt === null || dueAt > since + EXPECTED_FOR_MS ? Number.NEGATIVE_INFINITY : since + EXPECTED_FOR_MS;
}
