import { randomBytes } from 'node:crypto';

/** After this time, a request that stored a blob has written its name into a row, or has failed. */
const LONGEST_MS = 24 * 3600 * 1000;

/** The names of blobs that are being stored, or are stored and not in a row yet. Their objects and parts must not be deleted. */
export interface NamesUnderWay {
  /** Returns a new random name: under way for a day, or with `isLasting` until `end`. */
  make(isLasting?: boolean): string;
  end(name: string): void;
  has(name: string): boolean;
}

/** Measures by a clock that no one sets. */
export function createNamesUnderWay(): NamesUnderWay {
  const until = new Map<string, number>();
  return {
    make(isLasting = false) {
      const now = performance.now();
      for (const [name, at] of until) if (at <= now) until.delete(name);
      const name = randomBytes(16).toString('hex');
      until.set(name, isLasting ? Number.POSITIVE_INFINITY : now + LONGEST_MS);
      return name;
    },
    end: (name) => void until.delete(name),
    has: (name) => until.has(name),
  };
}
