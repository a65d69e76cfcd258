import type { FileMover } from '../../../electron/engine/ports/file-mover.ts';
import type { FileFacts, Files, OpenFile } from '../../../electron/engine/ports/files.ts';
import type { FileDigests } from '../../../electron/engine/uploads/duplicates/file-digests.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { History } from '../history.ts';
import type { Prng } from './prng.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

/** What an inode holds. Bytes are not stored: a name stands for them. */
interface Inode {
  identity: string;
  contents: string;
  sizeBytes: number;
  mtimeMs: number;
}

export type FileChange = 'grows' | 'shrinks' | 'rewritten' | 'replaced' | 'vanishes' | 'returns';

/** A file as a transfer reads it. */
export interface SimulatedOpenFile extends OpenFile {
  /** What stands there now, as the handle sees it. */
  peek(): { contents: string; sizeBytes: number };
}

/** The disk. It survives every crash. */
export class SimulatedDisk {
  readonly #time: VirtualTime;
  readonly #prng: Prng;
  readonly #history: History;
  readonly #present = new Map<string, Inode>();
  readonly #away = new Map<string, Inode>();
  readonly #trash: Inode[] = [];
  #count = 0;

  constructor(time: VirtualTime, prng: Prng, history: History) {
    this.#time = time;
    this.#prng = prng;
    this.#history = history;
  }

  put(path: string, sizeBytes: number): void {
    this.#write(path, { identity: `1:${++this.#count}`, contents: '', sizeBytes, mtimeMs: 0 });
  }

  change(path: string, change: FileChange): void {
    const inode = this.#present.get(path);
    if (change === 'returns') {
      const away = this.#away.get(path);
      if (away && !inode) this.#present.set(path, away);
      return;
    }
    if (!inode) return;
    switch (change) {
      case 'grows':
        this.#write(path, inode, inode.sizeBytes + this.#prng.int(1, 1000));
        return;
      case 'shrinks':
        this.#write(path, inode, Math.floor(inode.sizeBytes * this.#prng.next()));
        return;
      case 'rewritten':
        this.#write(path, inode);
        return;
      case 'replaced':
        this.put(path, this.#prng.chance(0.5) ? inode.sizeBytes : inode.sizeBytes + 7);
        return;
      case 'vanishes':
        this.#away.set(path, inode);
        this.#present.delete(path);
        return;
    }
  }

  /** The disk as one life sees it. */
  for(life: Life): Files {
    const soon = <T>(produce: () => T) => this.#time.later(this.#prng.int(0, 3), life, produce);
    return {
      facts: (path) => soon(() => factsOf(this.#inode(path))),
      assertReadable: (path) => soon(() => void this.#inode(path)),
      list: () => soon(() => []),
      open: (path) => soon(() => this.#open(this.#inode(path), life)),
    };
  }

  /** Names of contents stand for their hashes, as they stand for their bytes. */
  digestsFor(life: Life): FileDigests {
    const soon = <T>(produce: () => T) => this.#time.later(this.#prng.int(0, 5), life, produce);
    return {
      edges: (file) => soon(() => (file as SimulatedOpenFile).peek().contents),
      contents: (file, _size, isWanted) =>
        soon(() => (isWanted() ? (file as SimulatedOpenFile).peek().contents : null)),
    };
  }

  /** What a life may do to files. A step that was begun happens; whether anybody hears of it is another question. */
  moverFor(life: Life): FileMover {
    const soon = <T>(produce: () => T) => this.#time.later(this.#prng.int(0, 30), life, produce);
    return {
      hash: (path) => soon(() => this.#inode(path).contents),
      rename: (from, to, options = {}) =>
        soon(() => {
          const inode = this.#inode(from);
          const there = this.#present.get(to);
          if (there && !(options.replacesEmpty && there.sizeBytes === 0)) return 'taken';
          if (deviceOf(from) !== deviceOf(to)) return 'other-disk';
          this.#present.delete(from);
          this.#present.set(to, inode);
          this.#note('moved', from, inode);
          return 'done';
        }),
      copy: (from, to) =>
        soon(() => {
          const { contents, sizeBytes, mtimeMs } = this.#inode(from);
          this.#present.set(to, { identity: `2:${++this.#count}`, contents, sizeBytes, mtimeMs });
        }),
      remove: (path) =>
        soon(() => {
          const inode = this.#present.get(path);
          this.#present.delete(path);
          if (inode) this.#note('removed', path, inode);
        }),
      trash: (path) =>
        soon(() => {
          const inode = this.#inode(path);
          this.#present.delete(path);
          this.#trash.push(inode);
          this.#note('trashed', path, inode);
        }),
    };
  }

  /** Everything that lies anywhere, the trash and what a person put away included. */
  contentsAnywhere(): Set<string> {
    const all = [...this.#present.values(), ...this.#away.values(), ...this.#trash];
    return new Set(all.map(({ contents }) => contents));
  }

  #note(kind: 'moved' | 'removed' | 'trashed', path: string, inode: Inode): void {
    this.#history.taken.push({ atMs: this.#time.elapsedMs, kind, path, contents: inode.contents });
  }

  #open(inode: Inode, life: Life): SimulatedOpenFile {
    return {
      peek: () => ({ contents: inode.contents, sizeBytes: inode.sizeBytes }),
      read: () => Promise.reject(new Error('the simulated transfer does not read bytes')),
      facts: () => this.#time.later(this.#prng.int(0, 3), life, () => factsOf(inode)),
      // Closing can take its time: a network share, a busy disk.
      close: () => this.#time.later(this.#prng.chance(0.1) ? this.#prng.int(0, 3000) : 1, life, () => {}),
    };
  }

  #inode(path: string): Inode {
    const inode = this.#present.get(path);
    if (!inode) throw appError('file.missing', { details: { path } });
    return inode;
  }

  #write(path: string, inode: Inode, sizeBytes = inode.sizeBytes): void {
    inode.sizeBytes = sizeBytes;
    inode.contents = `${path}#${++this.#count}`;
    inode.mtimeMs = Math.max(inode.mtimeMs + 1, this.#time.wallMs());
    this.#present.set(path, inode);
    this.#history.versions.push({
      path,
      atMs: this.#time.elapsedMs,
      contents: inode.contents,
      sizeBytes,
      mtimeMs: inode.mtimeMs,
    });
  }
}

/** Folders on another disk, for moves that have to copy. */
function deviceOf(path: string): string {
  return path.startsWith('/other') ? 'other' : 'own';
}

function factsOf({ sizeBytes, mtimeMs, identity }: Inode): FileFacts {
  return { kind: 'file', sizeBytes, mtimeMs, identity };
}
