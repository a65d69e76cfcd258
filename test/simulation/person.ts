import type { Database, Statement } from '../../electron/engine/store/database.ts';
import type { Uploads } from '../../electron/engine/uploads/uploads.ts';
import { batchDefaultsSchema } from '../../shared/contract/uploads.ts';
import { offeredItems } from '../../shared/model/offered-items.ts';
import { PRIORITIES } from '../../shared/model/uploads/priorities.ts';
import { asksAboutItem, type UploadCommand } from '../../shared/model/uploads/upload-machine.ts';
import { isEnded, SLOT_STATES } from '../../shared/model/uploads/upload-states.ts';
import { storedRows } from '../helpers/data/upload-rows.ts';
import { ProgramRuns } from './program-runs.ts';
import type { PlannedUpload, ScenarioEvent } from './scenario.ts';
import { undoableCommand } from './undoable-commands.ts';
import { DRIVE, type FileChange } from './world/files.ts';
import { isBehindHeld, isHeld } from './world/program.ts';
import type { Life } from './world/virtual-time.ts';
import { COLLECTION_ID, type World } from './world/world.ts';

/** For a library that truncates titles. */
const LONG_TITLES = 'Recorded in the great hall of the old university, {name}';
/** The largest error of a clock. */
const DAY_MS = 24 * 60 * 60_000;
/** The maximum time until a request is answered. */
const ANSWERS_WITHIN_MS = 3 * 60_000;
/** When sidecars become unreadable, after their recordings were added. */
const SPOILED_AFTER_MS = 3000;

/** The user of the computer, who causes the events of the scenario: additions, commands, kills and restarts. */
export class Person {
  readonly #world: World;
  readonly #database: Database;
  /** Finds a row that has certainly not ended. */
  readonly #underWay: Statement;
  readonly #runs: ProgramRuns;
  #pendingAdds = 0;
  /** The last copy of each file, by its path. */
  readonly #copies = new Map<string, string>();
  /** The run that adds each copy now: copies that a killed run could not add are not added. */
  readonly #addingCopies: Life[] = [];
  isCalm = false;

  constructor(world: World, database: Database) {
    this.#world = world;
    this.#database = database;
    const states = [...SLOT_STATES, 'processing'].map((state) => `'${state}'`).join(', ');
    this.#underWay = database.prepare(
      `SELECT 1 AS found FROM uploads WHERE state IN (${states}) OR follow_up_at IS NOT NULL LIMIT 1`,
    );
    this.#runs = new ProgramRuns(world, database);
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
        // The file exists and the search finds it; reading it fails.
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
    for (const event of scenario.events) time.after(event.atMs, null, () => this.#happen(event));
    for (const fault of scenario.faults) {
      if (fault.kind !== 'signed-out') continue;
      time.after(fault.toMs, null, () => this.#signedIn());
      // An earlier answer may still be in flight, and require another sign-in.
      time.after(fault.toMs + ANSWERS_WITHIN_MS, null, () => this.#signedIn());
    }
    time.after(scenario.calmAtMs, null, () => this.#calm());
  }

  get isAdding(): boolean {
    const { life } = this.#runs;
    return this.#pendingAdds > 0 || (life.alive && this.#addingCopies.includes(life));
  }

  afterStep(): void {
    this.#runs.afterStep();
  }

  /** Returns whether every row has a state that only the user can change. */
  everythingEnded(): boolean {
    const uploads = this.#runs.uploads;
    if (uploads === null || this.isAdding || this.#runs.isAsked) return false;
    // Called after every step: usually some upload is in progress, so the rows need not be read.
    if (this.#underWay.get() !== undefined) return false;
    const queuePaused = uploads.queue.isPaused;
    const rows = storedRows(this.#database);
    return rows.every((row) => isEnded(row.state) || isHeld(row, queuePaused) || isBehindHeld(row, rows, queuePaused));
  }

  async lookAtTheEnd(): Promise<void> {
    await this.#runs.lookAtTheEnd();
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
    const uploads = this.#runs.uploads;
    if (!uploads) return;
    const { publish, site, duplicates = 'ask' } = first;
    const { life } = this.#runs;
    const { source = { kind: 'keep' }, tags = [], collectionRef } = first;
    const target = collectionRef === undefined ? { collectionId: COLLECTION_ID } : { collectionRef };
    const titleTemplate = this.#world.scenario.service.titles === 'cut' ? LONG_TITLES : '{name}';
    const defaults = batchDefaultsSchema.parse({ publish, duplicates, source, tags, titleTemplate });
    this.#runs.ask(async () => {
      await uploads.handlers['uploads.add']({ siteId: site, ...target, paths, defaults });
      if (life.alive) this.#pendingAdds -= 1;
    });
  }

  #happen(event: ScenarioEvent): void {
    const { time, history } = this.#world;
    const { kind } = event;
    const upload = this.#world.scenario.uploads[event.upload];
    if (!upload) return;
    const path = pathOf(event.upload, upload);
    const id = this.#idOf(event.ofCopy ? (this.#copies.get(path) ?? path) : path);
    if (this.#happensToFile(kind, path, upload) || this.#happensOutside(event, upload, id)) return;
    const uploads = this.#runs.uploads;
    if (!uploads) return;
    history.commands.push({ atMs: time.elapsedMs, kind, ids: id === null ? [] : [id] });
    if (!this.#happensToProgram(event, uploads)) this.#command(event, uploads, id);
  }
  /** Changes the file of an upload, or its drive. Returns whether the event was such a change. */
  #happensToFile(kind: ScenarioEvent['kind'], path: string, upload: PlannedUpload): boolean {
    const { disk } = this.#world;
    if (kind === 'drive-pulled' || kind === 'drive-returns') disk.plug(kind === 'drive-returns');
    else if (kind === 'file-copied') this.#addCopy(path, upload);
    else if (kind.startsWith('file-')) disk.change(path, kind.slice('file-'.length) as FileChange);
    else return false;
    return true;
  }

  /** Changes the clock, or makes a change of other users of the library. Returns whether the event was such a change. */
  #happensOutside({ kind, amount }: ScenarioEvent, upload: PlannedUpload, id: string | null): boolean {
    const { time } = this.#world;
    switch (kind) {
      case 'clock-jump':
        time.wallOffsetMs = Math.max(-DAY_MS, Math.min(DAY_MS, time.wallOffsetMs + amount));
        return true;
      case 'item-deleted': {
        const row =
          id === null
            ? undefined
            : this.#database.prepare('SELECT media_id AS m FROM uploads WHERE id = $id').get({ id });
        if (row?.m) this.#world.service(upload.site).deletedByOthers(String(row.m));
        return true;
      }
      case 'draft-by-others': {
        const titles = ['Untitled', 'Draft of a colleague', upload.name.replace(/\.[^.]*$/, ' (colleague)')];
        this.#world.service(upload.site).draftByOthers(COLLECTION_ID, titles[amount - 1] ?? '');
        return true;
      }
      default:
        return false;
    }
  }

  /** Ends the program, or starts it afterwards. Returns whether the event was one of these. */
  #happensToProgram({ kind, amount }: ScenarioEvent, uploads: Uploads): boolean {
    switch (kind) {
      case 'crash':
        this.#runs.kill();
        return true;
      case 'power-cut':
        this.#runs.cutPower();
        return true;
      case 'crash-at-write':
        this.#runs.killAtWrite({ writesLeft: amount, after: this.#world.prng.chance(0.5) });
        return true;
      case 'restart':
        void this.#runs.restart(uploads);
        return true;
      default:
        return false;
    }
  }

  #command(event: ScenarioEvent, uploads: Uploads, id: string | null): void {
    const { prng } = this.#world;
    const { kind } = event;
    const { handlers } = uploads;
    switch (kind) {
      case 'pause':
      case 'resume':
      case 'cancel':
      case 'retry':
        if (id !== null)
          this.#runs.ask(() => handlers[`uploads.${kind satisfies UploadCommand}`]({ kind: 'ids', ids: [id] }));
        return;
      case 'cancel-waiting':
      case 'cancel-and-undo':
      case 'clear-completed':
      case 'clear-ended':
      case 'clear-and-undo':
        this.#undoable(event, id);
        return;
      case 'pause-all':
        this.#runs.ask(() => handlers['uploads.pause']({ kind: 'all' }));
        return;
      case 'resume-all':
        this.#runs.ask(() => handlers['uploads.resume']({ kind: 'all' }));
        return;
      case 'duplicates-skip':
      case 'duplicates-upload': {
        const choice = kind === 'duplicates-skip' ? 'skip' : 'upload';
        this.#runs.ask(() => handlers['uploads.resolveDuplicates']({ selection: { kind: 'all' }, choice }));
        return;
      }
      case 'item-chosen':
      case 'item-new':
        if (id !== null) this.#runs.ask(() => this.#choose(uploads, id, kind === 'item-new'));
        return;
      case 'retry-failed':
        this.#runs.ask(() => handlers['uploads.retry']({ kind: 'failed' }));
        return;
      case 'move': {
        const before = prng.chance(0.3) ? null : this.#idOf(this.#anyPath());
        if (id !== null) this.#runs.ask(() => handlers['uploads.move']({ ids: [id], before }));
        return;
      }
      case 'send-next':
        if (id !== null) this.#runs.ask(() => handlers['uploads.sendNext']({ selection: { kind: 'ids', ids: [id] } }));
        return;
      case 'set-priority': {
        const priority = prng.pick(PRIORITIES);
        if (id === null) return;
        this.#runs.ask(() => handlers['uploads.setPriority']({ selection: { kind: 'ids', ids: [id] }, priority }));
        return;
      }
      case 'cancel-batch': {
        const row =
          id === null
            ? undefined
            : this.#database.prepare('SELECT batch_id AS b FROM uploads WHERE id = $id').get({ id });
        if (row) this.#runs.ask(() => handlers['uploads.cancel']({ kind: 'batch', batchId: String(row.b) }));
        return;
      }
      default:
        this.#changeSettings(kind, uploads);
    }
  }

  #changeSettings(kind: ScenarioEvent['kind'], uploads: Uploads): void {
    const { prng, time } = this.#world;
    const { handlers } = uploads;
    switch (kind) {
      case 'small-first':
        this.#runs.ask(() => handlers['settings.set']({ patch: { smallFirst: prng.chance(0.6) } }));
        return;
      case 'pause-until': {
        const until = prng.chance(0.2) ? null : time.wallMs() + prng.spread(1000, 2 * 60 * 60_000);
        this.#runs.ask(() => handlers['uploads.pauseUntil']({ until }));
        return;
      }
      case 'limit': {
        const limitBytesPerSecond = prng.pick([null, 0, 0, 50_000, 5_000_000]);
        this.#runs.ask(() => handlers['settings.set']({ patch: { limitBytesPerSecond } }));
        return;
      }
      case 'wake':
        this.#runs.ask(() => uploads.queue.comeBack());
        return;
      default:
    }
  }

  /** Runs a command and, if the event requires it and the program still runs, undoes it after `amount` ms. */
  #undoable(event: ScenarioEvent, id: string | null): void {
    const uploads = this.#runs.uploads;
    const command = uploads && undoableCommand(uploads, event, id);
    if (!command) return;
    const { life } = this.#runs;
    this.#runs.ask(async () => {
      const { undoId } = await command.run();
      if (undoId === null || !command.isUndone) return;
      await new Promise<void>((resolve) => void this.#world.time.after(event.amount, null, resolve));
      if (life === this.#runs.life && this.#runs.uploads) await uploads.handlers[command.undo]({ undoId });
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

  /** Adds a copy of the file under another name, once; a crash can prevent it. */
  #addCopy(path: string, { site, duplicates = 'ask', publish }: PlannedUpload): void {
    const copy = this.#world.disk.copy(path);
    const uploads = this.#runs.uploads;
    if (copy === null || !uploads) return;
    this.#copies.set(path, copy);
    const defaults = batchDefaultsSchema.parse({ publish, duplicates });
    const { life } = this.#runs;
    this.#addingCopies.push(life);
    this.#runs.ask(async () => {
      try {
        await uploads.handlers['uploads.add']({ siteId: site, collectionId: COLLECTION_ID, paths: [copy], defaults });
      } finally {
        this.#addingCopies.splice(this.#addingCopies.indexOf(life), 1);
      }
    });
  }

  /** Runs after all failures. In some scenarios, the user returns and resumes everything. */
  #calm(): void {
    const { prng, services, time, history } = this.#world;
    this.isCalm = true;
    this.#runs.killAtWrite(null);
    this.#world.disk.plug(true);
    for (const service of services.values()) service.calm();
    this.#liftLimit();
    const handlers = this.#runs.uploads?.handlers;
    if (!handlers) return;
    if (prng.chance(0.7)) this.#runs.ask(() => handlers['uploads.resume']({ kind: 'all' }));
    if (prng.chance(0.5)) this.#runs.ask(() => handlers['uploads.retry']({ kind: 'failed' }));
    history.commands.push({ atMs: time.elapsedMs, kind: 'calm', ids: [] });
  }

  /** The user finally removes a limit of 0. */
  #liftLimit(): void {
    const settings = this.#runs.uploads?.settings;
    if (settings?.get().limitBytesPerSecond === null) return;
    this.#world.time.after(10_000, null, () => this.#liftLimit());
    const handlers = this.#runs.uploads?.handlers;
    if (handlers) this.#runs.ask(() => handlers['settings.set']({ patch: { limitBytesPerSecond: null } }));
  }

  #anyPath(): string {
    const { prng, scenario } = this.#world;
    const index = prng.int(0, scenario.uploads.length - 1);
    return pathOf(index, scenario.uploads[index] as PlannedUpload);
  }

  #signedIn(): void {
    const { services } = this.#world;
    for (const site of services.keys()) {
      if (!this.#world.holds('signed-out', site)) this.#runs.uploads?.queue.siteSignedIn(site);
    }
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
