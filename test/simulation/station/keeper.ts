import type { Database } from '../../../electron/engine/store/database.ts';
import type { Uploads } from '../../../electron/engine/uploads/uploads.ts';
import type { Watch } from '../../../electron/engine/watch/watch.ts';
import { toAppError } from '../../../shared/contract/app-error.ts';
import { type WatchRules, watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import { isEnded } from '../../../shared/model/uploads/upload-states.ts';
import { storedRows } from '../../helpers/data/upload-rows.ts';
import { mayAwaitDrive, pathOnVolume } from '../checker/watched-folder.ts';
import { ProgramRuns } from '../program-runs.ts';
import { isHeld } from '../world/program.ts';
import type { Life } from '../world/virtual-time.ts';
import { COLLECTION_ID, type World } from '../world/world.ts';
import { MOUNT_POINT, OTHER_MOUNT_POINT } from './mounts.ts';
import type { StationEvent } from './plan.ts';
import { STATION_SITE, type Station } from './station.ts';
import { type Write, writesOf } from './writes.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ADDED_AT_MS = 1000;
/** The maximum time until a request is answered. */
const ANSWERS_WITHIN_MS = 3 * MINUTE_MS;
/** The time after the day at which every file has been found, and has been quiet for long enough. */
const SETTLED_AFTER_MS = 45 * MINUTE_MS;
/** The time after the latest write at which a sweep has found its file: the maximum interval, and a minute. */
const FOUND_AFTER_MS = 11 * MINUTE_MS;
const LONGEST_HANG_MS = 20 * MINUTE_MS;
/** Rows are read from time to time only. */
const CHECKED_EVERY_STEPS = 50;

const ADD_REFUSALS: ReadonlySet<string> = new Set(['watch.root-missing', 'file.disk-hangs']);

/** The other programs of the computer: they sleep with it. */
const OTHER_PROGRAMS: Life = { number: 0, alive: true, waitsStopInSleep: true };

/** The keeper of a station, who causes the events of a day: recordings, disconnected drives, restarts. */
export class Keeper {
  readonly #world: World;
  readonly #station: Station;
  readonly #database: Database;
  readonly #runs: ProgramRuns;
  /** The number of the latest change of the mount: it invalidates the planned end of an earlier one. */
  #mountChange = 0;
  /** The files that counted as deleted when the drive was disconnected. */
  #goneBefore: ReadonlySet<string> = new Set();
  #steps = 0;
  #isBaselineDone = false;
  isCalm = false;
  /** Always true: the program reads folders in turns of the event loop. */
  readonly isAdding = true;

  constructor(world: World, station: Station, database: Database) {
    this.#world = world;
    this.#station = station;
    this.#database = database;
    this.#runs = new ProgramRuns(world, database);
  }

  /** Schedules all events of the day. */
  begin(): void {
    const { time, scenario } = this.#world;
    for (const [index, recording] of this.#station.plan.recordings.entries())
      this.#record(index, writesOf(recording), 0);
    time.after(ADDED_AT_MS, null, () => this.#addFolder());
    for (const event of this.#station.plan.events) time.after(event.atMs, null, () => this.#happen(event));
    for (const fault of scenario.faults) {
      if (fault.kind !== 'signed-out') continue;
      time.after(fault.toMs, null, () => this.#signedIn());
      time.after(fault.toMs + ANSWERS_WITHIN_MS, null, () => this.#signedIn());
    }
    time.after(scenario.calmAtMs, null, () => this.#calm());
  }

  afterStep(): void {
    this.#runs.afterStep();
    this.#checkBaseline();
  }

  /** Returns whether every file was decided about and every upload ended. */
  everythingEnded(): boolean {
    const { time, scenario, history } = this.#world;
    this.#steps += 1;
    // A program that slept through part of the day writes after the end of the day.
    const lastWriteMs = history.station?.states.at(-1)?.atMs ?? 0;
    const untilMs = Math.max(scenario.calmAtMs + SETTLED_AFTER_MS, lastWriteMs + FOUND_AFTER_MS);
    if (time.elapsedMs < untilMs || this.#steps % CHECKED_EVERY_STEPS !== 0) return false;
    const uploads = this.#runs.uploads;
    if (uploads === null) return false;
    const open = this.#database.prepare(
      `SELECT 1 FROM watched_files WHERE state IN ('settling', 'waiting') AND size_bytes > 0 LIMIT 1`,
    );
    if (open.get() !== undefined) return false;
    const { isPaused } = uploads.queue;
    return storedRows(this.#database).every(
      (row) =>
        (isEnded(row.state) && row.followUpAt === null) ||
        isHeld(row, isPaused) ||
        (this.#station.plan.deviceChanges && mayAwaitDrive(row) && !this.#isOnVolume(row.path)),
    );
  }

  async lookAtTheEnd(): Promise<void> {
    await this.#runs.lookAtTheEnd();
    this.#runs.dispose();
    const { station } = this.#world.history;
    if (station === null) return;
    const { folder } = this.#station.plan;
    const prefix = folder === '' ? '' : `${folder}/`;
    station.final.folder = folder;
    for (const [path, { recording, contents, isFinished }] of this.#station.volume.files()) {
      if (path.startsWith(prefix)) station.final.files.push({ path, recording, contents, isFinished });
    }
    for (const row of this.#database.prepare('SELECT * FROM watched_files').all()) {
      station.final.rows.push({
        path: `${prefix}${row.path}`,
        state: String(row.state),
        isGone: row.gone_at !== null,
        uploadId: row.upload_id === null ? null : String(row.upload_id),
        reason: row.reason === null ? null : String(row.reason),
      });
    }
  }

  #isOnVolume(path: string): boolean {
    return this.#station.volume.file(pathOnVolume(path)) !== undefined;
  }

  /** Performs a write of a recording, then plans the next one. */
  #record(recording: number, writes: readonly Write[], index: number): void {
    const write = writes[index];
    if (write === undefined) return;
    const before = writes[index - 1]?.atMs ?? 0;
    const life = this.#station.plan.place === 'local' ? OTHER_PROGRAMS : null;
    this.#world.time.after(write.atMs - before, life, () => {
      this.#perform(recording, write);
      this.#record(recording, writes, index + 1);
    });
  }

  #perform(recording: number, write: Write): void {
    const { volume, plan } = this.#station;
    const at = (path: string) => (plan.folder === '' ? path : `${this.#folderName()}/${path}`);
    const aside = (path: string) => `.aside/${path}`;
    switch (write.kind) {
      case 'write':
        volume.write(at(write.path), recording, write.file);
        return;
      case 'rename':
        volume.rename(at(write.from), at(write.to), write.isFinished);
        return;
      case 'delete':
        volume.delete(at(write.path));
        return;
      case 'take-away':
        volume.rename(at(write.path), aside(write.path), true);
        return;
      case 'bring-back':
        volume.rename(aside(write.path), at(write.path), true);
        return;
      case 'copy':
        volume.copy(at(write.from), at(write.to));
    }
  }

  /** Returns the name of the watched folder, which is renamed for some time. */
  #folderName(): string {
    const { volume, plan } = this.#station;
    return volume.folderNumber(plan.folder) === undefined ? renamed(plan.folder) : plan.folder;
  }

  /** A user who does not see the folder in the list adds it again. */
  #addFolder(): void {
    const { time } = this.#world;
    if (this.#database.prepare('SELECT 1 FROM watched_folders').get() !== undefined) return;
    time.after(MINUTE_MS, null, () => this.#addFolder());
    const { plan, mounts } = this.#station;
    if (time.asleepMs > 0 || mounts.mountedAt !== MOUNT_POINT) return;
    const path = plan.folder === '' ? MOUNT_POINT : `${MOUNT_POINT}/${plan.folder}`;
    this.#ask(async (watch) => {
      try {
        await watch.handlers['watch.add']({ path, rules: this.#rules(), sweepEveryMs: plan.sweepEveryMs });
      } catch (error) {
        // The folder is being renamed, or is on a share that hangs: the keeper tries again.
        if (!ADD_REFUSALS.has(toAppError(error).code)) throw error;
      }
    });
  }

  #rules(): WatchRules {
    const { existingFiles, duplicates, source } = this.#station.plan;
    const collection = { kind: 'fixed', collection: { kind: 'id', id: COLLECTION_ID, name: 'Lectures' } } as const;
    const settings = { siteId: STATION_SITE, collection, duplicates, source };
    return watchRulesSchema.parse({ existingFiles, defaults: { settings } });
  }

  /** Records since when the folder is watched, and when its first sweep was complete. */
  #checkBaseline(): void {
    const { history, time } = this.#world;
    if (this.#isBaselineDone || history.station === null) return;
    const row = this.#database.prepare('SELECT baseline FROM watched_folders').get();
    if (row === undefined) return;
    history.station.watchedFromMs ??= time.elapsedMs;
    if (row.baseline !== 'done') return;
    this.#isBaselineDone = true;
    history.station.baselineAtMs = time.elapsedMs;
  }

  #happen(event: StationEvent): void {
    const { time, history } = this.#world;
    const { kind, amount } = event;
    // While the computer sleeps, nobody uses it, but drives can be disconnected.
    const isOfDrive = kind === 'unplugged' || kind === 'mounted-elsewhere' || kind === 'other-drive';
    if (time.asleepMs > 0 && !isOfDrive) {
      time.after(time.asleepMs + 1, null, () => this.#happen(event));
      return;
    }
    history.commands.push({ atMs: time.elapsedMs, kind, ids: [] });
    if (this.#happensToDisk(event)) return;
    const uploads = this.#runs.uploads;
    switch (kind) {
      case 'sleep':
        time.sleep(amount, this.#station.plan.clockStopsInSleep);
        // Not every system reports that the computer woke up.
        if (this.#world.prng.chance(0.7)) time.after(amount + 10, null, () => this.#runs.uploads?.queue.comeBack());
        return;
      case 'clock-jump':
        time.wallOffsetMs = Math.max(-DAY_MS, Math.min(DAY_MS, time.wallOffsetMs + amount));
        return;
      case 'kill':
        this.#runs.kill();
        return;
      case 'power-cut':
        this.#runs.cutPower();
        return;
      case 'kill-at-write':
        this.#runs.killAtWrite({ writesLeft: amount, after: this.#world.prng.chance(0.5) });
        return;
      case 'restart':
        if (uploads !== null) void this.#runs.restart(uploads);
        return;
      case 'came-back':
        uploads?.queue.comeBack();
        return;
      case 'queue-paused':
        this.#uploadsDo((each) => each.handlers['uploads.pause']({ kind: 'all' }));
        this.#awake(amount, () => this.#uploadsDo((each) => each.handlers['uploads.resume']({ kind: 'all' })));
        return;
      case 'folder-paused':
        this.#ofFolder((watch, folderId) => watch.handlers['watch.pause']({ folderId }));
        this.#awake(amount, () => this.#ofFolder((watch, folderId) => watch.handlers['watch.resume']({ folderId })));
        return;
      case 'sweep-now':
        this.#ofFolder((watch, folderId) => watch.handlers['watch.sweepNow']({ folderId }));
        return;
      default:
    }
  }

  /** Causes an event of the drive or its reports. Returns whether the event was one of these. */
  #happensToDisk({ kind, amount }: StationEvent): boolean {
    const { time, prng } = this.#world;
    const { mounts, volume, plan } = this.#station;
    switch (kind) {
      case 'unplugged':
        this.#mount(null, amount);
        return true;
      case 'mounted-elsewhere': {
        const awayMs = prng.int(0, 30_000);
        this.#mount(null, awayMs + 1);
        const change = this.#mountChange;
        time.after(awayMs, null, () => {
          if (change === this.#mountChange) this.#mount(OTHER_MOUNT_POINT, amount);
        });
        return true;
      }
      case 'other-drive':
        this.#noteLostSight();
        mounts.mountForeign();
        this.#mountBack(amount);
        return true;
      case 'root-renamed':
        if (plan.folder === '' || volume.folderNumber(plan.folder) === undefined) return true;
        volume.renameFolder(plan.folder, renamed(plan.folder));
        time.after(amount, null, () => volume.renameFolder(renamed(plan.folder), plan.folder));
        return true;
      case 'share-hangs':
        mounts.hangUntil(time.elapsedMs + Math.min(amount, LONGEST_HANG_MS));
        return true;
      case 'events-fail':
        mounts.failEvents(this.#runs.life);
        return true;
      default:
        return false;
    }
  }

  #mount(at: string | null, forMs: number): void {
    this.#noteLostSight();
    const { history, time } = this.#world;
    history.drive.push({ atMs: time.elapsedMs, isPlugged: at !== null });
    this.#station.mounts.mount(at);
    this.#mountBack(forMs);
  }

  #mountBack(inMs: number): void {
    const { history, time } = this.#world;
    this.#mountChange += 1;
    const change = this.#mountChange;
    time.after(inMs, null, () => {
      if (change !== this.#mountChange) return;
      this.#noteLostSight();
      history.drive.push({ atMs: time.elapsedMs, isPlugged: true });
      this.#station.mounts.mount(MOUNT_POINT);
    });
  }

  /**
   * While the drive was disconnected, the engine could learn nothing about its files: none of them may have started to count as
   * deleted.
   */
  #noteLostSight(): void {
    const { station } = this.#world.history;
    const { elapsedMs: atMs } = this.#world.time;
    const { volume, mounts } = this.#station;
    const gone = this.#database.prepare('SELECT path FROM watched_files WHERE gone_at IS NOT NULL').all();
    const paths = gone.map(({ path }) => String(path));
    if (mounts.mountedAt !== null || station === null) {
      this.#goneBefore = new Set(paths);
      return;
    }
    const prefix = this.#folderName();
    for (const each of paths) {
      const path = prefix === '' ? each : `${prefix}/${each}`;
      if (!this.#goneBefore.has(each) && volume.file(path) !== undefined) station.lostSight.push({ atMs, path });
    }
  }

  #calm(): void {
    const { services, time, history } = this.#world;
    this.isCalm = true;
    this.#runs.killAtWrite(null);
    for (const service of services.values()) service.calm();
    history.commands.push({ atMs: time.elapsedMs, kind: 'calm', ids: [] });
    for (const inMs of [0, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS)) {
      this.#awake(inMs, () => {
        this.#confirmMove();
        this.#uploadsDo((each) => each.handlers['uploads.resume']({ kind: 'all' }));
        this.#uploadsDo((each) => each.handlers['uploads.retry']({ kind: 'failed' }));
        this.#ofFolder((watch, folderId) => watch.handlers['watch.resume']({ folderId }));
      });
    }
  }

  /** The keeper answers “same folder?”. */
  #confirmMove(): void {
    this.#ask(async (watch) => {
      const [folder] = await watch.handlers['watch.list'](null);
      if (folder?.movedTo) await watch.handlers['watch.confirmMoved']({ folderId: folder.id, path: folder.movedTo });
    });
  }

  /** Calls `what` after some time, when the computer does not sleep. */
  #awake(inMs: number, what: () => void): void {
    this.#world.time.after(inMs, OTHER_PROGRAMS, what);
  }

  #ofFolder(command: (watch: Watch, folderId: string) => Promise<unknown>): void {
    const row = this.#database.prepare('SELECT id FROM watched_folders').get();
    if (row !== undefined) this.#ask((watch) => command(watch, String(row.id)));
  }

  #uploadsDo(command: (uploads: Uploads) => Promise<unknown>): void {
    const uploads = this.#runs.uploads;
    if (uploads !== null) this.#runs.ask(() => command(uploads));
  }

  #ask(command: (watch: Watch) => Promise<unknown>): void {
    const watch = this.#runs.program?.watch;
    if (watch) this.#runs.ask(() => command(watch));
  }

  #signedIn(): void {
    if (!this.#world.holds('signed-out', STATION_SITE)) this.#runs.uploads?.queue.siteSignedIn(STATION_SITE);
  }
}

function renamed(folder: string): string {
  return `${folder} renamed`;
}
