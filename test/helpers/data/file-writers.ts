import type { ContainerVerdict, ObservedFile } from '../../../electron/engine/watch/readiness/observations.ts';
import type { Prng } from './prng.ts';

/** One change of a file by its writer, with what the file looks like after it. */
export interface Write {
  atMs: number;
  /** Null: no file has the path. */
  file: ObservedFile | null;
  container: ContainerVerdict;
  isOpenElsewhere: boolean | null;
  /** The contents are what a user would call finished, until the next change. */
  isFinished: boolean;
}

/** What a writer does to one path of a watched folder, in the order of time. */
export interface Writer {
  kind: WriterKind;
  writes: readonly Write[];
}

export const WRITER_KINDS = [
  'slow',
  'bursty',
  'pausing with a container',
  'pausing and open on this computer',
  'closed long after the last write',
  'preallocating',
  'preallocating with one mtime',
  'preallocating with nothing but a container',
  'temporary name, then renamed',
  'replaced by a new version',
  'copy with the old mtime',
  'append after close',
  'empty at first',
  'pausing without evidence',
] as const;
export type WriterKind = (typeof WRITER_KINDS)[number];

const UNKNOWN: ContainerVerdict = { kind: 'unknown' };
const COMPLETE: ContainerVerdict = { kind: 'complete' };
const CUT: ContainerVerdict = { kind: 'incomplete', reason: 'part-missing' };
const HOUR_MS = 3_600_000;

/** Makes the writes of one file. All times are milliseconds after 0. */
export function writerOf(kind: WriterKind, prng: Prng): Writer {
  const draft = new Draft(prng);
  MAKERS[kind](draft, prng);
  return { kind, writes: draft.writes };
}

/** Builds the writes of one file. */
class Draft {
  readonly writes: Write[] = [];
  readonly #prng: Prng;
  /** The clock of a share can differ from that of this computer, and have a coarse resolution. */
  readonly #clockOffsetMs: number;
  readonly #mtimeStepMs: number;
  atMs: number;
  file: ObservedFile;

  constructor(prng: Prng) {
    this.#prng = prng;
    this.#clockOffsetMs = prng.pick([0, 0, HOUR_MS, -HOUR_MS]);
    this.#mtimeStepMs = prng.pick([1, 1000, 2000]);
    this.atMs = prng.int(0, 600_000);
    this.file = { sizeBytes: 0, mtimeMs: this.mtime(), fileId: String(prng.int(1, 1e9)), blocks: prng.pick([0, null]) };
  }

  mtime(): number {
    return Math.floor((1e12 + this.atMs + this.#clockOffsetMs) / this.#mtimeStepMs) * this.#mtimeStepMs;
  }

  /** Notes the state at this time. By default, the file is still being written, and nothing shows that. */
  note(state: Partial<Omit<Write, 'atMs'>> = {}): void {
    this.writes.push({
      atMs: this.atMs,
      file: this.file,
      container: UNKNOWN,
      isOpenElsewhere: null,
      isFinished: false,
      ...state,
    });
  }

  /** Waits, appends some bytes, and notes that. */
  append(afterMs: number, state: Partial<Omit<Write, 'atMs'>> = {}): void {
    this.atMs += afterMs;
    const sizeBytes = this.file.sizeBytes + this.#prng.spread(1, 1e7);
    const blocks = this.file.blocks === null ? null : Math.ceil(sizeBytes / 512);
    this.file = { ...this.file, sizeBytes, blocks, mtimeMs: this.mtime() };
    this.note(state);
  }

  /** Waits, and changes what the file system reports. */
  change(afterMs: number, change: Partial<ObservedFile>, state: Partial<Omit<Write, 'atMs'>> = {}): void {
    this.atMs += afterMs;
    this.file = { ...this.file, ...change };
    this.note(state);
  }

  /** Marks the last write as the one that finishes this version. */
  finish(state: Partial<Omit<Write, 'atMs'>> = {}): void {
    const last = this.writes.at(-1);
    if (last !== undefined) Object.assign(last, { isFinished: true, isOpenElsewhere: null, ...state });
  }
}

/** Yields gaps that the check can follow: below 10 s, or at most three times the longest before, less what polls may miss. */
function* rhythm(prng: Prng, count: number): Generator<number> {
  let longest = 0;
  for (let index = 0; index < count; index += 1) {
    const most = Math.max(9000, 3 * (longest - 4000));
    const gap = prng.chance(0.3) ? most : prng.int(20, most);
    longest = Math.max(longest, gap);
    yield Math.min(gap, 20 * 60_000);
  }
}

const MAKERS: Readonly<Record<WriterKind, (draft: Draft, prng: Prng) => void>> = {
  slow: (draft, prng) => {
    for (let count = prng.int(1, 60); count > 0; count -= 1) draft.append(prng.int(50, 9000));
    draft.finish();
  },
  bursty: (draft, prng) => {
    draft.append(0);
    for (const gap of rhythm(prng, prng.int(3, 20))) {
      draft.append(Math.min(gap, 90_000));
      for (let count = prng.int(0, 5); count > 0; count -= 1) draft.append(prng.int(1, 300));
    }
    draft.finish();
  },
  'pausing with a container': (draft, prng) => {
    for (let count = prng.int(1, 5); count > 0; count -= 1)
      draft.append(prng.spread(100, 1_800_000), { container: CUT });
    draft.append(prng.spread(100, 1_800_000), { container: COMPLETE });
    draft.finish();
  },
  'pausing and open on this computer': (draft, prng) => {
    for (let count = prng.int(1, 5); count > 0; count -= 1) {
      draft.append(prng.spread(100, 1_800_000), { isOpenElsewhere: true });
    }
    draft.finish();
  },
  'closed long after the last write': (draft, prng) => {
    draft.append(0, { isOpenElsewhere: true });
    draft.change(prng.spread(1000, HOUR_MS), {}, { isOpenElsewhere: false });
    draft.finish();
  },
  preallocating: (draft, prng) => {
    const sizeBytes = prng.spread(1e6, 1e9);
    draft.change(0, { sizeBytes, blocks: null });
    for (let count = prng.int(1, 30); count > 0; count -= 1) {
      const afterMs = prng.int(2000, 9000);
      draft.change(afterMs, { mtimeMs: 1e12 + draft.atMs + afterMs });
    }
    draft.finish();
  },
  'preallocating with one mtime': (draft, prng) => {
    draft.change(0, { sizeBytes: 1e9, blocks: 0 });
    for (let count = prng.int(1, 30); count > 0; count -= 1) {
      draft.change(prng.int(100, 9000), { blocks: (draft.file.blocks ?? 0) + prng.int(1, 9000) });
    }
    draft.finish();
  },
  'preallocating with nothing but a container': (draft, prng) => {
    draft.change(0, { sizeBytes: 1e9, blocks: null }, { container: { kind: 'incomplete', reason: 'not-closed' } });
    draft.change(prng.spread(1000, HOUR_MS), {}, { container: COMPLETE });
    draft.finish();
  },
  'temporary name, then renamed': (draft) => {
    // The temporary name is another path, which rules ignore.
    draft.note({ file: null });
    draft.append(0);
    draft.finish();
  },
  'replaced by a new version': (draft, prng) => {
    draft.append(0);
    draft.finish();
    draft.change(prng.spread(10, 900_000), { sizeBytes: 7, fileId: `${draft.file.fileId}0` });
    draft.finish();
  },
  'copy with the old mtime': (draft, prng) => {
    for (let count = prng.int(1, 30); count > 0; count -= 1) draft.append(prng.int(10, 9000));
    draft.change(prng.int(1, 3000), { mtimeMs: 9e11 });
    draft.finish();
  },
  'append after close': (draft, prng) => {
    for (let versions = prng.int(2, 4); versions > 0; versions -= 1) {
      draft.append(prng.spread(10, 900_000));
      draft.finish();
    }
  },
  'empty at first': (draft, prng) => {
    draft.note();
    draft.append(prng.spread(1000, 1_800_000));
    for (let count = prng.int(0, 9); count > 0; count -= 1) draft.append(prng.int(50, 9000));
    draft.finish();
  },
  'pausing without evidence': (draft, prng) => {
    draft.append(0);
    for (let count = prng.int(1, 3); count > 0; count -= 1) draft.append(prng.int(20_000, 1_800_000));
    draft.finish();
  },
};
