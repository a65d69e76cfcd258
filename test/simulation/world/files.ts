import { basename, dirname, join } from 'node:path';
import type { FileMover } from '../../../electron/engine/ports/file-mover.ts';
import type { FileFacts, Files, OpenFile } from '../../../electron/engine/ports/files.ts';
import type { Volume, Volumes } from '../../../electron/engine/ports/volumes.ts';
import type { FileDigests } from '../../../electron/engine/uploads/duplicates/file-digests.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { Prng } from '../../helpers/data/prng.ts';
import type { History } from '../history.ts';
import type { Scenario } from '../scenario.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

/** The contents of an inode. Bytes are not stored: a name represents them. */
interface Inode {
  identity: string;
  contents: string;
  sizeBytes: number;
  mtimeMs: number;
}

export type FileChange =
  | 'grows'
  | 'shrinks'
  | 'rewritten'
  | 'replaced'
  | 'vanishes'
  | 'returns'
  | 'renamed'
  | 'moved'
  /** The file was renamed, and another file was written at its path. */
  | 'rotated';

/** A file as a transfer reads it. */
export interface SimulatedOpenFile extends OpenFile {
  /** The current contents, as the handle sees them. Throws when the drive is disconnected. */
  peek(): { contents: string; sizeBytes: number };
}

/** The drive with all recordings; an empty folder while it is disconnected. */
export const DRIVE = '/recordings';
/** The longest time to move, copy or delete a file. */
export const MOVER_STEP_MS = 30;
/** The size of one read while hashing. */
const HASHING_READS = 4;
const DRIVE_DEVICE = 1;
const SYSTEM_DEVICE = 9;
const OWN = { isNetwork: false, isCertain: true, hasFileNumbers: true };
const DRIVE_VOLUME: Volume = { ...OWN, key: 'uuid:drive', name: 'drive', mountPoint: DRIVE };
const SYSTEM_VOLUME: Volume = { ...OWN, key: 'uuid:system', name: 'this computer', mountPoint: '/' };

type DiskTraits = Pick<Scenario, 'folderBackAtMs' | 'trashFromMs' | 'diskMs' | 'closingHangs'>;

/** The disk. It survives every crash. */
export class SimulatedDisk {
  readonly #time: VirtualTime;
  readonly #prng: Prng;
  readonly #history: History;
  readonly #folders = new Map<string, string>();
  readonly #present = new Map<string, Inode>();
  readonly #away = new Map<string, { path: string; inode: Inode }>();
  /** The current path of the file of an upload, by its original path. */
  readonly #followed = new Map<string, string>();
  readonly #trash: Inode[] = [];
  readonly #spoiled = new Map<string, ErrorCode>();
  #isPlugged = true;
  readonly #folderBackAtMs: number;
  readonly #trashFromMs: number;
  readonly #answersWithinMs: number;
  readonly #closingHangs: boolean;
  #count = 0;

  constructor(time: VirtualTime, prng: Prng, history: History, traits: DiskTraits) {
    const { folderBackAtMs = 0, trashFromMs = 0, diskMs = 0, closingHangs = false } = traits;
    this.#folderBackAtMs = folderBackAtMs;
    this.#trashFromMs = trashFromMs;
    this.#answersWithinMs = diskMs;
    this.#closingHangs = closingHangs;
    this.#time = time;
    this.#prng = prng;
    this.#history = history;
  }

  put(path: string, sizeBytes: number, contents: string | null = null): void {
    this.#write(path, { identity: this.#identity(), contents: '', sizeBytes, mtimeMs: 0 }, sizeBytes, contents);
  }

  /** Makes all later reads of a file fail with this error. */
  spoil(path: string, code: ErrorCode): void {
    this.#spoiled.set(path, code);
  }

  /** Returns a copy of the file with this original path, under another name; null when it does not exist. */
  copy(path: string): string | null {
    const inode = this.#present.get(this.#at(path));
    if (!inode) return null;
    const target = join(dirname(path), `copy ${++this.#count} of ${basename(path)}`);
    this.put(target, inode.sizeBytes, inode.contents);
    return target;
  }

  /** Disconnects the drive, or connects it again. */
  plug(isPlugged: boolean): void {
    this.#isPlugged = isPlugged;
    this.#history.drive.push({ atMs: this.#time.elapsedMs, isPlugged });
  }

  change(path: string, change: FileChange): void {
    const at = this.#at(path);
    const inode = this.#present.get(at);
    if (change === 'returns') {
      const away = this.#away.get(path);
      if (away && !this.#present.has(away.path)) this.#place(away.path, away.inode);
      return;
    }
    if (!inode) return;
    switch (change) {
      case 'grows':
        this.#write(at, inode, inode.sizeBytes + this.#prng.int(1, 1000));
        return;
      case 'shrinks':
        this.#write(at, inode, Math.floor(inode.sizeBytes * this.#prng.next()));
        return;
      case 'rewritten':
        this.#write(at, inode);
        return;
      case 'replaced':
        this.#history.givenUp.push(inode.contents);
        this.#remove(at, inode);
        this.put(at, this.#prng.chance(0.5) ? inode.sizeBytes : inode.sizeBytes + 7);
        return;
      case 'vanishes':
        this.#away.set(path, { path: at, inode });
        this.#remove(at, inode);
        return;
      case 'renamed':
        this.#move(path, at, join(dirname(at), `${++this.#count} ${basename(path)}`), inode);
        return;
      case 'moved':
        this.#move(path, at, join(DRIVE, 'sorted', `${++this.#count}`, basename(path)), inode);
        return;
      case 'rotated':
        this.#move(path, at, join(dirname(at), `${++this.#count} ${basename(path)}`), inode);
        this.put(at, inode.sizeBytes);
        return;
    }
  }

  readonly volumes: Volumes = {
    of: (path, device) => {
      if (this.#isPlugged && `${path}/`.startsWith(`${DRIVE}/`)) return DRIVE_VOLUME;
      // As on Linux: the file is on the drive, which was pulled after its facts were read.
      return device === String(DRIVE_DEVICE) ? { ...SYSTEM_VOLUME, key: '', isCertain: false } : SYSTEM_VOLUME;
    },
    mountPoints: (key) => (key === SYSTEM_VOLUME.key ? ['/'] : this.#isPlugged ? [DRIVE] : []),
  };

  /** Returns the disk as one run of the program sees it. */
  for(life: Life): Files {
    const soon = <T>(produce: () => T) => this.#time.later(this.#delayMs(3), life, produce);
    const files: Files = {
      facts: (path) => soon(() => this.#facts(path)),
      assertReadable: (path) => soon(() => void this.#inode(path)),
      list: (folder) => soon(() => this.#list(folder)),
      open: (path) => soon(() => this.#open(this.#inode(path), life)),
      // This disk has no links.
      within: () => files,
    };
    return files;
  }

  /** Names of contents represent their hashes, as they represent their bytes. */
  digestsFor(life: Life): FileDigests {
    const soon = <T>(produce: () => T) => this.#time.later(this.#delayMs(5), life, produce);
    return {
      edges: (file) => soon(() => (file as SimulatedOpenFile).peek().contents),
      contents: async (file, _size, isWanted) => {
        for (let read = this.#answersWithinMs === 0 ? HASHING_READS : 1; read < HASHING_READS; read += 1) {
          if (!isWanted()) return null;
          await soon(() => {});
        }
        return soon(() => (isWanted() ? (file as SimulatedOpenFile).peek().contents : null));
      },
    };
  }

  /** The file operations of one run. A started step completes, even if its result is lost. */
  moverFor(life: Life): FileMover {
    const soon = <T>(produce: () => T) => this.#time.later(this.#prng.int(0, MOVER_STEP_MS), life, produce);
    const mover: FileMover = {
      within: () => mover,
      hash: (path) => soon(() => this.#inode(path).contents),
      rename: (from, to, options = {}) =>
        soon(() => {
          const inode = this.#inode(from);
          this.#assertFolder(to);
          const there = this.#present.get(to);
          if (there && !(options.replacesEmpty && there.sizeBytes === 0)) return 'taken';
          if (deviceOf(from) !== deviceOf(to)) return 'other-disk';
          this.#present.delete(from);
          this.#place(to, inode);
          this.#noteTaken('moved', from, inode);
          return 'done';
        }),
      copy: (from, to) =>
        soon(() => {
          this.#assertFolder(to);
          const { contents, sizeBytes, mtimeMs } = this.#inode(from);
          this.#present.set(to, { identity: `2:${++this.#count}`, contents, sizeBytes, mtimeMs });
        }),
      remove: (path) =>
        soon(() => {
          const inode = this.#present.get(path);
          if (!inode) return false;
          this.#remove(path, inode);
          this.#noteTaken('removed', path, inode);
          return true;
        }),
      trash: (path) =>
        soon(() => {
          const inode = this.#inode(path);
          if (this.#time.elapsedMs < this.#trashFromMs) throw appError('trash.unavailable', { details: { path } });
          this.#remove(path, inode);
          this.#trash.push(inode);
          this.#noteTaken('trashed', path, inode);
        }),
    };
    return mover;
  }

  /** Returns all files outside the trash, including files that the user put somewhere else. */
  lying(): { path: string; contents: string }[] {
    const away = [...this.#away.values()].map(({ path, inode }): [string, Inode] => [path, inode]);
    return [...this.#present, ...away].map(([path, { contents }]) => ({ path, contents }));
  }

  /** Contents in the trash. */
  trashed(): string[] {
    return this.#trash.map(({ contents }) => contents);
  }

  #noteTaken(kind: 'moved' | 'removed' | 'trashed', path: string, inode: Inode): void {
    const elsewhere = [...this.#present].some(([other, { contents }]) => other !== path && contents === inode.contents);
    this.#history.taken.push({ atMs: this.#time.elapsedMs, kind, path, contents: inode.contents, elsewhere });
  }

  #assertFolder(path: string): void {
    if (this.#isAway(path)) throw appError('source.folder-missing', { details: { path } });
  }

  /** Returns the response time of a call that a fast disk answers within `quickMs`. */
  #delayMs(quickMs: number): number {
    const slowMs = this.#answersWithinMs === 0 ? 0 : this.#prng.int(0, this.#answersWithinMs);
    return slowMs + this.#prng.int(0, quickMs);
  }

  #open(inode: Inode, life: Life): SimulatedOpenFile {
    const later = <T>(produce: () => T) => this.#time.later(this.#delayMs(3), life, produce);
    const seen = () => {
      if (!this.#isPlugged) throw appError('file.disk-error', { details: { reason: 'EIO' } });
      return inode;
    };
    return {
      peek: () => ({ contents: seen().contents, sizeBytes: seen().sizeBytes }),
      read: () => Promise.reject(new Error('the simulated transfer does not read bytes')),
      facts: () => later(() => factsOf(seen())),
      path: () => later(() => [...this.#present].find(([, each]) => each === inode)?.[0] ?? null),
      // Closing can take time, on a network share or a busy disk.
      close: () =>
        this.#closingHangs
          ? new Promise<void>(() => {})
          : this.#time.later(this.#prng.chance(0.1) ? this.#prng.int(0, 3000) : 1, life, () => {}),
    };
  }

  #facts(path: string): FileFacts {
    const folder = { kind: 'folder', sizeBytes: 0, mtimeMs: 0 } as const;
    const target = this.#targetFacts(path);
    if (target !== null) return target;
    if (path === '/') return { ...folder, identity: `${SYSTEM_DEVICE}:2` };
    if (path === DRIVE) return { ...folder, identity: this.#isPlugged ? `${DRIVE_DEVICE}:2` : `${SYSTEM_DEVICE}:3` };
    const identity = this.#isPlugged ? this.#folders.get(path) : undefined;
    return identity === undefined ? factsOf(this.#inode(path)) : { ...folder, identity };
  }

  #list(folder: string): string[] {
    if (this.#facts(folder).kind !== 'folder') throw appError('file.missing', { details: { path: folder } });
    if (!this.#isPlugged) return [];
    return [...this.#folders.keys(), ...this.#present.keys()]
      .filter((path) => dirname(path) === folder)
      .map((path) => basename(path));
  }

  /** Folders always exist; only the folder for uploaded files can be missing. */
  #targetFacts(path: string): FileFacts | null {
    if (!FOLDERS.has(path) || this.#isAway(path)) return null;
    return { kind: 'folder', sizeBytes: 0, mtimeMs: 0, identity: `0:${path}` };
  }

  #isAway(path: string): boolean {
    return [...FOLDERS].some((folder) => path.startsWith(folder)) && this.#time.elapsedMs < this.#folderBackAtMs;
  }

  #inode(path: string): Inode {
    const code = this.#spoiled.get(path);
    if (code !== undefined) throw appError(code, { details: { path } });
    const isAway = !this.#isPlugged && path.startsWith(`${DRIVE}/`);
    const inode = isAway ? undefined : this.#present.get(path);
    if (!inode) throw appError('file.missing', { details: { path } });
    return inode;
  }

  /** Returns the current path of the file with this original path. */
  #at(path: string): string {
    return this.#followed.get(path) ?? path;
  }

  #move(path: string, from: string, to: string, inode: Inode): void {
    this.#present.delete(from);
    this.#followed.set(path, to);
    this.#place(to, inode);
  }

  #remove(path: string, inode: Inode): void {
    this.#present.delete(path);
    this.#note(null, inode);
  }

  #place(path: string, inode: Inode): void {
    for (
      let folder = dirname(path);
      folder.startsWith(`${DRIVE}/`) && !this.#folders.has(folder);
      folder = dirname(folder)
    ) {
      this.#folders.set(folder, this.#identity());
    }
    this.#present.set(path, inode);
    this.#note(path, inode);
  }

  #write(path: string, inode: Inode, sizeBytes = inode.sizeBytes, contents: string | null = null): void {
    if (inode.contents !== '') this.#history.givenUp.push(inode.contents);
    inode.sizeBytes = sizeBytes;
    inode.contents = contents ?? `${path}#${++this.#count}`;
    inode.mtimeMs = Math.max(inode.mtimeMs + 1, this.#time.wallMs());
    this.#place(path, inode);
    this.#history.versions.push({ path, atMs: this.#time.elapsedMs, ...inode });
  }

  #note(path: string | null, { identity, sizeBytes, mtimeMs }: Inode): void {
    this.#history.places.push({ atMs: this.#time.elapsedMs, path, identity, sizeBytes, mtimeMs });
  }

  #identity(): string {
    return `${DRIVE_DEVICE}:${100 + ++this.#count}`;
  }
}

const FOLDERS: ReadonlySet<string> = new Set(['/done', '/other/done']);

/** Folders on another disk, for moves that have to copy. */
function deviceOf(path: string): string {
  return path.startsWith('/other') ? 'other' : 'own';
}

function factsOf({ sizeBytes, mtimeMs, identity }: Inode): FileFacts {
  return { kind: 'file', sizeBytes, mtimeMs, identity };
}
