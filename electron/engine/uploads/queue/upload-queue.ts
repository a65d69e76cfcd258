import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CancelEffects, UploadSelection } from '../../../../shared/contract/uploads.ts';
import { hasReplacedFile } from '../../../../shared/model/uploads/replaced-file.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Files } from '../../ports/files.ts';
import type { Random } from '../../ports/random.ts';
import type { Volumes } from '../../ports/volumes.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import { SiteProbes } from '../../sites/site-probes.ts';
import { mayHaveLeft } from '../delivery/planner.ts';
import { FollowUpJobs, type FollowUpJobTools } from '../follow-ups/follow-up-jobs.ts';
import type { CommandName } from '../journal/command-kinds.ts';
import { acceptReplaced } from '../local-files/accept-replaced.ts';
import { DiskProbes } from '../local-files/disk-probes.ts';
import type { QueuePause } from '../pacing/queue-pause.ts';
import { PollJobs, type PollTools } from '../processing/poll-jobs.ts';
import { CleanUpJobs } from './clean-up-jobs.ts';
import { CommandUndos, UNDO_KEPT_MS } from './command-undos.ts';
import { DeliveryJobs, type DeliveryTools } from './delivery-jobs.ts';
import { QueueIdle } from './queue-idle.ts';
import { type StartedOver, type StartOverTools, startOver } from './start-over.ts';
import { type CommandTools, UploadCommands } from './upload-commands.ts';

export interface QueueTools
  extends Omit<DeliveryTools, 'isCleaningUp' | 'isBlockedByCommand'>,
    PollTools,
    Omit<CommandTools, 'logger'> {
  /** The scheduler of the engine. The queue adds its kinds first. */
  scheduler: Scheduler;
  files: Files;
  volumes: Volumes;
  pause: QueuePause;
  random: Random;
  /** Resolves when the site answers at all; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
  followUps: FollowUpJobTools;
  /** Ends idle connections, and repeats reads that are in flight. */
  reconnect(): void;
}

/** The result of a command that can be undone; `undoId` null: it changed nothing. */
interface UndoableChange {
  changed: number;
  undoId: string | null;
}

/** How long a transfer may take to show after a sleep that its connection works; an answer may take longer. */
const ALIVE_WITHIN_MS = 5000;
const ANSWER_WITHIN_MS = 60_000;

/**
 * The queue of uploads: one lane of the scheduler for each kind of its work, and the user's commands. The rows are in the
 * database; this object only has the state of what runs in this process.
 */
export class UploadQueue {
  readonly #tools: QueueTools;
  readonly #scheduler: Scheduler;
  readonly #commands: UploadCommands;
  readonly #deliveries: DeliveryJobs;
  readonly #cleanUps: CleanUpJobs;
  readonly #polls: PollJobs;
  readonly #probes: SiteProbes;
  readonly #followUps: FollowUpJobs;
  readonly #disks: DiskProbes;
  readonly #undos: CommandUndos;
  readonly #idle: QueueIdle;
  readonly #cameBack = new Emitter<void>();
  readonly #unsubscribe: (() => void)[] = [];
  #isStarted = false;

  constructor(tools: QueueTools) {
    this.#tools = tools;
    const { breakers, journal, clock, scheduler } = tools;
    this.#scheduler = scheduler;
    const wakeAll = () => scheduler.wake();
    // The scheduler calls the lanes in this order. Commands come first, because no upload starts before they were read.
    this.#commands = new UploadCommands(tools, this.#commandEffects());
    this.#probes = scheduler.add((lane) => new SiteProbes({ ...tools, onDidHalfOpen: wakeAll }, lane));
    this.#disks = scheduler.add((lane) => new DiskProbes({ ...tools, onReturn: () => this.pump() }, lane));
    const isDelivering = (id: string) => this.#deliveries.isRunning(id);
    this.#cleanUps = scheduler.add((lane) => new CleanUpJobs({ ...tools, isDelivering }, lane));
    const isCleaningUp = (id: string) => this.#cleanUps.isRunning(id);
    const isBlockedByCommand = () => this.#commands.blocksStarts;
    this.#deliveries = scheduler.add((lane) => new DeliveryJobs({ ...tools, isCleaningUp, isBlockedByCommand }, lane));
    this.#polls = scheduler.add((lane) => new PollJobs(tools, lane));
    this.#followUps = scheduler.add((lane) => new FollowUpJobs(tools.followUps, lane));
    this.#undos = new CommandUndos(clock, tools.random);
    this.#idle = new QueueIdle({ ...tools, followUpRows: tools.followUps.rows }, () => this.#isAnythingRunning());
    this.#unsubscribe.push(
      scheduler.onDidTick.on(() => this.#idle.check()),
      scheduler.onDidJump.on(() => this.comeBack()),
      scheduler.onDidSetBack.on(() => this.#deliveries.shortenWaits()),
      scheduler.onDidEnd.on(({ kind }) => this.#afterJob(kind)),
      journal.onDidChange.on(({ before, after }) => this.#afterChange(before, after)),
      // A breaker can open without a change of a row, so the next probe is planned here.
      breakers.onDidOpen.on(() => this.#probes.plan()),
      // Other uploads start at once, and not only after the transfer of the upload whose change closed the breaker.
      breakers.onDidClose.on(() => scheduler.wakeSoon()),
    );
  }

  /** Calls the listener when the computer slept, its clock was set, or it got on a network again. */
  onDidComeBack(listener: () => void): () => void {
    return this.#cameBack.on(listener);
  }

  /** Marks that this process works on the queue, and so also removes what cancelled uploads left in the library. */
  start(): void {
    this.#isStarted = true;
  }

  /** The number of removals in the library that are planned or in progress. */
  get pendingCleanUps(): number {
    return this.#cleanUps.pendingCount;
  }

  /** Whether the user paused the whole queue without an end time: no upload starts. Kept across restarts. */
  get isPaused(): boolean {
    return this.#tools.pause.isIndefinite;
  }

  /** Executes a command about uploads. Returns how many rows it changed. */
  command(name: CommandName, selection: UploadSelection): Promise<number> {
    return this.#commands.give(name, selection);
  }

  /** Returns the number of selected uploads by the effect that a cancel would have on them now. */
  effectsOfCancel(selection: UploadSelection): Promise<CancelEffects> {
    return this.#commands.effectsOfCancel(selection);
  }

  /** Sends the files that are at the paths of the selected uploads now, see `acceptReplaced`. Returns how many uploads changed. */
  async acceptReplaced(selection: UploadSelection): Promise<number> {
    const changed = await acceptReplaced(await this.#commands.ofRetry(selection, hasReplacedFile), {
      ...this.#tools,
      rootsFor: this.#tools.followUps.rootsFor,
    });
    this.#scheduler.wake();
    return changed;
  }

  /**
   * Cancels the selected uploads that are neither delivered nor being sent, and skips the others. `undoId` undoes it for a while.
   * The command keeps its old name, `cancel-waiting`, because stored commands contain it.
   */
  cancelUnsent(selection: UploadSelection): Promise<UndoableChange> {
    return this.#undoable('cancel-waiting', selection);
  }

  /** Puts back what `cancelUnsent` cancelled. Returns how many rows; none when it is too late. */
  undoCancel(undoId: string): Promise<number> {
    return this.#commands.give('undo-cancel', { kind: 'ids', ids: [...this.#undos.take(undoId)] });
  }

  /** Removes ended uploads from the list. `undoId` undoes it for a while. */
  clear(name: 'clear' | 'clear-completed', selection: UploadSelection): Promise<UndoableChange> {
    return this.#undoable(name, selection);
  }

  /** Lists again what `clear` removed. Returns how many rows; none when it is too late. */
  undoClear(undoId: string): Promise<number> {
    return this.#commands.give('undo-clear', { kind: 'ids', ids: [...this.#undos.take(undoId)] });
  }

  /**
   * Pauses all uploads until the user resumes them: none starts. A running transfer is put on hold; any other running upload
   * stops after its step. Polls, publications and follow-ups continue.
   */
  async pauseAll(): Promise<number> {
    const { pause, pacing } = this.#tools;
    pause.pause();
    try {
      return await this.command('pause', { kind: 'ids', ids: this.#deliveries.ids() });
    } finally {
      // Ends the holds of a timed pause. Called last: its transfers are on hold for the user by now, and stay on hold.
      pacing.apply();
    }
  }

  /**
   * Pauses all uploads until a time (epoch ms). Running transfers are put on hold, also those of captions and thumbnails; a short
   * hold does not end them.
   */
  async pauseUntil(until: number): Promise<number> {
    const { pause, transfers } = this.#tools;
    const wasIndefinite = pause.isIndefinite;
    pause.pauseUntil(until);
    this.paceChanged();
    // Uploads that an indefinite pause had paused are resumed: they wait only for the end of the timed pause.
    if (wasIndefinite) await this.command('resume', { kind: 'all' });
    return [...transfers.entries()].length;
  }

  resumeAll(): Promise<number> {
    this.#tools.pause.resume();
    this.paceChanged();
    return this.command('resume', { kind: 'all' });
  }

  /** Applies the settings and the clock, after a change of when or how fast files are sent. */
  paceChanged(): void {
    this.#tools.pacing.apply();
    this.pump();
  }

  /**
   * Puts back the rows that the last process left in the middle of their work. Called once, before anything starts; also in
   * a process that only reads the queue, which would otherwise show work that no process does.
   */
  repair(): void {
    const { store, journal } = this.#tools;
    for (const id of store.select('all', ['preparing', 'sending', 'finishing'])) {
      journal.record(id, { kind: 'interrupted' });
    }
  }

  /** Starts what can start. Called whenever something may have changed; cheap when nothing has. */
  pump(): void {
    this.#scheduler.wake();
  }

  /**
   * Called when the computer slept or connected to a network: repeats requests in flight at once, and aborts transfers that make
   * no progress within a few seconds.
   */
  comeBack(): void {
    if (!this.#scheduler.isRunning) return;
    const { transfers, breakers, pacing, reconnect } = this.#tools;
    reconnect();
    transfers.proveAlive(ALIVE_WITHIN_MS, ANSWER_WITHIN_MS);
    breakers.probeNow();
    pacing.apply();
    this.#cameBack.emit();
    this.#scheduler.wake();
  }

  /** Continues the uploads and removals that waited for the sign-in of an account. */
  siteSignedIn(siteId: string): void {
    this.#cleanUps.siteSignedIn(siteId);
    if (this.#tools.breakers.closeAfterSignIn(siteId)) this.#scheduler.wake();
  }

  /** The work of a site is on hold: its transfers end, because they would last as long as their files. */
  interrupt(siteId: string): void {
    const { store, transfers } = this.#tools;
    for (const [id, transfer] of transfers.entries())
      if (store.get(id)?.siteId === siteId) transfer.abort('connection-dead');
  }

  /** See `startOver`. The site is on hold; waits until nothing of it runs any more. */
  async startOver(
    siteId: string,
    error: AppErrorData,
    hasCollection: StartOverTools['hasCollection'],
  ): Promise<StartedOver> {
    const { store, journal, clock, followUps } = this.#tools;
    await this.#whenNothingRuns(siteId);
    return startOver(siteId, error, { store, journal, clock, rows: followUps.rows, hasCollection });
  }

  /** Resolves when no job of a site runs. */
  #whenNothingRuns(siteId: string): Promise<void> {
    const lanes = [this.#deliveries, this.#cleanUps, this.#followUps];
    const ids = () => lanes.flatMap((lane) => lane.ids());
    const isFree = () =>
      !this.#polls.isPolling(siteId) && !ids().some((id) => this.#tools.store.get(id)?.siteId === siteId);
    if (isFree()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = this.#scheduler.onDidEnd.on(() => {
        if (!isFree()) return;
        end();
        resolve();
      });
    });
  }

  /** See `Engine.whenUploadsIdle`. */
  whenIdle(): Promise<void> {
    return this.#idle.when();
  }

  /** Ends the commands, timers and subscriptions of the queue. The stop of the scheduler ends its jobs. */
  async stop(): Promise<void> {
    await this.#commands.stop();
    this.#undos.dispose();
    this.#disks.dispose();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  async #undoable(name: CommandName, selection: UploadSelection): Promise<UndoableChange> {
    const ids: string[] = [];
    const changed = await this.#commands.give(name, selection, (some) => {
      for (const id of some) ids.push(id);
    });
    return { changed, undoId: this.#undos.keep(ids) };
  }

  #commandEffects() {
    return {
      atWork: () => this.#deliveries.ids(),
      isBusy: (id: string) => this.#deliveries.isRunning(id) || this.#cleanUps.isRunning(id),
      cleanUp: (id: string, canBeUndone: boolean) => this.#cleanUp(id, canBeUndone ? UNDO_KEPT_MS : 0),
      keep: (id: string) => this.#cleanUps.drop(id),
      wake: () => {
        this.#scheduler.wake();
        this.#checkIdle();
      },
    };
  }

  /** The end of one kind of job can make jobs of others due. */
  #afterJob(kind: string): void {
    switch (kind) {
      case 'upload':
        this.#polls.wakeSoon();
        this.#cleanUps.wake();
        return;
      case 'follow-up':
        this.#polls.wakeSoon();
        return;
      case 'clean-up':
        this.#deliveries.wake();
        return;
      case 'site-probe':
        this.#scheduler.wake();
    }
  }

  /** Called while an event is recorded: it plans work, and starts none. */
  #afterChange(before: Upload['state'] | null, after: Upload): void {
    if (after.followUpAt !== null && after.state !== before) this.#followUps.wakeSoon();
    // If the duplicate was detected after the item was created, the item is not needed.
    if (after.state === 'skipped' && before !== null && before !== 'skipped') {
      if (mayHaveLeft(after) || this.#deliveries.isRunning(after.id)) this.#cleanUp(after.id);
    }
    if (after.state === 'waiting' && after.nextAttemptAt !== null) this.#deliveries.wakeAt(after.nextAttemptAt);
    // The site of the row is blocked, so its next probe is planned.
    if (this.#tools.breakers.isOpen(after.siteId)) this.#probes.plan();
    if (isEnded(after.state)) this.#checkIdle();
  }

  #checkIdle(): void {
    this.#scheduler.attempt('idle', () => this.#idle.check());
  }

  /**
   * Plans a removal in the library. A process that does not work on the queue sends no requests: the next one that does finds the
   * removal.
   */
  #cleanUp(id: string, inMs = 0): void {
    if (this.#isStarted) this.#cleanUps.add(id, inMs);
  }

  #isAnythingRunning(): boolean {
    const isBusy = this.#deliveries.taken > 0 || this.#probes.isBusy || this.#followUps.isBusy;
    return isBusy || this.#cleanUps.isExpected || this.#commands.isUnderWay;
  }
}
