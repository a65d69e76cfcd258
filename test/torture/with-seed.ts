import { Prng } from '../helpers/data/prng.ts';

/** A random seed. */
export const anySeed = (): number => 1 + Math.floor(Math.random() * 1e9);

/**
 * Runs `work` with the random numbers of a seed. Every thrown error contains the seed, with which the same run can be
 * repeated, as far as the timing of the processes permits.
 */
export async function withSeed<T>(seed: number, work: (prng: Prng) => Promise<T>): Promise<T> {
  try {
    return await work(new Prng(seed));
  } catch (cause) {
    throw new Error(`with seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
