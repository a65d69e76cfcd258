import { type AppErrorData, toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/error-catalog.ts';
import { retryAfterMsOf, retryWaitMs } from '../../../../shared/model/backoff.ts';
import { type FollowUp, followUpsInTurn, followUpTries } from '../../../../shared/model/follow-ups.ts';
import { withSuccess } from '../../../../shared/model/retries.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/upload-machine.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { STORE_REST_MS, whenStoreWorks } from '../../scheduler/when-store-works.ts';
import { notedWrites } from '../../sites/noted-writes.ts';
import type { SiteGates } from '../../sites/site-gates.ts';
import { siteWideCause } from '../../sites/site-wide-cause.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import { NotYet } from '../delivery/not-yet.ts';
import { HeldTooLong } from '../delivery/transfers.ts';
import type { FollowUpRows } from '../journal/follow-up-rows.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import { doFollowUp, type FollowUpTools, NotNow } from './follow-up-steps.ts';

export interface FollowUpWatchTools extends Omit<FollowUpTools, 'client' | 'signal'> {
  store: UploadStore;
  rows: FollowUpRows;
  journal: UploadJournal;
  gates: SiteGates;
  clock: Clock;
  logger: Logger;
  /** Throws `AppError` when the site is not known or nobody is signed in. */
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers at all; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
}

/** Uploads whose follow-ups are worked on at a time; those of one upload go one after the other. */
const PARALLEL = 2;
/** Trouble on this computer is tried again for about ten minutes; after that it waits for a person or the next start. */
const LOCAL_RETRIES = 6;
/** A site-wide cause closes the site's gate; this is how soon the row is looked at once it is open. */
const AFTER_GATE_MS = 1000;
/** While nothing may be sent, what would be asks again this often. */
const LOOK_AT_PACE_EVERY_MS = 60_000;
/** No follow-up waits longer than the longest step of the back-off: what lies further ahead is a clock that was set. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** Timers are cut short: a laptop that slept notices the true time within a minute. */
const LONGEST_SLEEP_MS = 60_000;
/** Rows of sites in maintenance of which some may only have a question left. */
const LOOKS_AHEAD = 64;

/** Sees to what is done after an upload is complete: captions, thumbnail, tags, and last the local file. */
export class FollowUpWatch {
  readonly #tools: FollowUpWatchTools;
  readonly #onProgress: () => void;
  readonly #stop = new AbortController();
  readonly #active = new Map<string, Promise<void>>();
  #started = false;
  #restingUntil = 0;
  #cancelTimer: () => void = () => {};

  /** `onProgress`: something has ended, so that others may have their turn. */
  constructor(tools: FollowUpWatchTools, onProgress: () => void) {
    this.#tools = tools;
    this.#onProgress = onProgress;
  }

  /** Trouble on this computer may have been mended since the last time. */
  start(): void {
    this.#started = true;
    this.#whenStoreWorks(
      () => {
        this.#retryLocalTrouble();
        this.wake();
      },
      () => this.start(),
    );
  }

  /** True while somebody is at work. */
  get isBusy(): boolean {
    return this.#active.size > 0;
  }

  /** Something may have become due. */
  wake(): void {
    if (!this.#started || this.#stop.signal.aborted) return;
    this.#cancelTimer();
    this.#whenStoreWorks(
      () => this.#lookAround(),
      () => this.wake(),
    );
  }

  #lookAround(): void {
    const { rows, gates, clock, journal } = this.#tools;
    if (journal.followUps.pending === 0) return;
    const restMs = this.#restingUntil - clock.monotonic();
    if (restMs > 0) {
      this.#cancelTimer = clock.schedule(restMs, () => this.wake());
      return;
    }
    // One instant for both questions: what came due between them would be in neither answer.
    const now = clock.now();
    const due = [
      ...rows.due(now, LONGEST_WAIT_MS, PARALLEL * 2, gates.blockedSites()),
      ...rows
        .dueAtSites(now, LONGEST_WAIT_MS, LOOKS_AHEAD, gates.readOnlySites())
        .filter((id) => this.#hasLook(id, now)),
    ];
    for (const id of due) if (this.#active.size < PARALLEL && !this.#active.has(id)) this.#run(id);
    const nextAt = rows.nextAt(now);
    // Whoever opens a site’s gate wakes this; the minute is for the case that nobody did.
    const isKeptWaiting = gates.blockedSites().length > 0;
    if (nextAt === null && !isKeptWaiting) return;
    const inMs = Math.min(Math.max((nextAt ?? Number.POSITIVE_INFINITY) - clock.now(), 20), LONGEST_SLEEP_MS);
    this.#cancelTimer = clock.schedule(inMs, () => this.wake());
  }

  /** Looks at rows now, or later when they can't be read: whoever woke the watch has their own work. */
  #whenStoreWorks(work: () => void, again: () => void = work): void {
    const later = whenStoreWorks(this.#tools, 'follow-ups', work, () => {
      if (!this.#stop.signal.aborted) again();
    });
    if (later !== null) this.#cancelTimer = later;
  }

  #retryLocalTrouble(): void {
    const { store, journal, rows } = this.#tools;
    for (const id of rows.withFailed()) {
      const isLocal = store
        .get(id)
        ?.followUps.some(({ state, error }) => state === 'failed' && error !== null && isLocalTrouble(error));
      if (isLocal) journal.record(id, { kind: 'follow-ups-retried' });
    }
  }

  stop(): void {
    this.#cancelTimer();
    this.#stop.abort(new Error('the follow-ups were stopped'));
  }

  async whenStopped(): Promise<void> {
    await Promise.allSettled(this.#active.values());
  }

  #run(id: string): void {
    const work = this.#work(id)
      .catch((error: unknown) => {
        // Only a store that can't be written ends up here; the row is as it was.
        this.#restingUntil = this.#tools.clock.monotonic() + STORE_REST_MS;
        this.#tools.logger.error('follow-up.not-recorded', { id, error: toAppError(error).toData() });
      })
      .finally(() => {
        this.#active.delete(id);
        this.#onProgress();
        this.wake();
      });
    this.#active.set(id, work);
  }

  /** All follow-ups of an upload whose turn it is, each once. */
  async #work(id: string): Promise<void> {
    const { store, clock } = this.#tools;
    const tried = new Set<number>();
    for (;;) {
      const upload = store.get(id);
      if (!upload || upload.followUpAt === null || this.#stop.signal.aborted) return;
      if (this.#tools.gates.holdsReads(upload.siteId)) return;
      const now = clock.now();
      const index = this.#dueOf(upload, now).find((each) => !tried.has(each));
      if (index === undefined) return;
      tried.add(index);
      await this.#one(upload, index);
    }
  }

  /** Places of the follow-ups that are due. In maintenance these are the ones that only ask. */
  #dueOf(upload: Upload, now: number): number[] {
    const asksOnly = this.#tools.gates.isClosed(upload.siteId);
    return followUpsInTurn(upload.followUps, upload.state === 'complete').filter((index) => {
      const followUp = upload.followUps[index];
      const nextAt = followUp?.nextAt ?? 0;
      if (nextAt > now && nextAt <= now + LONGEST_WAIT_MS) return false;
      return !asksOnly || (followUp !== undefined && isLook(followUp));
    });
  }

  #hasLook(id: string, now: number): boolean {
    const upload = this.#tools.store.get(id);
    return upload !== null && this.#dueOf(upload, now).length > 0;
  }

  async #one(upload: Upload, index: number): Promise<void> {
    const { journal, clock, clientFor, logger } = this.#tools;
    const record = (event: UploadEvent) => journal.record(upload.id, event);
    const { signal } = this.#stop;
    let answered = 0;
    const latest = () => this.#tools.store.get(upload.id)?.followUps[index];
    try {
      const client = notedWrites(clientFor(upload.siteId), upload.siteId, this.#tools, () => {
        answered += 1;
      });
      await doFollowUp(upload, index, { ...this.#tools, client, signal });
      record({ kind: 'follow-up-done', index });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof NotYet) {
        const until = Math.round(clock.now() + Math.max(error.inMs, 50));
        // The question was answered: errors that came before were other ones.
        const tries = withSuccess(latest()?.tries ?? {}, ['look']);
        record({ kind: 'follow-up-delayed', index, error: null, until, countsAsAttempt: false, tries });
        return;
      }
      if (error instanceof NotNow || error instanceof HeldTooLong) {
        const until = clock.now() + LOOK_AT_PACE_EVERY_MS;
        const reason = error instanceof NotNow ? error.reason : this.#tools.pacing.notice();
        record({ kind: 'follow-up-delayed', index, error: reason, until, countsAsAttempt: false });
        return;
      }
      if (sqliteCodeOf(error) !== null) throw error;
      const classified = toAppError(error);
      if (classified.code === 'internal') {
        logger.error('follow-up.fault', { id: upload.id, stack: String((error as Error)?.stack ?? error) });
      }
      // The host of captions and thumbnails is another than the library.
      const data = (await siteWideCause(upload.siteId, classified, this.#tools.probe)).toData();
      if (signal.aborted) return;
      this.#tools.gates.report(upload.siteId, data);
      const followUp = latest();
      if (followUp !== undefined) record(afterFollowUpFailure(followUp, index, data, clock.now(), answered));
    }
  }
}

/** What a failed follow-up comes to. A site-wide cause uses up no attempt. */
export function afterFollowUpFailure(
  followUp: FollowUp,
  index: number,
  error: AppErrorData,
  now: number,
  answered: number,
): UploadEvent {
  const failed = { kind: 'follow-up-failed', index, error } as const;
  switch (dispositionOf(error.code)) {
    case 'permanent':
    case 'ask':
      return failed;
    case 'retry':
    // No watch of disks wakes a follow-up.
    case 'wait-disk': {
      const { tries, count } = followUpTries(followUp, error.code, answered);
      const delayMs = isLocalTrouble(error) && count > LOCAL_RETRIES ? null : retryWaitMs(count, error);
      if (delayMs === null) return failed;
      return { kind: 'follow-up-delayed', index, error, until: now + delayMs, countsAsAttempt: true, tries };
    }
    default: {
      const waitMs = Math.max(AFTER_GATE_MS, retryAfterMsOf(error) ?? 0);
      return { kind: 'follow-up-delayed', index, error, until: now + waitMs, countsAsAttempt: false };
    }
  }
}

/** Captions that were sent are only asked about, until that came to something that the maintenance refused. */
function isLook({ kind, fileId, sentAt, error }: FollowUp): boolean {
  return kind === 'captions' && fileId !== null && sentAt !== null && error?.code !== 'api.read-only';
}

function isLocalTrouble({ code }: AppErrorData): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'wait-disk' || (code.startsWith('source.') && disposition === 'retry');
}
