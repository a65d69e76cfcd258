import { setImmediate as turn } from 'node:timers/promises';
import type { Database, Statement } from '../../electron/engine/store/database.ts';
import { nextStep } from '../../electron/engine/uploads/delivery/planner.ts';
import { UploadStore } from '../../electron/engine/uploads/journal/upload-store.ts';
import type { Uploads } from '../../electron/engine/uploads/uploads.ts';
import { batchDefaultsSchema } from '../../shared/contract/uploads.ts';
import { offeredItems } from '../../shared/model/offered-items.ts';
import { PRIORITIES } from '../../shared/model/priorities.ts';
import type { Upload } from '../../shared/model/upload.ts';
import { asksAboutItem, type UploadCommand } from '../../shared/model/upload-machine.ts';
import { isEnded, SLOT_STATES } from '../../shared/model/upload-states.ts';
import { storedRows } from '../helpers/data/upload-rows.ts';
import type { Happening, PlannedUpload } from './scenario.ts';
import { undoableCommand } from './undoable-commands.ts';
import { DRIVE, type FileChange } from './world/files.ts';
import { type CrashPlan, cutPower } from './world/journaled-database.ts';
import { isBehindHeld, isHeld, Program } from './world/program.ts';
import { tellsOfStore } from './world/tamper.ts';
import type { Life } from './world/virtual-time.ts';
import { COLLECTION_ID, type World } from './world/world.ts';

/** For a library that truncates titles. */
const LONG_TITLES = 'Recorded in the great hall of the old university, {name}';
/** The largest error of a clock. */
const DAY_MS = 24 * 60 * 60_000;
/** The longest time until a request is answered. */
const ANSWERS_WITHIN_MS = 3 * 60_000;
/** When sidecars become unreadable, after their recordings were added. */
const SPOILED_AFTER_MS = 3000;
const IDLE_WITHIN_MS = 10 * 60_000;
/** The longest wait of the backoff, plus one attempt. */
const CLEAN_WITHIN_MS = 24 * 60 * 60_000;

/** The user of the computer, who causes the events of the scenario: additions, commands, kills and restarts. */
export class Person {
  readonly #world: World;
  readonly #database: Database;
  /** Reads the rows independent of any run of the program; it returns lists, which are read again each time. */
  readonly #rows: UploadStore;
  /** Finds a row that certainly has not ended. */
  readonly #underWay: Statement;
  readonly #plan: CrashPlan;
  #life: Life = { number: 0, alive: false };
  #program: Program | null = null;
  #stopping = false;
  #starting = false;
  #pendingAdds = 0;
  /** The last copy of each file, by its path. */
  readonly #copies = new Map<string, string>();
  /** Belongs to this run: files that it could not add are not added. */
  #copiesBeingAdded = 0;
  isCalm = false;

  constructor(world: World, database: Database) {
    this.#world = world;
    this.#database = database;
    this.#rows = new UploadStore(database);
    const states = [...SLOT_STATES, 'processing'].map((state) => `'${state}'`).join(', ');
    this.#underWay = database.prepare(
      `SELECT 1 AS found FROM uploads WHERE state IN (${states}) OR follow_up_at IS NOT NULL LIMIT 1`,
    );
    this.#plan = { next: null, undo: [], rows: new Map(), isFull: () => world.strikes('store-full', '') };
    this.#start();
  }

  /** Schedules all events of the scenario. */
  begin(): void {
    const { scenario, time } = this.#world;
    const groups = new Map<string, PlannedUpload[]>();
    for (const [index, upload] of scenario.uploads.entries()) {
      this.#world.disk.put(pathOf(index, upload), upload.sizeBytes);
      for (const ending of upload.sidecars ?? []) {
        const path = sidecarOf(pathOf(index, upload), ending);
        this.#world.disk.put(path, 100);
        // The file exists and can be found; reading it fails.
        const { sidecarDisk = 'sound' } = scenario;
        if (sidecarDisk !== 'sound')
          time.after(SPOILED_AFTER_MS, null, () => this.#world.disk.spoil(path, sidecarDisk));
      }
      const source = JSON.stringify([upload.source, upload.tags]);
      const key = `${upload.addAtMs} ${upload.site} ${upload.publish.kind} ${upload.duplicates ?? 'ask'} ${source} ${upload.collectionRef ?? ''}`;
      groups.set(key, [...(groups.get(key) ?? []), upload]);
    }
    this.#pendingAdds = groups.size;
    for (const group of groups.values()) time.after(group[0]?.addAtMs ?? 0, null, () => this.#add(group));
    for (const happening of scenario.happenings) time.after(happening.atMs, null, () => this.#happen(happening));
    for (const trouble of scenario.troubles) {
      if (trouble.kind !== 'signed-out') continue;
      time.after(trouble.toMs, null, () => this.#signedIn());
      // An answer from before may still be in flight, and require another sign-in.
      time.after(trouble.toMs + ANSWERS_WITHIN_MS, null, () => this.#signedIn());
    }
    time.after(scenario.calmAtMs, null, () => this.#calm());
  }

  get isAdding(): boolean {
    return this.#pendingAdds + this.#copiesBeingAdded > 0;
  }

  /** Starts a program that has died again. */
  afterStep(): void {
    if (this.#life.alive || this.#starting) return;
    this.#end();
    this.#starting = true;
    this.#world.time.after(this.#world.prng.spread(1, 60_000), null, () => this.#start());
  }

  /** Returns whether every row has a state that only the user can change. */
  everythingEnded(): boolean {
    if (!this.#usable() || !this.#program || this.isAdding) return false;
    // Called after every step: usually something is in progress, and the rows need not be read.
    if (this.#underWay.get() !== undefined) return false;
    const queuePaused = this.#program.uploads.queue.isPaused;
    const rows = storedRows(this.#database);
    return rows.every((row) => isEnded(row.state) || isHeld(row, queuePaused) || isBehindHeld(row, rows, queuePaused));
  }

  /** Collects the final state of the program and the services, then closes the program. */
  async lookAtTheEnd(): Promise<void> {
    const { time, history, scenario } = this.#world;
    await this.#passUntil(() => this.#usable() !== null);
    const uploads = this.#usable();
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
    const { final } = history;
    final.atMs = time.elapsedMs;
    final.idle = idle && this.#life.alive;
    final.queuePaused = uploads.queue.isPaused;
    for (const { id } of await uploads.handlers['uploads.batches']({ limit: 100 })) {
      final.receipts.push((await uploads.handlers['uploads.receipt']({ batchId: id })).totals);
    }
    final.rows = storedRows(this.#database);
    final.acceptedIds.push(...new Set(history.rows.map(({ row }) => row.id)));
    for (const site of new Set(scenario.uploads.map((upload) => upload.site))) {
      for (const { id, title, isForeign, status, files } of this.#world.service(site).items) {
        final.items.push({
          site,
          id,
          title,
          isForeign,
          status,
          files: files.map((file) => ({
            id: file.id,
            type: file.type,
            name: file.name,
            status: file.status,
            contents: file.contents,
            bytes: file.bytes,
          })),
        });
      }
    }
    final.lying.push(...this.#world.disk.lying());
    final.trash.push(...this.#world.disk.trashed());
    let stopped = false;
    void this.#stopOf(uploads).then(() => {
      stopped = true;
    });
    await this.#passUntil(() => stopped);
    this.#end();
  }

  #start(): void {
    this.#starting = false;
    this.#stopping = false;
    this.#copiesBeingAdded = 0;
    this.#life = { number: this.#life.number + 1, alive: true };
    try {
      this.#program = new Program(this.#world, this.#database, this.#plan, this.#life);
    } catch (error) {
      // It died during its start: later errors of that start are irrelevant.
      if (this.#life.alive && !tellsOfStore(String(error))) throw error;
      this.#life.alive = false;
    }
  }

  /** Sends a command to the program. With a full disk it throws, and the user may repeat it. */
  #ask(command: () => unknown): void {
    const onError = (error: unknown) => {
      if (!tellsOfStore(String(error))) this.#world.fault('refused', String(error));
    };
    try {
      void Promise.resolve(command()).catch(onError);
    } catch (error) {
      onError(error);
    }
  }

  /** Ends this run of the program: none of its actions has an effect any more. */
  #end(): void {
    this.#copiesBeingAdded = 0;
    this.#life.alive = false;
    const fact = this.#world.history.lives[this.#life.number - 1];
    if (fact) fact.toMs ??= this.#world.time.elapsedMs;
  }

  #add(group: PlannedUpload[], tries = 0): void {
    const first = group[0];
    const paths = group.map((upload) => pathOf(this.#world.scenario.uploads.indexOf(upload), upload));
    const known = paths.some((path) => this.#idOf(path) !== null);
    if (!first || known) {
      this.#pendingAdds -= 1;
      return;
    }
    // A user who does not see the files in the queue adds them again.
    this.#world.time.after(90_000, null, () => {
      if (paths.some((path) => this.#idOf(path) !== null)) return;
      if (tries < 20) this.#add(group, tries + 1);
    });
    const uploads = this.#usable();
    if (!uploads) return;
    const { publish, site, duplicates = 'ask' } = first;
    const life = this.#life;
    const { source = { kind: 'keep' }, tags = [], collectionRef } = first;
    const target = collectionRef === undefined ? { collectionId: COLLECTION_ID } : { collectionRef };
    const titleTemplate = this.#world.scenario.service.titles === 'cut' ? LONG_TITLES : '{name}';
    const defaults = batchDefaultsSchema.parse({ publish, duplicates, source, tags, titleTemplate });
    this.#ask(async () => {
      await uploads.handlers['uploads.add']({ siteId: site, ...target, paths, defaults });
      if (life.alive) this.#pendingAdds -= 1;
    });
  }

  #happen(happening: Happening): void {
    const { time, disk, history, prng } = this.#world;
    const { kind, amount } = happening;
    const upload = this.#world.scenario.uploads[happening.upload];
    if (!upload) return;
    const path = pathOf(happening.upload, upload);
    const id = this.#idOf(happening.ofCopy ? (this.#copies.get(path) ?? path) : path);
    if (kind === 'drive-pulled' || kind === 'drive-returns') {
      disk.plug(kind === 'drive-returns');
      return;
    }
    if (kind === 'file-copied') {
      this.#addCopy(path, upload);
      return;
    }
    if (kind.startsWith('file-')) {
      disk.change(path, kind.slice('file-'.length) as FileChange);
      return;
    }
    switch (kind) {
      case 'clock-jump':
        time.wallOffsetMs = Math.max(-DAY_MS, Math.min(DAY_MS, time.wallOffsetMs + amount));
        return;
      case 'item-deleted': {
        const row =
          id === null
            ? undefined
            : this.#database.prepare('SELECT media_id AS m FROM uploads WHERE id = $id').get({ id });
        if (row?.m) this.#world.service(upload.site).deletedByOthers(String(row.m));
        return;
      }
      case 'draft-by-others': {
        const titles = ['Untitled', 'Draft of a colleague', upload.name.replace(/\.[^.]*$/, ' (colleague)')];
        this.#world.service(upload.site).draftByOthers(COLLECTION_ID, titles[amount - 1] ?? '');
        return;
      }
      default:
    }
    const uploads = this.#usable();
    if (!uploads) return;
    history.commands.push({ atMs: time.elapsedMs, kind, ids: id === null ? [] : [id] });
    const { handlers } = uploads;
    switch (kind) {
      case 'crash':
        this.#life.alive = false;
        return;
      case 'power-cut':
        this.#life.alive = false;
        cutPower(this.#database, this.#plan, history, prng.int(0, this.#plan.undo.length));
        return;
      case 'crash-at-write':
        this.#plan.next = { writesLeft: amount, after: prng.chance(0.5) };
        return;
      case 'restart':
        void this.#restart(uploads);
        return;
      case 'pause':
      case 'resume':
      case 'cancel':
      case 'retry':
        if (id !== null)
          this.#ask(() => handlers[`uploads.${kind satisfies UploadCommand}`]({ kind: 'ids', ids: [id] }));
        return;
      case 'cancel-waiting':
      case 'cancel-and-undo':
      case 'clear-completed':
      case 'clear-ended':
      case 'clear-and-undo':
        this.#undoable(happening, id);
        return;
      case 'pause-all':
        this.#ask(() => handlers['uploads.pause']({ kind: 'all' }));
        return;
      case 'resume-all':
        this.#ask(() => handlers['uploads.resume']({ kind: 'all' }));
        return;
      case 'duplicates-skip':
      case 'duplicates-upload': {
        const choice = kind === 'duplicates-skip' ? 'skip' : 'upload';
        this.#ask(() => handlers['uploads.resolveDuplicates']({ selection: { kind: 'all' }, choice }));
        return;
      }
      case 'item-chosen':
      case 'item-new':
        if (id !== null) this.#ask(() => this.#choose(uploads, id, kind === 'item-new'));
        return;
      case 'retry-failed':
        this.#ask(() => handlers['uploads.retry']({ kind: 'failed' }));
        return;
      case 'move': {
        const before = prng.chance(0.3) ? null : this.#idOf(this.#anyPath());
        if (id !== null) this.#ask(() => handlers['uploads.move']({ ids: [id], before }));
        return;
      }
      case 'send-next':
        if (id !== null) this.#ask(() => handlers['uploads.sendNext']({ selection: { kind: 'ids', ids: [id] } }));
        return;
      case 'set-priority': {
        const priority = prng.pick(PRIORITIES);
        if (id === null) return;
        this.#ask(() => handlers['uploads.setPriority']({ selection: { kind: 'ids', ids: [id] }, priority }));
        return;
      }
      case 'small-first':
        this.#ask(() => handlers['settings.set']({ patch: { smallFirst: prng.chance(0.6) } }));
        return;
      case 'pause-until': {
        const until = prng.chance(0.2) ? null : time.wallMs() + prng.spread(1000, 2 * 60 * 60_000);
        this.#ask(() => handlers['uploads.pauseUntil']({ until }));
        return;
      }
      case 'limit': {
        const limitBytesPerSecond = prng.pick([null, 0, 0, 50_000, 5_000_000]);
        this.#ask(() => handlers['settings.set']({ patch: { limitBytesPerSecond } }));
        return;
      }
      case 'wake':
        this.#ask(() => uploads.queue.comeBack());
        return;
      case 'cancel-batch': {
        const row =
          id === null
            ? undefined
            : this.#database.prepare('SELECT batch_id AS b FROM uploads WHERE id = $id').get({ id });
        if (row) this.#ask(() => handlers['uploads.cancel']({ kind: 'batch', batchId: String(row.b) }));
        return;
      }
      default:
    }
  }

  /** Gives a command and, after `amount` ms, takes it back where that is meant and the program still runs. */
  #undoable(happening: Happening, id: string | null): void {
    const uploads = this.#usable();
    const command = uploads && undoableCommand(uploads, happening, id);
    if (!command) return;
    const life = this.#life;
    this.#ask(async () => {
      const { undoId } = await command.run();
      if (undoId === null || !command.isUndone) return;
      this.#world.time.after(happening.amount, null, () => {
        if (life === this.#life && this.#usable()) this.#ask(() => uploads.handlers[command.undo]({ undoId }));
      });
    });
  }

  /** Chooses the item of an upload. A user who checks the library does not choose a colleague's item. */
  async #choose(uploads: Uploads, id: string, wantsNew: boolean): Promise<void> {
    const row = storedRows(this.#database).find((each) => each.id === id);
    if (row === undefined || !asksAboutItem(row)) return;
    const own = this.#world
      .service(row.siteId)
      .items.filter(({ isForeign, title }) => !isForeign && title === row.title);
    const mediaId = offeredItems(row).find((item) => own.some((each) => each.id === item.id))?.id ?? null;
    if (!wantsNew && mediaId === null) return;
    await uploads.handlers['uploads.chooseItem']({ id, mediaId: wantsNew ? null : mediaId });
  }

  /** The same contents under another name, added once; a crash can prevent it. */
  #addCopy(path: string, { site, duplicates = 'ask', publish }: PlannedUpload): void {
    const copy = this.#world.disk.copy(path);
    const uploads = this.#usable();
    if (copy === null || !uploads) return;
    this.#copies.set(path, copy);
    const defaults = batchDefaultsSchema.parse({ publish, duplicates });
    this.#copiesBeingAdded += 1;
    const life = this.#life;
    this.#ask(async () => {
      try {
        await uploads.handlers['uploads.add']({ siteId: site, collectionId: COLLECTION_ID, paths: [copy], defaults });
      } finally {
        if (life === this.#life) this.#copiesBeingAdded -= 1;
      }
    });
  }

  /** After all failures. Sometimes the user returns and resumes everything. */
  #calm(): void {
    const { prng, services, time, history } = this.#world;
    this.isCalm = true;
    this.#plan.next = null;
    this.#world.disk.plug(true);
    for (const service of services.values()) service.calm();
    this.#liftLimit();
    const handlers = this.#usable()?.handlers;
    if (!handlers) return;
    if (prng.chance(0.7)) this.#ask(() => handlers['uploads.resume']({ kind: 'all' }));
    if (prng.chance(0.5)) this.#ask(() => handlers['uploads.retry']({ kind: 'failed' }));
    history.commands.push({ atMs: time.elapsedMs, kind: 'calm', ids: [] });
  }

  /** The user finally removes a limit of 0. */
  #liftLimit(): void {
    const settings = this.#usable()?.settings;
    if (settings?.get().limitBytesPerSecond === null) return;
    this.#world.time.after(10_000, null, () => this.#liftLimit());
    const handlers = this.#usable()?.handlers;
    if (handlers) this.#ask(() => handlers['settings.set']({ patch: { limitBytesPerSecond: null } }));
  }

  #anyPath(): string {
    const { prng, scenario } = this.#world;
    const index = prng.int(0, scenario.uploads.length - 1);
    return pathOf(index, scenario.uploads[index] as PlannedUpload);
  }

  #signedIn(): void {
    const { services } = this.#world;
    for (const site of services.keys()) {
      if (!this.#world.holds('signed-out', site)) this.#usable()?.queue.siteSignedIn(site);
    }
  }

  async #restart(uploads: Uploads): Promise<void> {
    const life = this.#life;
    this.#stopping = true;
    await this.#stopOf(uploads);
    life.alive = false;
  }

  /** A program that is asked to stop stops, whatever the network does, unless it is killed before. */
  #stopOf(uploads: Uploads): Promise<void> {
    const { time } = this.#world;
    const cancel = time.after(IDLE_WITHIN_MS, this.#life, () => {
      this.#world.fault('stop-hangs', '');
    });
    return uploads.stop().then(cancel);
  }

  /** Advances the time until `isDone`, or until the longest plausible duration. */
  async #passUntil(isDone: () => boolean, withinMs = 2 * IDLE_WITHIN_MS): Promise<void> {
    const { time } = this.#world;
    const untilMs = time.elapsedMs + withinMs;
    await turn();
    while (!isDone() && time.elapsedMs < untilMs && time.step()) {
      await turn();
      this.afterStep();
    }
  }

  /** The object that accepts commands now. */
  #usable(): Uploads | null {
    return this.#life.alive && !this.#stopping ? (this.#program?.uploads ?? null) : null;
  }

  #idOf(path: string): string | null {
    const row = this.#database
      .prepare('SELECT id FROM uploads WHERE path = $path OR moved_from = $path ORDER BY seq')
      .get({ path });
    return row ? String(row.id) : null;
  }
}

function sidecarOf(path: string, ending: string): string {
  return `${path.slice(0, path.lastIndexOf('.'))}.${ending}`;
}

function pathOf(index: number, upload: PlannedUpload): string {
  return `${DRIVE}/${index}/${upload.name}`;
}
