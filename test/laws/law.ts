import fc from 'fast-check';

/** A property of the pure model of edits. */
export interface Law {
  name: string;
  /** Throws with a counterexample. */
  check(runs: number): void;
}

/** The type of fast-check's function has one overload for each number of arbitraries. */
const property = fc.property as unknown as (...values: unknown[]) => fc.IRawProperty<unknown>;

/** Returns a law: `holds` returns true for all values of the arbitraries. */
export function law<Ts extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  holds: (...values: Ts) => boolean,
): Law {
  return { name, check: (runs) => fc.assert(property(...arbitraries, holds), { numRuns: runs }) };
}
