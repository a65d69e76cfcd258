import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../electron/engine/store/database.ts';
import { nextStep } from '../../electron/engine/uploads/delivery/planner.ts';
import { UploadStore } from '../../electron/engine/uploads/journal/upload-store.ts';
import type { Uploads } from '../../electron/engine/uploads/uploads.ts';
import type { Upload } from '../../shared/model/uploads/upload.ts';
import { SLOT_STATES } from '../../shared/model/uploads/upload-states.ts';
import { storedRows } from '../helpers/data/upload-rows.ts';
import { type CrashPlan, cutPower } from './world/journaled-database.ts';
import { Program } from './world/program.ts';
import { tellsOfStore } from './world/tamper.ts';
import { UndoLog } from './world/undo-log.ts';
import type { Life } from './world/virtual-time.ts';
import { sitesOf, type World } from './world/world.ts';

const IDLE_WITHIN_MS = 10 * 60_000;
/** The maximum wait of the backoff, plus one attempt. */
const CLEAN_WITHIN_MS = 24 * 60 * 60_000;
/** All retries of a follow-up take 45.5 hours. */
const FOLLOWED_UP_WITHIN_MS = 48 * 60 * 60_000;

/** The runs of the program in a world, one after the other: the program is started, killed and restarted on one database. */
export class ProgramRuns {
  readonly #world: World;
  readonly #database: Database;
  /** Reads the rows independent of any run of the program; it returns lists, which are read again each time. */
  readonly #rows: UploadStore;
  readonly #plan: CrashPlan;
  #life: Life = { number: 0, alive: false };
  #program: Program | null = null;
  #stopping = false;
  #starting = false;
  /** The run of each command that was sent and has not ended. */
  readonly #asked: Life[] = [];

  constructor(world: World, database: Database) {
    this.#world = world;
    this.#database = database;
    this.#rows = new UploadStore(database);
    const { station } = world.scenario;
    const hasPowerCuts = station?.events.some(({ kind }) => kind === 'power-cut') ?? false;
    this.#plan = {
      next: null,
      undo: [],
      rows: new Map(),
      watched: hasPowerCuts ? new UndoLog(database) : null,
      isFull: () => world.strikes('store-full', ''),
    };
    this.#start();
  }

  get life(): Life {
    return this.#life;
  }

  /** The program that accepts commands now; null while none is running. */
  get program(): Program | null {
    return this.#life.alive && !this.#stopping ? this.#program : null;
  }

  /** The part of the program that uploads. */
  get uploads(): Uploads | null {
    return this.program?.uploads ?? null;
  }

  /** Whether a command of the user is under way in the current run of the program. */
  get isAsked(): boolean {
    return this.#asked.includes(this.#life);
  }

  /** Restarts a program that has died. */
  afterStep(): void {
    if (this.#life.alive || this.#starting) return;
    this.#end();
    this.#starting = true;
    this.#world.time.after(this.#world.prng.spread(1, 60_000), null, () => this.#start());
  }

  kill(): void {
    this.#life.alive = false;
  }

  cutPower(): void {
    this.#life.alive = false;
    const { history, prng } = this.#world;
    cutPower(this.#database, this.#plan, history, prng.int(0, this.#plan.undo.length));
  }

  /** Makes the process die at a write; null: it does not die. */
  killAtWrite(next: CrashPlan['next']): void {
    this.#plan.next = next;
  }

  /** Stops the program as a user does; it is started again afterwards. */
  async restart(uploads: Uploads): Promise<void> {
    const life = this.#life;
    this.#stopping = true;
    await this.#stopOf(uploads);
    life.alive = false;
  }

  /** Sends a command to the program. With a full disk, the command throws, and the user may repeat it. */
  ask(command: () => unknown): void {
    const onError = (error: unknown) => {
      if (!tellsOfStore(String(error))) this.#world.fault('refused', String(error));
    };
    const life = this.#life;
    this.#asked.push(life);
    const onEnd = () => this.#asked.splice(this.#asked.indexOf(life), 1);
    const answered = (async () => command())();
    void answered.catch(onError).finally(onEnd);
  }

  /** Collects the final state of the program and the services, then closes the program. */
  async lookAtTheEnd(): Promise<void> {
    const { time, history, scenario } = this.#world;
    await this.#passUntil(() => this.uploads !== null);
    const uploads = this.uploads;
    if (!uploads) {
      this.#world.fault('not-running', '');
      return;
    }
    let idle = false;
    void uploads.queue.whenIdle().then(() => {
      idle = true;
    });
    await this.#passUntil(() => idle);
    // A tick may be in progress.
    await this.#passUntil(() => this.#rows.select('all', SLOT_STATES).length === 0);
    // Cancelled uploads are cleaned up even after all others have ended. An item that may not be deleted stays.
    const { mayDeleteItems } = scenario.service;
    const isUnclean = (row: Upload) =>
      nextStep(row, time.wallMs()).kind === 'clean-up' && (mayDeleteItems || row.completedAt !== null);
    const isClean = () => this.#rows.uncleaned().length === 0 || !storedRows(this.#database).some(isUnclean);
    await this.#passUntil(isClean, CLEAN_WITHIN_MS);
    // A cancelled upload whose publication arrived is complete, and its follow-ups run.
    const followUp = this.#database.prepare('SELECT 1 FROM uploads WHERE follow_up_at IS NOT NULL LIMIT 1');
    await this.#passUntil(() => followUp.get() === undefined, FOLLOWED_UP_WITHIN_MS);
    const { final } = history;
    final.atMs = time.elapsedMs;
    final.idle = idle && this.#life.alive;
    final.queuePaused = uploads.queue.isPaused;
    for (const { id } of await uploads.handlers['uploads.batches']({ limit: 100 })) {
      final.receipts.push((await uploads.handlers['uploads.receipt']({ batchId: id })).totals);
    }
    final.rows = storedRows(this.#database);
    final.acceptedIds.push(...new Set(history.rows.map(({ row }) => row.id)));
    for (const site of sitesOf(scenario)) final.items.push(...this.#world.finalItems(site));
    final.lying.push(...this.#world.files.lying());
    final.trash.push(...this.#world.files.trashed());
    let stopped = false;
    void this.#stopOf(uploads).then(() => {
      stopped = true;
    });
    await this.#passUntil(() => stopped);
    this.#end();
  }

  /** Resets the database to its state when it was opened. */
  dispose(): void {
    this.#plan.watched?.dispose();
  }

  #start(): void {
    this.#starting = false;
    this.#stopping = false;
    this.#life = { number: this.#life.number + 1, alive: true };
    try {
      this.#program = new Program(this.#world, this.#database, this.#plan, this.#life);
    } catch (error) {
      // The process died during its start: later errors of that start are irrelevant.
      if (this.#life.alive && !tellsOfStore(String(error))) throw error;
      this.#life.alive = false;
    }
  }

  /** Ends this run of the program: none of its actions has an effect any more. */
  #end(): void {
    this.#life.alive = false;
    const fact = this.#world.history.lives[this.#life.number - 1];
    if (fact) fact.toMs ??= this.#world.time.elapsedMs;
  }

  /** A program that is requested to stop does stop, whatever the network does, unless it is killed before. */
  #stopOf(uploads: Uploads): Promise<void> {
    const { time } = this.#world;
    const cancel = time.after(IDLE_WITHIN_MS, this.#life, () => {
      this.#world.fault('stop-hangs', '');
    });
    const watching = this.#program?.watch?.stop() ?? Promise.resolve();
    return watching.then(() => uploads.stop()).then(cancel);
  }

  /** Advances the time until `isDone`, or until the maximum plausible duration. */
  async #passUntil(isDone: () => boolean, withinMs = 2 * IDLE_WITHIN_MS): Promise<void> {
    const { time } = this.#world;
    const untilMs = time.elapsedMs + withinMs;
    await turn();
    while (!isDone() && time.elapsedMs < untilMs && time.step()) {
      await turn();
      await time.turned();
      this.afterStep();
    }
  }
}
