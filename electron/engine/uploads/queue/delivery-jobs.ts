import type { FailedStep } from '../../../../shared/model/uploads/retries.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { Clock } from '../../ports/clock.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import type { JobResult } from '../../scheduler/job-result.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import type { Transfers } from '../delivery/transfers.ts';
import type { UploadRunner } from '../delivery/upload-runner.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import type { DeadlineKeeper } from '../pacing/deadline-keeper.ts';
import type { DiskTurns } from '../pacing/disk-turns.ts';
import type { Pacing } from '../pacing/pacing.ts';
import type { RunnableUploads } from './runnable-uploads.ts';
import { shortenWaits } from './shorten-waits.ts';

export interface DeliveryTools {
  store: UploadStore;
  journal: UploadJournal;
  transfers: Transfers;
  runner: UploadRunner;
  breakers: SiteBreakers;
  runnable: RunnableUploads;
  pacing: Pacing;
  deadlines: DeadlineKeeper;
  disks: DiskTurns;
  clock: Clock;
  /** The setting `parallelTransfers`: how many uploads may use a slot. */
  parallelTransfers(): number;
  /** Returns whether the leftovers of an upload are being removed. The upload does not start before that has ended. */
  isCleaningUp(id: string): boolean;
  /** Returns whether a command that stops uploads is in progress. No upload starts before it has ended. */
  isBlockedByCommand(): boolean;
}

/** The interval of ticks while a delivery runs or a breaker is open, to check deadlines and to detect a sleep of the computer. */
const CHECK_EVERY_MS = 5000;

/**
 * Delivers uploads: a few at a time, in queue order, none of a site whose breaker is open. The rows are in the
 * database; only the disks in use are kept here.
 */
export class DeliveryJobs implements JobKind {
  readonly name = 'upload';
  readonly #tools: DeliveryTools;
  readonly #lane: Lane;
  readonly #devices = new Map<string, string>();
  /** When due rows were last read, on the wall clock. */
  #readAt = 0;

  constructor(tools: DeliveryTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  /** Returns the ids of the uploads whose job runs. */
  ids(): string[] {
    return this.#lane.ids();
  }

  isRunning(id: string): boolean {
    return this.#lane.has(id);
  }

  /** The number of slots in use. A transfer that the user paused uses none. */
  get taken(): number {
    return this.#lane.size - this.#tools.transfers.heldCount();
  }

  wake(): void {
    this.#lane.wake();
  }

  /** Wakes the lane at a time in epoch milliseconds, when a wait ends. May be called while an event is recorded. */
  wakeAt(at: number): void {
    this.#lane.wakeIn(Math.max(0, at - this.#tools.clock.now()));
  }

  slots(): number {
    return this.#tools.parallelTransfers() + this.#tools.transfers.heldCount();
  }

  start(): void {
    this.shortenWaits();
  }

  /** Limits every wait to its backoff step, after the clock was set back. */
  shortenWaits(): void {
    const { store, journal, clock } = this.#tools;
    shortenWaits(store, journal, clock);
  }

  due(free: number): Job[] {
    const { pacing, deadlines, clock, breakers, isBlockedByCommand } = this.#tools;
    if (pacing.nextChangeInMs() === 0) pacing.apply();
    this.#readAt = clock.now();
    deadlines.check();
    const next = free > 0 && pacing.mayBegin && !isBlockedByCommand() ? this.#next(free) : [];
    return deadlines.admit(next).map(({ id, siteId, identity }) => {
      breakers.begun(siteId, id);
      this.#devices.set(id, deviceOf(identity));
      return { id };
    });
  }

  /**
   * Considers only uploads that become due after the last call of `due`. Those that were due then and did not start wait for a
   * slot, a breaker or the user, each of which wakes this lane.
   */
  nextInMs(): number | null {
    const { store, journal, clock, pacing, breakers } = this.#tools;
    const now = clock.now();
    const dueAt = journal.counts.waiting === 0 ? null : store.nextDueAt(Math.min(this.#readAt, now));
    const dueInMs = dueAt === null ? null : Math.max(0, dueAt - now);
    const isActive = this.#lane.size > 0 || breakers.blockedSites().length > 0;
    const waits = [dueInMs, pacing.nextChangeInMs(), isActive ? CHECK_EVERY_MS : null].filter((ms) => ms !== null);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  run({ id }: Job, signal: AbortSignal): Promise<JobResult<FailedStep>> {
    return this.#tools.runner.deliver(id, signal);
  }

  record({ id }: Job, result: JobResult<FailedStep>): void {
    this.#tools.runner.record(id, result);
    this.#devices.delete(id);
  }

  /** Returns the next uploads in the order of the queue, at most `limit`. */
  #next(limit: number): Upload[] {
    const { runnable, journal, breakers, disks, isCleaningUp } = this.#tools;
    return runnable.next({
      now: this.#readAt,
      limit,
      areWaiting: journal.counts.waiting > 0,
      blockedSites: [
        ...breakers.blockedSites().filter((siteId) => breakers.blocksReads(siteId)),
        ...breakers.undecidedSites((id) => this.#mayRequest(id)),
      ],
      readOnlySites: breakers.readOnlySites(),
      soloSites: breakers.halfOpenSites(),
      isBusy: (id) => this.#lane.has(id) || isCleaningUp(id),
      isSerial: (device) => disks.isSerial(device),
      busyDevices: this.#readDevices(),
    });
  }

  /** Returns whether a running upload may send a request to its site. While it transfers its bytes, it sends none. */
  #mayRequest(id: string): boolean {
    return this.#lane.has(id) && this.#tools.transfers.get(id) === undefined;
  }

  /** Returns the disks with a file that is being read. */
  #readDevices(): Set<string> {
    const { transfers } = this.#tools;
    const devices = new Set<string>();
    for (const [id, device] of this.#devices) {
      const live = transfers.get(id);
      if (live === undefined || (live.isReading && !live.gate.isHeldBy('user'))) devices.add(device);
    }
    return devices;
  }
}
