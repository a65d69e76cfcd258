import type { CancelEffects, UploadSelection } from '../../../../shared/contract/uploads.ts';
import type { Upload } from '../../../../shared/model/upload-machine.ts';
import { isEnded } from '../../../../shared/model/upload-states.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { ClockWatch } from '../../scheduler/clock-watch.ts';
import { whenStoreWorks } from '../../scheduler/when-store-works.ts';
import type { SiteGates } from '../../sites/site-gates.ts';
import { SiteProbes } from '../../sites/site-probes.ts';
import { mayHaveLeft } from '../delivery/planner.ts';
import type { Transfers } from '../delivery/transfers.ts';
import type { UploadRunner } from '../delivery/upload-runner.ts';
import { FollowUpWatch, type FollowUpWatchTools } from '../follow-ups/follow-up-watch.ts';
import type { CommandName } from '../journal/command-kinds.ts';
import type { CommandStore } from '../journal/command-store.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import type { DeadlineKeeper } from '../pacing/deadline-keeper.ts';
import type { DiskTurns } from '../pacing/disk-turns.ts';
import type { Pacing } from '../pacing/pacing.ts';
import type { QueuePause } from '../pacing/queue-pause.ts';
import { ProcessingWatch } from '../processing/processing-watch.ts';
import { CancelUndos, UNDO_KEPT_MS } from './cancel-undos.ts';
import { QueueIdle } from './queue-idle.ts';
import { QueueSlots } from './queue-slots.ts';
import type { RunnableUploads } from './runnable-uploads.ts';
import { shortenWaits } from './shorten-waits.ts';
import { UploadCommands } from './upload-commands.ts';

export interface QueueTools {
  store: UploadStore;
  commands: CommandStore;
  /** Rows of a command per transaction, where a test wants another number than the usual one. */
  sliceRows?: number;
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
  random: Random;
  logger: Logger;
  /** Transfers at a time, as it is now. */
  parallelTransfers(): number;
  /** Resolves when the site answers at all; otherwise throws a network error. */
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
  readonly #slots: QueueSlots;
  readonly #commands: UploadCommands;
  readonly #undos: CancelUndos;
  readonly #idle: QueueIdle;
  readonly #probes: SiteProbes;
  #started = false;
  readonly #clockWatch: ClockWatch;
  /** Rows that came due by then had their chance to start. */
  #lookedAt = 0;
  #cancelWake: () => void = () => {};
  /**
   * True from the moment in which the clock was found set back until every wait is shortened: the store may refuse the first
   * tries. Initially true, because the clock may have been set back while no process ran.
   */
  #areWaitsToBeShortened = true;

  constructor(tools: QueueTools) {
    this.#tools = tools;
    this.#watch = new ProcessingWatch(tools);
    this.#clockWatch = new ClockWatch(tools.clock);
    this.#followUps = new FollowUpWatch(tools.followUps, () => {
      this.#watch.wake();
      this.#whenStoreWorks(() => this.#idle.look());
    });
    const onFree = () => {
      this.#watch.wakeSoon();
      this.pump();
    };
    const wakeWatches = () => {
      this.#watch.wake();
      this.#followUps.wake();
    };
    this.#slots = new QueueSlots(tools, this.#stop.signal, onFree, () => this.pump());
    this.#probes = new SiteProbes(tools, wakeWatches, () => this.#wakeAll());
    this.#idle = new QueueIdle({ ...tools, followUpRows: tools.followUps.rows }, () => this.#isAnybodyAtWork());
    this.#commands = new UploadCommands(tools, {
      atWork: () => this.#slots.ids(),
      isBusy: (id) => this.#slots.isBusy(id),
      cleanUp: (id, canBeUndone) => this.#cleanUp(id, canBeUndone ? UNDO_KEPT_MS : 0),
      keep: (id) => this.#slots.cleanUps.drop(id),
      wake: () => {
        this.#wakeAll();
        this.#idle.look();
      },
    });
    this.#undos = new CancelUndos(tools.clock, tools.random);
    const onChange = tools.journal.onDidChange.on(({ before, after }) => {
      if (after.followUpAt !== null && after.state !== before) this.#followUps.wake();
      // Found out late that the collection has it: the item that was made for it is not needed.
      if (after.state === 'skipped' && before !== null && before !== 'skipped') {
        if (mayHaveLeft(after) || this.#slots.isBusy(after.id)) this.#cleanUp(after.id);
      }
      // Also when only the watch was at work on it, so that nobody pumps after it; and a closed gate is to be probed.
      const isToBeWoken = after.state === 'waiting' || tools.gates.isClosed(after.siteId);
      this.#whenStoreWorks(() => {
        if (isEnded(after.state)) this.#idle.look();
        if (isToBeWoken && !this.#stop.signal.aborted) this.#planWake();
      });
    });
    // Whoever met the closed door may have noted nothing about a row, as the watch does: the next look is planned here.
    const onClose = tools.gates.onDidClose.on(() => this.#pumpSoon());
    // The site takes changes again: the others need not wait for the bytes of the one that found out.
    const onPass = tools.gates.onDidPass.on(() => this.#pumpSoon());
    this.#unsubscribe = [onChange, onClose, onPass];
  }

  /** Puts rows back that the last process left in the middle, then goes to work. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#tools.onStart();
    this.repair();
    this.#slots.cleanUps.start();
    this.#watch.start();
    this.#followUps.start();
    this.#commands.start();
    this.pump();
  }

  /** Removals in the library that failed or wait, and will be tried again. */
  get pendingCleanUps(): number {
    return this.#slots.cleanUps.pendingCount;
  }

  /** True when a person paused the queue as a whole: nothing new starts. Kept over restarts. */
  get isPaused(): boolean {
    return this.#tools.pause.isForGood;
  }

  /** Carries out what a person says about uploads. Answers how many rows that changed. */
  command(name: CommandName, selection: UploadSelection): Promise<number> {
    return this.#commands.run(name, selection);
  }

  /** What a cancel of the selected uploads would mean, as they are now. */
  effectsOfCancel(selection: UploadSelection): Promise<CancelEffects> {
    return this.#commands.effectsOfCancel(selection);
  }

  /**
   * Cancels those of the selected uploads of which nothing was delivered, and passes over the others. The answer's `undoId`
   * undoes it for a while.
   */
  async cancelWaiting(selection: UploadSelection): Promise<{ changed: number; undoId: string | null }> {
    const ids: string[] = [];
    const changed = await this.#commands.run('cancel-waiting', selection, (some) => {
      for (const id of some) ids.push(id);
    });
    return { changed, undoId: this.#undos.keep(ids) };
  }

  /** Puts back what `cancelWaiting` cancelled. Answers how many rows; none when it is too late. */
  undoCancel(undoId: string): Promise<number> {
    return this.#commands.run('undo-cancel', { kind: 'ids', ids: [...this.#undos.take(undoId)] });
  }

  /** Pauses everything: what runs is held, what is queued stays so. */
  async pauseAll(): Promise<number> {
    const { pause, pacing } = this.#tools;
    pause.pause();
    try {
      return await this.command('pause', { kind: 'ids', ids: this.#slots.ids() });
    } finally {
      // It ends a pause until an instant. Last: what that one held is held by the person by now, and does not go on.
      pacing.apply();
    }
  }

  /** Pauses everything until an instant: what runs is held and goes on where it stands, if the time is not too long. */
  async pauseUntil(until: number): Promise<number> {
    const { pause, transfers } = this.#tools;
    const wasForGood = pause.isForGood;
    pause.pauseUntil(until);
    this.paceChanged();
    // What the pause for good had stopped one by one ends with this one now.
    if (wasForGood) await this.command('resume', { kind: 'all' });
    return [...transfers.entries()].length;
  }

  resumeAll(): Promise<number> {
    this.#tools.pause.resume();
    this.paceChanged();
    return this.command('resume', { kind: 'all' });
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
    const { gates, pacing, deadlines, clock, parallelTransfers } = this.#tools;
    this.#lookAtClock();
    if (pacing.nextChangeInMs() === 0) pacing.apply();
    this.#probes.look();
    this.#lookedAt = clock.now();
    deadlines.look();
    this.#slots.cleanUps.look();
    const limit = parallelTransfers() - this.#slots.taken;
    const next = limit > 0 && pacing.isOpen && !this.#commands.holdsBack ? this.#next(limit) : [];
    for (const upload of deadlines.admit(next)) {
      gates.begun(upload.siteId, upload.id);
      this.#slots.run(upload);
    }
    this.#planWake();
    this.#idle.look();
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
    this.#wakeAll();
  }

  /** Something changed that may concern everybody: what is to be sent, what is delivered, what is to be done afterwards. */
  #wakeAll(): void {
    this.#watch.wake();
    this.#followUps.wake();
    this.pump();
  }

  /** Somebody is signed in to the site: uploads that waited for that go on. */
  siteSignedIn(siteId: string): void {
    this.#slots.cleanUps.siteSignedIn(siteId);
    if (this.#tools.gates.openForSignIn(siteId)) this.#wakeAll();
  }

  /** See `Engine.whenUploadsIdle`. */
  whenIdle(): Promise<void> {
    return this.#idle.when();
  }

  /** Ends all transfers and waits until nobody touches the store any more. */
  async stop(): Promise<void> {
    await this.#commands.stop();
    this.#undos.dispose();
    this.#cancelWake();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#stop.abort(new Error('the queue was stopped'));
    this.#watch.stop();
    this.#followUps.stop();
    await Promise.allSettled([this.#slots.whenEmpty(), this.#watch.whenStopped(), this.#followUps.whenStopped()]);
  }

  /** Those whose turn it is, at most `limit`. */
  #next(limit: number): Upload[] {
    const { runnable, journal, gates, disks } = this.#tools;
    return runnable.next({
      now: this.#lookedAt,
      limit,
      areWaiting: journal.counts.waiting > 0,
      blockedSites: [
        ...gates.blockedSites().filter((siteId) => gates.holdsReads(siteId)),
        ...gates.undecidedSites((id) => this.#slots.isAsking(id)),
      ],
      readOnlySites: gates.readOnlySites(),
      soloSites: gates.sitesOnTrial(),
      isBusy: (id) => this.#slots.isBusy(id),
      isSerial: (device) => disks.isSerial(device),
      busyDevices: this.#slots.readDevices(),
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
    const isAtWork = this.#slots.isAnybodyActive || gates.blockedSites().length > 0;
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
    if (wasSetBack) this.#areWaitsToBeShortened = true;
    // First, because it needs no store: a store that refuses the shortening below ends this pass.
    if (hasJumped) this.comeBack();
    if (!this.#areWaitsToBeShortened) return;
    shortenWaits(store, journal, clock);
    this.#areWaitsToBeShortened = false;
  }

  /** A process that does not work on the queue asks nothing of the library: the next one that does so finds it. */
  #cleanUp(id: string, inMs = 0): void {
    if (this.#started) this.#slots.cleanUps.add(id, inMs);
  }

  #isAnybodyAtWork(): boolean {
    const { cleanUps, taken } = this.#slots;
    return (
      taken > 0 || cleanUps.isExpected || this.#probes.isUnderWay || this.#followUps.isBusy || this.#commands.isUnderWay
    );
  }
}
