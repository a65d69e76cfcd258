import { appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/error-catalog.ts';
import {
  asksAboutDuplicate,
  COMMAND_STATES,
  commandApplies,
  isOpenToChoice,
  type Upload,
  type UploadCommand,
} from '../../../shared/model/upload-machine.ts';
import { isEnded, type UploadState } from '../../../shared/model/upload-states.ts';
import type { SiteClient } from '../api/http-client.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { ClockWatch } from './clock-watch.ts';
import type { DeadlineKeeper } from './deadline-keeper.ts';
import { deviceOf } from './device-of.ts';
import type { DiskTurns } from './disk-turns.ts';
import { FollowUpWatch, type FollowUpWatchTools } from './follow-up-watch.ts';
import type { Pacing } from './pacing.ts';
import { ProcessingWatch } from './processing-watch.ts';
import type { QueuePause } from './queue-pause.ts';
import type { RunnableUploads } from './runnable-uploads.ts';
import { shortenWaits } from './shorten-waits.ts';
import type { SiteGates } from './site-gates.ts';
import { Cancelled, type Transfers } from './transfers.ts';
import type { UploadJournal } from './upload-journal.ts';
import type { UploadRunner } from './upload-runner.ts';
import type { UploadStore } from './upload-store.ts';
import { STORE_REST_MS, whenStoreWorks } from './when-store-works.ts';

/** States that go on while the queue is paused: the bytes are delivered, the service is at work. */
const FOLLOWED = ['processing', 'publishing'] as const;

export interface QueueTools {
  store: UploadStore;
  journal: UploadJournal;
  transfers: Transfers;
  runner: UploadRunner;
  gates: SiteGates;
  runnable: RunnableUploads;
  pause: QueuePause;
  pacing: Pacing;
  deadlines: DeadlineKeeper;
  disks: DiskTurns;
  clock: Clock;
  logger: Logger;
  /** Transfers at a time, as it is now. */
  parallelTransfers(): number;
  probe(siteId: string): Promise<void>;
  followUps: FollowUpWatchTools;
  /** Ends connections that nobody uses, and asks questions again that are on their way. */
  reconnect(): void;
  /** Throws `AppError` when the site is not known or nobody is signed in. */
  clientFor(siteId: string): SiteClient;
  /** Called once when the queue goes to work: whoever looks out for something begins. */
  onStart(): void;
}

/** While anything moves or is waited for: a sleep is noticed, and what is too slow. */
const LOOK_EVERY_MS = 5000;
/** Otherwise: a laptop that slept notices the true time within a minute. */
const LOOK_AT_REST_EVERY_MS = 60_000;
/** How long a transfer may take to show after a sleep that its connection is alive; its destination may think longer. */
const ALIVE_WITHIN_MS = 5000;
const ANSWER_WITHIN_MS = 60_000;

/** States that an upload reaches only when its site has taken a change. */
const TAKEN_BY_SITE = new Set<UploadState>(['sending', 'processing', 'publishing', 'complete']);

/** States that go on by themselves once the queue works. */
const RESTLESS = ['queued', 'preparing', 'sending', 'finishing', 'processing', 'publishing', 'waiting'] as const;

/**
 * Decides which uploads run: a few at a time, in the order of the queue, none of a site whose gate is closed. The rows
 * are in the store; what is kept here is only who is at work in this process.
 */
export class UploadQueue {
  readonly #tools: QueueTools;
  readonly #watch: ProcessingWatch;
  readonly #followUps: FollowUpWatch;
  readonly #unsubscribe: (() => void)[];
  readonly #stop = new AbortController();
  readonly #active = new Map<string, Promise<void>>();
  /** The disk of each that is at work. */
  readonly #devices = new Map<string, string>();
  /** The site of each that is at work. */
  readonly #sites = new Map<string, string>();
  readonly #cleaning = new Map<string, Promise<void>>();
  readonly #idleWaiters = new Set<() => void>();
  #started = false;
  #probing = 0;
  readonly #clockWatch: ClockWatch;
  /** Rows that came due by then had their chance to start. */
  #lookedAt = 0;
  #cancelWake: () => void = () => {};

  constructor(tools: QueueTools) {
    this.#tools = tools;
    this.#watch = new ProcessingWatch(tools);
    this.#clockWatch = new ClockWatch(tools.clock);
    this.#followUps = new FollowUpWatch(tools.followUps, () => {
      this.#watch.wake();
      this.#tellIdle();
    });
    const onChange = tools.journal.onDidChange.on(({ before, after }) => {
      if (after.followUpAt !== null && after.state !== before) this.#followUps.wake();
      // Found out late that the collection has it: the item that was made for it is not needed.
      if (after.state === 'skipped' && before !== null && before !== 'skipped') this.#cleanUp(after.id);
      // A destination was given, or more: the site takes changes, and the others need not wait for this one's bytes.
      if (TAKEN_BY_SITE.has(after.state) && tools.gates.passed(after.siteId)) this.#pumpSoon();
      // Also when only the watch was at work on it, so that nobody pumps after it; and a closed gate is to be probed.
      const isToBeWoken = after.state === 'waiting' || tools.gates.isClosed(after.siteId);
      this.#whenStoreWorks(() => {
        if (isEnded(after.state)) this.#tellIdle();
        if (isToBeWoken && !this.#stop.signal.aborted) this.#planWake();
      });
    });
    // Whoever met the closed door may have noted nothing about a row, as the watch does: the next look is planned here.
    const onClose = tools.gates.onDidClose.on(() => this.#pumpSoon());
    this.#unsubscribe = [onChange, onClose];
  }

  /** Puts rows back that the last process left in the middle, then goes to work. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#tools.onStart();
    this.repair();
    const { store, journal, clock } = this.#tools;
    shortenWaits(store, journal, clock);
    for (const id of this.#tools.store.uncleaned()) this.#cleanUp(id);
    this.#watch.start();
    this.#followUps.start();
    this.pump();
  }

  /** True when a person paused the queue as a whole: nothing new starts. Kept over restarts. */
  get isPaused(): boolean {
    return this.#tools.pause.isForGood;
  }

  /** Pauses everything: what runs is held, what is queued stays so. */
  pauseAll(): number {
    this.#tools.pause.pause();
    return this.command('pause', [...this.#active.keys()]);
  }

  /** Pauses everything until an instant: what runs is held and goes on where it stands, if the time is not too long. */
  pauseUntil(until: number): number {
    const { store, pause, transfers } = this.#tools;
    const wereStopped = pause.isForGood ? store.select('all', statesFor('resume')) : [];
    pause.pauseUntil(until);
    this.paceChanged();
    // What the pause for good had stopped one by one ends with this one now.
    this.command('resume', wereStopped);
    return [...transfers.entries()].length;
  }

  resumeAll(): number {
    this.#tools.pause.resume();
    this.paceChanged();
    return this.command('resume', this.#tools.store.select('all', statesFor('resume')));
  }

  /** The settings or the clock say something new about when and how fast things are sent. */
  paceChanged(): void {
    this.#tools.pacing.apply();
    this.pump();
  }

  /** A row that no process works on shows no work. Done at every start, also of a process that only looks. */
  repair(): void {
    const { store, journal } = this.#tools;
    for (const id of store.select('all', ['preparing', 'sending', 'finishing'])) {
      journal.record(id, { kind: 'interrupted' });
    }
  }

  /** Starts what can start. Called whenever something may have changed; cheap when nothing has. */
  pump(): void {
    if (!this.#started || this.#stop.signal.aborted) return;
    this.#whenStoreWorks(() => this.#pump());
  }

  /** Work that a store which can't be used puts off: the queue looks again by itself. */
  #whenStoreWorks(work: () => void): void {
    const later = whenStoreWorks(this.#tools, 'queue', work, () => this.pump());
    if (later === null) return;
    this.#cancelWake();
    this.#cancelWake = later;
  }

  #pump(): void {
    const { gates, transfers, pacing, deadlines, clock, parallelTransfers } = this.#tools;
    this.#lookAtClock();
    if (pacing.nextChangeInMs() === 0) pacing.apply();
    for (const due of gates.takeDueProbes()) this.#openOrReport(due.siteId, dispositionOf(due.error.code));
    this.#lookedAt = clock.now();
    deadlines.look();
    const limit = parallelTransfers() - (this.#active.size - transfers.heldCount());
    const next = limit > 0 && pacing.isOpen ? this.#next(limit) : [];
    for (const upload of deadlines.admit(next)) this.#run(upload);
    this.#planWake();
    this.#tellIdle();
  }

  /**
   * The computer slept, or got on a network again: whatever has to be asked is asked at once, and connections from
   * before have to show that they are alive.
   */
  comeBack(): void {
    if (!this.#started || this.#stop.signal.aborted) return;
    const { transfers, gates, pacing, reconnect } = this.#tools;
    reconnect();
    transfers.proveAlive(ALIVE_WITHIN_MS, ANSWER_WITHIN_MS);
    gates.probeNow();
    pacing.apply();
    this.#watch.wake();
    this.#followUps.wake();
    this.pump();
  }

  command(command: UploadCommand, ids: readonly string[]): number {
    let changed = 0;
    for (const id of ids) {
      const upload = this.#tools.store.get(id);
      if (!upload || !applies(command, upload)) continue;
      this.#apply(command, upload);
      changed += 1;
    }
    // A row that goes on after its bytes were delivered is the watch's.
    this.#watch.wake();
    this.#followUps.wake();
    this.pump();
    return changed;
  }

  /** A person decided about uploads that their collection has already. Answers how many that changed. */
  resolveDuplicates(choice: 'skip' | 'upload', ids: readonly string[]): number {
    const { store, journal, clock } = this.#tools;
    let changed = 0;
    for (const id of ids) {
      const upload = store.get(id);
      if (!upload || !isOpenToChoice(upload, choice)) continue;
      const { details } = upload.error ?? { details: null };
      const error = appError('upload.duplicate-skipped', { details: details ?? {} }).toData();
      journal.record(id, { kind: 'duplicate-resolved', choice, error, at: clock.now() });
      changed += 1;
    }
    this.pump();
    return changed;
  }

  /** Somebody is signed in to the site: uploads that waited for that go on. */
  siteSignedIn(siteId: string): void {
    if (!this.#tools.gates.openForSignIn(siteId)) return;
    this.#watch.wake();
    this.#followUps.wake();
    this.pump();
  }

  /** See `Engine.whenUploadsIdle`. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.add(resolve);
      this.#tellIdle();
    });
  }

  /** Ends all transfers and waits until nobody touches the store any more. */
  async stop(): Promise<void> {
    this.#cancelWake();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#stop.abort(new Error('the queue was stopped'));
    this.#watch.stop();
    this.#followUps.stop();
    await Promise.allSettled([
      ...this.#active.values(),
      ...this.#cleaning.values(),
      this.#watch.whenStopped(),
      this.#followUps.whenStopped(),
    ]);
  }

  /** Those whose turn it is, at most `limit`. */
  #next(limit: number): Upload[] {
    const { runnable, journal, gates, transfers, disks } = this.#tools;
    const isReading = (id: string) => {
      const live = transfers.get(id);
      return live === undefined || (live.isReading && !live.gate.isHeldBy('person'));
    };
    const onTrial = gates.sitesOnTrial();
    return runnable.next({
      now: this.#lookedAt,
      limit,
      areWaiting: journal.counts.waiting > 0,
      blockedSites: [...gates.blockedSites(), ...[...this.#sites.values()].filter((site) => onTrial.has(site))],
      soloSites: onTrial,
      isBusy: (id) => this.#isBusy(id),
      isSerial: (device) => disks.isSerial(device),
      busyDevices: new Set([...this.#devices].flatMap(([id, device]) => (isReading(id) ? [device] : []))),
    });
  }

  #run({ id, siteId, identity }: Upload): void {
    this.#sites.set(id, siteId);
    this.#devices.set(id, deviceOf(identity));
    const work = this.#tools.runner.deliver(id, this.#stop.signal).catch((error: unknown) => {
      // Only a store that can't be written ends up here.
      this.#tools.logger.error('upload.not-recorded', { id, error: toAppError(error).toData() });
      return this.#putBackLater(id);
    });
    this.#active.set(
      id,
      work.finally(() => {
        this.#active.delete(id);
        this.#devices.delete(id);
        this.#sites.delete(id);
        this.#watch.wakeSoon();
        this.pump();
      }),
    );
  }

  /** Keeps the slot until the row can be written again: without that the next try would begin at once, for ever. */
  async #putBackLater(id: string): Promise<void> {
    const { journal, clock, logger } = this.#tools;
    while (!this.#stop.signal.aborted) {
      await sleep(clock, STORE_REST_MS, this.#stop.signal).catch(() => {});
      try {
        journal.record(id, { kind: 'interrupted' });
        return;
      } catch (error) {
        logger.warn('upload.not-put-back', { id, code: toAppError(error).code });
      }
    }
  }

  #apply(command: UploadCommand, { id, state }: Upload): void {
    const { journal, transfers, clock } = this.#tools;
    switch (command) {
      case 'pause':
        transfers.hold(id);
        journal.record(id, { kind: 'paused' });
        return;
      case 'resume':
        journal.record(id, { kind: 'resumed', transferAlive: transfers.release(id) });
        return;
      case 'cancel':
        journal.record(id, { kind: 'cancelled', at: clock.now() });
        transfers.get(id)?.abort(new Cancelled());
        // What never was begun left nothing: a batch of ten thousand is cancelled without ten thousand looks.
        if (this.#isBusy(id) || this.#tools.store.get(id)?.mediaId !== null) this.#cleanUp(id);
        return;
      case 'retry':
        journal.record(id, { kind: state === 'complete' ? 'follow-ups-retried' : 'retried' });
        return;
    }
  }

  /** Removes what a cancelled upload left in the library, once its last step has ended. */
  #cleanUp(id: string): void {
    const work = Promise.all([this.#active.get(id), this.#cleaning.get(id)])
      .then(() => this.#tools.runner.cleanUp(id, this.#stop.signal))
      .finally(() => {
        if (this.#cleaning.get(id) === work) this.#cleaning.delete(id);
        this.pump();
      });
    this.#cleaning.set(id, work);
  }

  /** Whether somebody is at work on an upload: nobody else begins, not even when it was retried meanwhile. */
  #isBusy(id: string): boolean {
    return this.#active.has(id) || this.#cleaning.has(id);
  }

  /** Finds out whether a closed site is back. Maintenance shows only in writes, so there a waiting row is the probe. */
  #openOrReport(siteId: string, disposition: ReturnType<typeof dispositionOf>): void {
    const { gates, probe } = this.#tools;
    if (disposition === 'wait-site') {
      gates.openForTry(siteId);
      this.#watch.wake();
      this.#followUps.wake();
      return;
    }
    this.#probing += 1;
    probe(siteId)
      .then(
        () => gates.open(siteId),
        (error: unknown) => gates.report(siteId, toAppError(error).toData()),
      )
      .finally(() => {
        this.#probing -= 1;
        this.#watch.wake();
        this.#followUps.wake();
        this.pump();
      });
  }

  /** Not inside the record of a fact: that one is to be written first. */
  #pumpSoon(): void {
    this.#tools.clock.schedule(0, () => this.pump());
  }

  /** One timer for the next thing that comes due. */
  #planWake(): void {
    const { store, journal, gates, clock, pacing } = this.#tools;
    this.#lookAtClock();
    this.#cancelWake();
    // What was due when it was last looked and could not start waits for a slot, a gate or a person, and each of them
    // pumps. What came due since then has had nobody look: time goes on between a look and the plan for the next one.
    const dueAt = journal.counts.waiting === 0 ? null : store.nextDueAt(Math.min(this.#lookedAt, clock.now()));
    const dueInMs = dueAt === null ? null : Math.max(dueAt - clock.now(), 20);
    const isAtWork = this.#active.size > 0 || gates.blockedSites().length > 0;
    const waits = [gates.nextProbeInMs(), dueInMs, pacing.nextChangeInMs(), isAtWork ? LOOK_EVERY_MS : null];
    const soonest = Math.min(...waits.filter((wait) => wait !== null), LOOK_AT_REST_EVERY_MS);
    const isNeeded = waits.some((wait) => wait !== null);
    this.#clockWatch.expect(isNeeded ? soonest : null);
    if (isNeeded) this.#cancelWake = clock.schedule(soonest, () => this.pump());
  }

  #lookAtClock(): void {
    const { store, journal, clock } = this.#tools;
    const { wasSetBack, hasJumped } = this.#clockWatch.look();
    this.#clockWatch.expect(null);
    if (wasSetBack) shortenWaits(store, journal, clock);
    if (hasJumped) this.comeBack();
  }

  #tellIdle(): void {
    if (this.#idleWaiters.size === 0 || this.#active.size - this.#tools.transfers.heldCount() > 0) return;
    if (this.#cleaning.size > 0 || this.#probing > 0 || this.#followUps.isBusy) return;
    const { journal, pacing } = this.#tools;
    const states = pacing.isClosedForGood ? FOLLOWED : RESTLESS;
    const restless = states.reduce((sum, state) => sum + journal.counts[state], 0) + journal.followUps.pending;
    if (restless > 0 && !this.#allNeedAPerson(states)) return;
    for (const resolve of this.#idleWaiters) resolve();
    this.#idleWaiters.clear();
  }

  /** True when all that is left waits for a person: a sign-in, or a locked keychain. */
  #allNeedAPerson(states: readonly UploadState[]): boolean {
    const { journal, gates } = this.#tools;
    const closed = gates.sitesForAPerson();
    if (closed.length === 0 || this.#tools.followUps.rows.isOpen(closed)) return false;
    // What is delivered is followed with the same sign-in, so it does not go on without one either.
    return !journal.hasOpen(states, closed);
  }
}

/**
 * Whether a command does something to a row. What failed after an upload was complete can be tried again too; what asks
 * about a duplicate would only ask again.
 */
function applies(command: UploadCommand, upload: Upload): boolean {
  const { state, followUps } = upload;
  if (commandApplies(command, state)) return command !== 'retry' || !asksAboutDuplicate(upload);
  return command === 'retry' && state === 'complete' && followUps.some((each) => each.state === 'failed');
}

/** The states in which a command has an effect, for choosing rows. */
export function statesFor(command: UploadCommand) {
  return COMMAND_STATES[command];
}
