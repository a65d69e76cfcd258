import type { FileMover } from '../../../electron/engine/ports/file-mover.ts';
import type { FileFacts, Files } from '../../../electron/engine/ports/files.ts';
import type { FolderEventListeners, FolderEvents } from '../../../electron/engine/ports/folder-events.ts';
import type { FolderEntry, FolderWalker, WalkBatch } from '../../../electron/engine/ports/folder-walker.ts';
import type { OpenFiles } from '../../../electron/engine/ports/open-files.ts';
import type { Volume, Volumes } from '../../../electron/engine/ports/volumes.ts';
import type { FileDigests } from '../../../electron/engine/uploads/duplicates/file-digests.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { Prng } from '../../helpers/data/prng.ts';
import type { History } from '../history.ts';
import type { SimulatedOpenFile } from '../world/files.ts';
import type { Life, VirtualTime } from '../world/virtual-time.ts';
import type { StationPlan } from './plan.ts';
import type { RecordingVolume, StoredFile } from './volume.ts';

/** The usual mount point of the volume, and the mount point when that path is in use. */
export const MOUNT_POINT = '/media/drive';
export const OTHER_MOUNT_POINT = '/media/drive 1';
/** Each mount gives other numbers to the files. */
const NUMBERED_ANEW = { isCertain: true, hasFileNumbers: false };
const SYSTEM: Volume = { ...NUMBERED_ANEW, key: 'system', name: 'this computer', mountPoint: '/', isNetwork: false };
const SYSTEM_DEVICE = 1;
const VOLUME_KEY = 'drive:recordings';
const FOREIGN_KEY = 'drive:foreign';
/** A call on a share that hangs fails after this time. */
const HANGS_MS = 30_000;
/** Bytes of a header that declares the size of its file. */
const HEADER_BYTES = 44;
const BATCH_ENTRIES = 100;

type Found =
  | { kind: 'file'; file: StoredFile; device: number; numbersFrom: number }
  | {
      kind: 'folder';
      number: number;
      device: number;
      numbersFrom: number;
      names: () => { name: string; isFolder: boolean }[];
    };

interface Subscription {
  root: string;
  life: Life;
  /** The number of the mount that events belong to: a later mount has no subscription. */
  mount: number;
  listeners: FolderEventListeners;
}

/** The file system of the computer with the drive or share of the station, as runs of the program see it. */
export class StationMounts {
  readonly #time: VirtualTime;
  readonly #prng: Prng;
  readonly #plan: StationPlan;
  readonly #volume: RecordingVolume;
  /** Another drive, with files that no rule concerns. */
  readonly #foreign: RecordingVolume;
  readonly #subscriptions = new Set<Subscription>();
  readonly #history: History;
  readonly #trash: string[] = [];
  #at: string | null = MOUNT_POINT;
  #isForeignThere = false;
  #mounts = 0;
  #hangsUntilMs = 0;
  /** Whether a call of the program has returned since the last reset: the program may then work in turns of the event loop. */
  hasAnswered = false;

  constructor(
    { time, prng, history }: { time: VirtualTime; prng: Prng; history: History },
    plan: StationPlan,
    { volume, foreign }: { volume: RecordingVolume; foreign: RecordingVolume },
  ) {
    this.#time = time;
    this.#prng = prng;
    this.#history = history;
    this.#plan = plan;
    this.#volume = volume;
    this.#foreign = foreign;
    volume.listener = { changed: (path, isFolder) => this.#changed(path, isFolder) };
  }

  get mountedAt(): string | null {
    return this.#at;
  }

  /** Mounts the volume; null: it is not connected. */
  mount(at: string | null): void {
    this.#at = at;
    this.#mounts += 1;
    if (at === MOUNT_POINT) this.#isForeignThere = false;
  }

  /** Mounts another drive at the usual mount point. */
  mountForeign(): void {
    this.mount(null);
    this.#isForeignThere = true;
  }

  hangUntil(atMs: number): void {
    this.#hangsUntilMs = Math.max(this.#hangsUntilMs, atMs);
  }

  /** The subscriptions of a run end with a fault of the system. */
  failEvents(life: Life): void {
    for (const subscription of [...this.#subscriptions]) {
      if (subscription.life !== life) continue;
      this.#subscriptions.delete(subscription);
      subscription.listeners.onFault(appError('watch.events-failed', { details: { reason: 'EIO' } }));
    }
  }

  /** The files as one run of the program sees them. */
  for(life: Life): Files {
    const soon = <T>(path: string, produce: () => T) => this.#soon(path, life, produce);
    const files: Files = {
      // This disk has no links.
      within: () => files,
      facts: (path) => soon(path, () => factsOf(this.#found(path))),
      assertReadable: (path) => soon(path, () => void this.#found(path)),
      list: (path) => soon(path, () => this.#namesIn(path).map(({ name }) => name)),
      open: (path) => soon(path, () => this.#open(path, life)),
    };
    return files;
  }

  digestsFor(life: Life): FileDigests {
    const soon = <T>(produce: () => T) => this.#soon(MOUNT_POINT, life, produce);
    return {
      edges: (file) => soon(() => (file as StationOpenFile).ends()),
      contents: (file, _size, isWanted) => soon(() => (isWanted() ? (file as StationOpenFile).peek().contents : null)),
    };
  }

  /** Creates the file mover of a station, which keeps its files or puts them into the trash. */
  moverFor(life: Life): FileMover {
    const unused = () => Promise.reject(new Error('no station moves its files'));
    const mover: FileMover = {
      within: () => mover,
      hash: (path) => this.#soon(path, life, () => this.#fileAt(path).file.contents),
      rename: unused,
      copy: unused,
      remove: unused,
      trash: (path) =>
        this.#soon(path, life, () => {
          const { file, below } = this.#fileAt(path);
          this.#volume.remove(below);
          this.#trash.push(file.contents);
          this.#history.taken.push({
            atMs: this.#time.elapsedMs,
            kind: 'trashed',
            path,
            contents: file.contents,
            elsewhere: this.lying().some(({ contents }) => contents === file.contents),
          });
        }),
    };
    return mover;
  }

  /** All files outside the trash, wherever the drive is. */
  lying(): { path: string; contents: string }[] {
    return [...this.#volume.files()].map(([path, { contents }]) => ({ path: joined(MOUNT_POINT, path), contents }));
  }

  trashed(): string[] {
    return this.#trash;
  }

  walkerFor(life: Life): FolderWalker {
    return {
      walk: (request, onBatch, signal) => this.#walk(request, onBatch, signal, life),
      realPath: (path) =>
        this.#soon(path, life, () => {
          this.#found(path);
          return path;
        }),
      entriesAt: (root, paths) =>
        this.#soon(root, life, () => {
          const top = this.#found(root);
          return paths.flatMap((path) => this.#entry(root, path, top.device) ?? []);
        }),
    };
  }

  eventsFor(life: Life): FolderEvents {
    return {
      subscribe: (root, listeners) => {
        const subscription: Subscription = { root, life, mount: this.#mounts, listeners };
        const cancel = this.#time.after(this.#prng.int(1, 3000), life, () => {
          this.#subscriptions.add(subscription);
          listeners.onReady();
        });
        return async () => {
          cancel();
          this.#subscriptions.delete(subscription);
        };
      },
    };
  }

  readonly volumes: Volumes = {
    of: (path, device) => {
      const volume = this.#volumeOf(path);
      // As on Linux: the drive of the file was pulled after its facts were read.
      const isElsewhere = device !== undefined && Number(device) !== this.#deviceOf(volume);
      return isElsewhere ? { ...volume, key: '', isCertain: false } : volume;
    },
    mountPoints: (key) => (key === VOLUME_KEY && this.#at !== null ? [this.#at] : []),
  };

  openFilesFor(life: Life): OpenFiles {
    return {
      isOpenForWriting: ({ path }) =>
        this.#soon(path, life, () => {
          if (!this.#plan.showsOpenFiles) return null;
          const found = this.#look(path);
          return found?.kind === 'file' && found.file.isOpen ? true : null;
        }),
    };
  }

  #volumeOf(path: string): Volume {
    const isNetwork = this.#plan.place === 'share';
    if (this.#at !== null && isWithin(path, this.#at)) {
      return { ...NUMBERED_ANEW, key: VOLUME_KEY, name: 'Recordings', mountPoint: this.#at, isNetwork };
    }
    if (this.#isForeignThere && isWithin(path, MOUNT_POINT)) {
      return { ...NUMBERED_ANEW, key: FOREIGN_KEY, name: 'Foreign', mountPoint: MOUNT_POINT, isNetwork: false };
    }
    return SYSTEM;
  }

  async #walk(
    { root, from, isDeep, known }: Parameters<FolderWalker['walk']>[0],
    onBatch: Parameters<FolderWalker['walk']>[1],
    signal: AbortSignal,
    life: Life,
  ): Promise<void> {
    const device = await this.#soon(root, life, () => this.#look(root)?.device ?? 0);
    const folders = [from];
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      const below = folder;
      const path = joined(root, below);
      const listed = await this.#soon(path, life, () => {
        if (this.#look(path)?.kind !== 'folder') return null;
        const names = this.#namesIn(path);
        const entries = names.flatMap(({ name }) => this.#entry(root, joined(below, name), device) ?? []);
        return { entries, folders: names.filter(({ isFolder }) => isFolder).map(({ name }) => joined(below, name)) };
      });
      signal.throwIfAborted();
      if (listed === null) {
        await onBatch({ ...NOTHING, unlisted: [below] });
        continue;
      }
      // Hidden folders are not read.
      if (isDeep)
        folders.push(...listed.folders.filter((each) => !each.split('/').some((name) => name.startsWith('.'))));
      const { entries } = listed;
      const digest = digestOf(below, entries);
      if (known?.has(digest)) {
        await onBatch({ ...NOTHING, unchanged: [below] });
        continue;
      }
      for (let at = 0; at === 0 || at < entries.length; at += BATCH_ENTRIES) {
        const isLast = at + BATCH_ENTRIES >= entries.length;
        const ended = isLast ? [{ folder: below, digest }] : [];
        await onBatch({ ...NOTHING, entries: entries.slice(at, at + BATCH_ENTRIES), listed: ended });
        signal.throwIfAborted();
      }
    }
  }

  #entry(root: string, path: string, device: number): FolderEntry | null {
    const found = this.#look(joined(root, path));
    if (found?.kind !== 'file') return null;
    const { number, sizeBytes, mtimeMs, blocks } = found.file;
    const own = String(found.numbersFrom + number);
    return {
      path,
      kind: 'file',
      sizeBytes,
      mtimeMs,
      fileId: found.device === device ? own : `${found.device}:${own}`,
      blocks,
      ctimeMs: null,
    };
  }

  #open(path: string, life: Life): StationOpenFile {
    const first = this.#found(path);
    if (first.kind !== 'file') throw appError('file.not-regular', { details: { path } });
    const mount = this.#mounts;
    const { number } = first.file;
    const now = () => {
      if (this.#mounts !== mount || this.#at === null)
        throw appError('file.disk-error', { details: { reason: 'EIO' } });
      // A file that was renamed or deleted is still open.
      for (const [, file] of this.#volume.files()) if (file.number === number) return file;
      return first.file;
    };
    const soon = <T>(produce: () => T) => this.#soon(path, life, produce);
    return {
      peek: now,
      ends: () => now().ends,
      read: (buffer, offset, length, position) => soon(() => readHeader(now(), buffer, offset, length, position)),
      facts: () => soon(() => factsOf({ ...first, file: now() })),
      path: () => soon(() => this.#pathOf(number)),
      close: async () => {},
    };
  }

  #fileAt(path: string): { file: StoredFile; below: string } {
    const found = this.#found(path);
    const { key, mountPoint } = this.#volumeOf(path);
    if (found.kind !== 'file' || key !== VOLUME_KEY) throw appError('file.not-regular', { details: { path } });
    return { file: found.file, below: path.slice(mountPoint.length + 1) };
  }

  #pathOf(number: number): string | null {
    if (this.#at === null) return null;
    for (const [path, file] of this.#volume.files()) if (file.number === number) return joined(this.#at, path);
    return null;
  }

  #found(path: string): Found {
    const found = this.#look(path);
    if (found === null) throw appError('file.missing', { details: { path } });
    return found;
  }

  #look(path: string): Found | null {
    const { key, mountPoint } = this.#volumeOf(path);
    if (key === 'system') return this.#onSystem(path);
    const volume = key === VOLUME_KEY ? this.#volume : this.#foreign;
    const below = path === mountPoint ? '' : path.slice(mountPoint.length + 1);
    const place = {
      device: this.#deviceOf({ key }),
      numbersFrom: this.#plan.numbersChange && key === VOLUME_KEY ? 100_000 * this.#mounts : 0,
    };
    const file = volume.file(below);
    if (file !== undefined) return { kind: 'file', file, ...place };
    const number = volume.folderNumber(below);
    return number === undefined ? null : { kind: 'folder', number, ...place, names: () => volume.list(below) };
  }

  #deviceOf({ key }: Pick<Volume, 'key'>): number {
    if (key === SYSTEM.key) return SYSTEM_DEVICE;
    if (key !== VOLUME_KEY) return 8;
    return 7 + (this.#plan.deviceChanges ? 10 * this.#mounts : 0);
  }

  #onSystem(path: string): Found | null {
    const folder = (number: number, names: string[]): Found => ({
      kind: 'folder',
      number,
      device: SYSTEM_DEVICE,
      numbersFrom: 0,
      names: () => names.map((name) => ({ name, isFolder: true })),
    });
    if (path === '/') return folder(2, ['media']);
    const isKept = this.#plan.mountPointStays || this.#at === MOUNT_POINT || this.#isForeignThere;
    const other = this.#at === OTHER_MOUNT_POINT ? ['drive 1'] : [];
    if (path === '/media') return folder(3, isKept ? ['drive', ...other] : other);
    return path === MOUNT_POINT && isKept ? folder(4, []) : null;
  }

  #namesIn(path: string): { name: string; isFolder: boolean }[] {
    const found = this.#found(path);
    if (found.kind !== 'folder') throw appError('file.missing', { details: { path } });
    return found.names();
  }

  /** Answers a call of the program after some time. */
  #soon<T>(path: string, life: Life, produce: () => T): Promise<T> {
    const { elapsedMs } = this.#time;
    const isAway = !isWithin(path, MOUNT_POINT) || elapsedMs >= this.#hangsUntilMs;
    const answer = () => {
      this.hasAnswered = true;
      return produce();
    };
    const { place, answersWithinMs = place === 'share' ? 40 : 3 } = this.#plan;
    if (isAway) return this.#time.later(this.#prng.int(0, answersWithinMs), life, answer);
    const hangsMs = this.#hangsUntilMs - elapsedMs;
    if (hangsMs < HANGS_MS) return this.#time.later(hangsMs, life, answer);
    return this.#time.later(HANGS_MS, life, () => {
      this.hasAnswered = true;
      throw appError('file.disk-hangs', { details: { path } });
    });
  }

  #changed(path: string, isFolder: boolean): void {
    if (this.#at === null || this.#plan.place === 'share') return;
    const at = joined(this.#at, path);
    for (const subscription of this.#subscriptions) {
      const { root, life, mount, listeners } = subscription;
      if (mount !== this.#mounts || !isWithin(at, root) || this.#prng.chance(this.#plan.eventsLost)) continue;
      const hint = { path: at === root ? '' : at.slice(root.length + 1), isFolder };
      this.#time.after(this.#prng.int(1, this.#plan.eventsLateMs), life, () => {
        if (this.#subscriptions.has(subscription)) listeners.onHint(hint);
      });
    }
  }
}

interface StationOpenFile extends SimulatedOpenFile {
  ends(): string;
}

function factsOf(found: Found): FileFacts {
  if (found.kind === 'folder') {
    return {
      kind: 'folder',
      sizeBytes: 0,
      mtimeMs: 0,
      identity: `${found.device}:${found.numbersFrom + found.number}`,
    };
  }
  const { number, sizeBytes, mtimeMs } = found.file;
  return { kind: 'file', sizeBytes, mtimeMs, identity: `${found.device}:${found.numbersFrom + number}` };
}

/** The bytes of a WAV file with the declared size; zero bytes in other files and behind the header. */
function readHeader(file: StoredFile, buffer: Uint8Array, offset: number, length: number, position: number): number {
  const count = Math.max(0, Math.min(length, file.sizeBytes - position));
  // No zeros: the engine takes a file that ends with many for one whose program has not filled it.
  buffer.fill(0x55, offset, offset + count);
  if (file.declaredBytes === null || position >= HEADER_BYTES) return count;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.max(0, file.declaredBytes - 8), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(Math.max(0, file.declaredBytes - HEADER_BYTES), 40);
  buffer.set(header.subarray(position, position + count), offset);
  return count;
}

const NOTHING: WalkBatch = { entries: [], unlisted: [], unchanged: [], listed: [] };

function digestOf(folder: string, entries: readonly FolderEntry[]): string {
  const lines = entries.map(({ path, sizeBytes, mtimeMs, fileId }) => `${path} ${sizeBytes} ${mtimeMs} ${fileId}`);
  return [folder, ...lines].join('\n');
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : name === '' ? folder : `${folder}/${name}`;
}
