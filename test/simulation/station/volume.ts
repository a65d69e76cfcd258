import type { History } from '../history.ts';
import type { VirtualTime } from '../world/virtual-time.ts';
import type { StationState } from './history.ts';
import type { WrittenFile } from './writes.ts';

/** A file on the volume. Bytes are not stored: a name represents them. */
export interface StoredFile {
  number: number;
  /** The recording that it belongs to. */
  recording: number;
  contents: string;
  /** A name that represents the first and last bytes; recordings of one size may share it. */
  ends: string;
  sizeBytes: number;
  mtimeMs: number;
  blocks: number;
  isOpen: boolean;
  declaredBytes: number | null;
  isFinished: boolean;
}

export interface VolumeListener {
  /** A path from the top of the volume. */
  changed(path: string, isFolder: boolean): void;
}

/** The volume that recordings are written to, with paths from its top. It does not know its mount point. */
export class RecordingVolume {
  readonly #time: VirtualTime;
  readonly #history: History;
  readonly #clockAheadMs: number;
  /** Begins the names of contents. */
  readonly #label: string;
  readonly #files = new Map<string, StoredFile>();
  /** Numbers of folders. The top has the empty path. */
  readonly #folders = new Map<string, number>([['', 2]]);
  #count = 100;
  listener: VolumeListener | null = null;

  constructor(time: VirtualTime, history: History, clockAheadMs: number, label: string) {
    this.#time = time;
    this.#history = history;
    this.#clockAheadMs = clockAheadMs;
    this.#label = label;
  }

  file(path: string): StoredFile | undefined {
    return this.#files.get(path);
  }

  files(): IterableIterator<[string, StoredFile]> {
    return this.#files.entries();
  }

  folderNumber(path: string): number | undefined {
    return this.#folders.get(path);
  }

  /** The names in a folder, and whether each is a folder itself. */
  list(folder: string): { name: string; isFolder: boolean }[] {
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = new Map<string, boolean>();
    for (const path of this.#folders.keys()) addName(names, path, prefix, true);
    for (const path of this.#files.keys()) addName(names, path, prefix, false);
    return [...names].map(([name, isFolder]) => ({ name, isFolder }));
  }

  write(path: string, recording: number, written: WrittenFile): void {
    const before = written.isNew ? undefined : this.#files.get(path);
    const contents = `${this.#label}${path}#${++this.#count}`;
    const file: StoredFile = {
      number: before?.number ?? ++this.#count,
      recording,
      contents,
      sizeBytes: written.sizeBytes,
      ends: written.hasPlainEnds ? 'silence' : contents,
      mtimeMs: written.mtimeMs ?? this.#mtime(),
      blocks: written.blocks ?? Math.ceil(written.sizeBytes / 512),
      isOpen: written.isOpen,
      declaredBytes: written.declaredBytes,
      isFinished: written.isFinished,
    };
    if (this.#files.has(path)) this.#giveUp(path);
    this.#place(path, file);
    const { elapsedMs: atMs } = this.#time;
    const { sizeBytes, mtimeMs } = file;
    // Without an identity: the number of a file depends on the mount point.
    this.#history.versions.push({ path, atMs, identity: null, contents, sizeBytes, mtimeMs });
  }

  rename(from: string, to: string, isFinished: boolean): void {
    const file = this.#files.get(from);
    if (file === undefined || this.#files.has(to)) return;
    this.#files.delete(from);
    this.#note(null, file, from);
    this.#place(to, { ...file, isFinished, isOpen: file.isOpen && !isFinished });
  }

  copy(from: string, to: string): void {
    const file = this.#files.get(from);
    if (file === undefined) return;
    const copy = { ...file, number: ++this.#count, mtimeMs: this.#mtime() };
    this.#place(to, copy);
    const { contents, sizeBytes, mtimeMs } = copy;
    this.#history.versions.push({ path: to, atMs: this.#time.elapsedMs, identity: null, contents, sizeBytes, mtimeMs });
  }

  /** The user deletes a file. */
  delete(path: string): void {
    this.#giveUp(path);
    this.remove(path);
  }

  remove(path: string): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#files.delete(path);
    this.#note(null, file, path);
  }

  renameFolder(from: string, to: string): void {
    const isBelow = (path: string) => path === from || path.startsWith(`${from}/`);
    const renamed = (path: string) => `${to}${path.slice(from.length)}`;
    for (const [path, number] of [...this.#folders]) {
      if (!isBelow(path)) continue;
      this.#folders.delete(path);
      this.#folders.set(renamed(path), number);
    }
    for (const [path, file] of [...this.#files]) {
      if (!isBelow(path)) continue;
      this.#files.delete(path);
      this.#files.set(renamed(path), file);
      this.#noteState(null, file);
      this.#noteState(renamed(path), file);
    }
  }

  makeFolder(path: string): void {
    if (path === '' || this.#folders.has(path)) return;
    const above = path.lastIndexOf('/');
    this.makeFolder(above < 0 ? '' : path.slice(0, above));
    this.#folders.set(path, ++this.#count);
    this.listener?.changed(path, true);
  }

  #giveUp(path: string): void {
    const file = this.#files.get(path);
    if (file !== undefined) this.#history.givenUp.push(file.contents);
  }

  #place(path: string, file: StoredFile): void {
    const above = path.lastIndexOf('/');
    this.makeFolder(above < 0 ? '' : path.slice(0, above));
    this.#files.set(path, file);
    this.#note(path, file, path);
  }

  #note(path: string | null, file: StoredFile, at: string): void {
    this.#noteState(path, file);
    this.listener?.changed(at, false);
  }

  #noteState(path: string | null, { recording, contents, sizeBytes, mtimeMs, isFinished }: StoredFile): void {
    const state: StationState = {
      atMs: this.#time.elapsedMs,
      recording,
      path,
      contents,
      sizeBytes,
      mtimeMs,
      isFinished,
    };
    this.#history.station?.states.push(state);
  }

  /** Two writes have different times, as on a file system with a fine clock. */
  #mtime(): number {
    return this.#time.wallMs() - this.#time.wallOffsetMs + this.#clockAheadMs;
  }
}

function addName(names: Map<string, boolean>, path: string, prefix: string, isFolder: boolean): void {
  if (path === '' || !path.startsWith(prefix)) return;
  const rest = path.slice(prefix.length);
  if (!rest.includes('/')) names.set(rest, isFolder);
}
