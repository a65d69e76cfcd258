import { Prng } from '../../helpers/data/prng.ts';
import type { PlannedRecording, RecordingKind } from './plan.ts';

/** One action of the program that creates a recording. Paths are relative to the watched folder, times after the start. */
export type Write =
  | { atMs: number; kind: 'write'; path: string; file: WrittenFile }
  | { atMs: number; kind: 'rename'; from: string; to: string; isFinished: boolean }
  | { atMs: number; kind: 'delete'; path: string }
  /** To a folder on the same volume that is not watched, and back from it. */
  | { atMs: number; kind: 'take-away'; path: string }
  | { atMs: number; kind: 'bring-back'; path: string }
  | { atMs: number; kind: 'copy'; from: string; to: string };

/** The state of a file after a write. */
export interface WrittenFile {
  sizeBytes: number;
  /** Whether a new file replaces the file at the path. */
  isNew: boolean;
  isOpen: boolean;
  /** The size that its header declares; null: the file has no header that shows whether it is complete. */
  declaredBytes: number | null;
  /** The modification time of the original, which a copy keeps; null: the time of the write. */
  mtimeMs: number | null;
  /** The allocated blocks, if they differ from the size. */
  blocks: number | null;
  /** Whether the user regards the file as finished, until the next write. */
  isFinished: boolean;
  /** Whether its ends are the same as those of other recordings of its size. */
  hasPlainEnds: boolean;
}

/** The maximum pause while a file that does not show its state is written. Three times that exceeds the shortest quiet time. */
const LONGEST_GAP_MS = 9000;
const POLLS_MISS_MS = 4000;
const LONGEST_PAUSE_MS = 90_000;
/** How long a file on a share can be unknown: a sweep has to find it. */
const UNKNOWN_FOR_MS = 70_000;
const HALF_HOUR_MS = 1_800_000;
const HOUR_MS = 3_600_000;
/** A size of recordings that begin and end with the same bytes. */
const PLAIN_SIZE = 48_000_044;

/** Returns the writes of a recording in their order. */
export function writesOf({ kind, atMs, name, seed }: PlannedRecording): Write[] {
  const draft = new Draft(new Prng(seed, 102), atMs, name);
  MAKERS[kind](draft);
  return draft.writes;
}

class Draft {
  readonly writes: Write[] = [];
  readonly prng: Prng;
  readonly name: string;
  atMs: number;
  sizeBytes = 0;

  constructor(prng: Prng, atMs: number, name: string) {
    this.prng = prng;
    this.atMs = atMs;
    this.name = name;
  }

  /** Appends some bytes `afterMs` after the last write. */
  append(path: string, afterMs: number, file: Partial<WrittenFile> = {}): void {
    this.atMs += afterMs;
    this.sizeBytes = file.sizeBytes ?? this.sizeBytes + this.prng.spread(1000, 3_000_000);
    const usual = { isNew: false, isOpen: true, declaredBytes: null, mtimeMs: null, blocks: null };
    const state = { ...usual, isFinished: false, hasPlainEnds: false, ...file, sizeBytes: this.sizeBytes };
    this.writes.push({ atMs: this.atMs, kind: 'write', path, file: state });
  }

  /** Some writes with short pauses, the last of which finishes the file. */
  steady(path: string, least = 1): void {
    for (let count = this.prng.int(least, 12); count > 1; count -= 1) this.append(path, this.gap());
    this.append(path, this.gap(), { isOpen: false, isFinished: true });
  }

  gap(): number {
    return this.prng.int(20, LONGEST_GAP_MS);
  }

  /** Returns a pause of a writer whose file shows that it is not finished. */
  pause(): number {
    return this.prng.chance(0.15) ? this.prng.spread(100, HALF_HOUR_MS) : this.prng.spread(100, 120_000);
  }

  /** Short or long after the file was finished. */
  later(): number {
    return this.prng.spread(100, 3 * HOUR_MS);
  }

  push(write: Write): void {
    this.writes.push(write);
  }
}

const MAKERS: Readonly<Record<RecordingKind, (draft: Draft) => void>> = {
  steady: (draft) => draft.steady(`${draft.name}.ts`),
  'growing pauses': (draft) => {
    const path = `${draft.name}.ts`;
    // The time during which the engine may not know the file yet.
    const startedAtMs = draft.atMs;
    while (draft.atMs < startedAtMs + UNKNOWN_FOR_MS) draft.append(path, draft.gap());
    let longestMs = LONGEST_GAP_MS;
    draft.append(path, longestMs);
    for (let count = draft.prng.int(1, 6); count > 0; count -= 1) {
      // Polls may observe a pause that is shorter than the real one.
      const pauseMs = Math.min(3 * (longestMs - POLLS_MISS_MS), LONGEST_PAUSE_MS);
      draft.append(path, pauseMs);
      longestMs = Math.max(longestMs, pauseMs);
    }
    draft.append(path, draft.gap(), { isOpen: false, isFinished: true });
  },
  'container with pauses': (draft) => {
    const path = `${draft.name}.wav`;
    const { prng } = draft;
    for (let count = prng.int(1, 4); count > 0; count -= 1) {
      draft.append(path, draft.pause(), { declaredBytes: 0 });
    }
    const sizeBytes = prng.chance(0.5) ? PLAIN_SIZE : draft.sizeBytes + 4000;
    const ending = { sizeBytes, declaredBytes: sizeBytes, hasPlainEnds: sizeBytes === PLAIN_SIZE };
    draft.append(path, draft.pause(), { ...ending, isOpen: false, isFinished: true });
  },
  'open with pauses': (draft) => {
    const path = `${draft.name}.ts`;
    for (let count = draft.prng.int(1, 4); count > 0; count -= 1) draft.append(path, draft.pause());
    draft.append(path, draft.pause(), { isOpen: false, isFinished: true });
  },
  preallocated: (draft) => {
    const path = `${draft.name}.ts`;
    const sizeBytes = draft.prng.spread(1e6, 1e7);
    for (let count = draft.prng.int(1, 12); count > 0; count -= 1) {
      const blocks = Math.ceil(sizeBytes / 512) - count;
      draft.append(path, draft.gap(), { sizeBytes, mtimeMs: 9e11, blocks });
    }
    draft.append(path, draft.gap(), { sizeBytes, isOpen: false, isFinished: true });
  },
  'temporary name': (draft) => {
    const part = `${draft.name}.ts.part`;
    draft.append(part, 0);
    for (let count = draft.prng.int(0, 4); count > 0; count -= 1) draft.append(part, draft.pause());
    const atMs = draft.atMs + draft.prng.spread(1, HALF_HOUR_MS);
    draft.push({ atMs, kind: 'rename', from: part, to: `${draft.name}.ts`, isFinished: true });
  },
  'temporary folder': (draft) => {
    const path = `.unpack-${draft.name.replaceAll('/', '-')}/file.ts`;
    for (let count = draft.prng.int(1, 4); count > 0; count -= 1) draft.append(path, draft.pause());
    const atMs = draft.atMs + draft.prng.spread(1, HALF_HOUR_MS);
    draft.push({ atMs, kind: 'rename', from: path, to: `${draft.name} unpacked/file.ts`, isFinished: true });
  },
  'copy with the old time': (draft) => {
    const path = `${draft.name}.ts`;
    for (let count = draft.prng.int(1, 12); count > 0; count -= 1) draft.append(path, draft.gap());
    const { sizeBytes } = draft;
    draft.append(path, draft.prng.int(1, 3000), {
      sizeBytes,
      mtimeMs: 9e11 + draft.atMs,
      isOpen: false,
      isFinished: true,
    });
  },
  'append after close': (draft) => {
    draft.steady(`${draft.name}.ts`);
    for (let count = draft.prng.int(1, 3); count > 0; count -= 1) {
      draft.append(`${draft.name}.ts`, draft.later(), { isOpen: false, isFinished: true });
    }
  },
  'empty at first': (draft) => {
    draft.append(`${draft.name}.ts`, 0, { sizeBytes: 0 });
    draft.append(`${draft.name}.ts`, draft.prng.spread(1000, HALF_HOUR_MS));
    draft.steady(`${draft.name}.ts`);
  },
  replaced: (draft) => {
    draft.steady(`${draft.name}.ts`);
    draft.append(`${draft.name}.ts`, draft.later(), { isNew: true, isOpen: false, isFinished: true });
  },
  renamed: (draft) => {
    draft.steady(`${draft.name}.ts`);
    let from = `${draft.name}.ts`;
    for (let count = draft.prng.int(1, 2); count > 0; count -= 1) {
      draft.atMs += draft.later();
      const to = draft.prng.chance(0.5) ? `${draft.name} renamed ${count}.ts` : `sorted ${count}/${draft.name}.ts`;
      draft.push({ atMs: draft.atMs, kind: 'rename', from, to, isFinished: true });
      from = to;
    }
  },
  'renamed while written': (draft) => {
    const from = `${draft.name}.ts`;
    const to = `${draft.name} final.ts`;
    for (let count = draft.prng.int(1, 6); count > 0; count -= 1) draft.append(from, draft.gap());
    // A rename is no write: both waits together are one pause.
    draft.atMs += draft.prng.int(20, LONGEST_GAP_MS / 2);
    draft.push({ atMs: draft.atMs, kind: 'rename', from, to, isFinished: false });
    draft.append(to, draft.prng.int(20, LONGEST_GAP_MS / 2));
    draft.steady(to);
  },
  'moved away and back': (draft) => {
    const path = `${draft.name}.ts`;
    draft.steady(path);
    draft.push({ atMs: draft.atMs + draft.later(), kind: 'take-away', path });
    const last = draft.writes.at(-1)?.atMs ?? 0;
    draft.push({ atMs: last + draft.later(), kind: 'bring-back', path });
  },
  copied: (draft) => {
    draft.steady(`${draft.name}.ts`);
    const copy = { kind: 'copy', from: `${draft.name}.ts`, to: `${draft.name} copy.ts` } as const;
    draft.push({ ...copy, atMs: draft.atMs + draft.later() });
  },
  deleted: (draft) => {
    draft.steady(`${draft.name}.ts`);
    draft.push({ atMs: draft.atMs + draft.later(), kind: 'delete', path: `${draft.name}.ts` });
  },
  abandoned: (draft) => {
    const path = `${draft.name}.wav`;
    for (let count = draft.prng.int(1, 4); count > 0; count -= 1) {
      draft.append(path, draft.pause(), { declaredBytes: 0 });
    }
    draft.append(path, draft.gap(), { declaredBytes: 0, isOpen: false });
  },
  existing: (draft) => {
    draft.append(`${draft.name}.ts`, 0, { isOpen: false, isFinished: true });
    if (draft.prng.chance(0.3)) {
      draft.atMs += draft.later();
      const to = `${draft.name} renamed.ts`;
      draft.push({ atMs: draft.atMs, kind: 'rename', from: `${draft.name}.ts`, to, isFinished: true });
    }
  },
};
