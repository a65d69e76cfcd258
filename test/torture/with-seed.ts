import { Prng } from '../helpers/prng.ts';

/** A random seed. */
export const anySeed = (): number => 1 + Math.floor(Math.random() * 1e9);

/**
 * Does `work` with the random numbers of a seed. Whatever it throws names the seed: with the same one the same is tried
 * again, as far as the processes keep to the same times.
 */
export async function withSeed<T>(seed: number, work: (prng: Prng) => Promise<T>): Promise<T> {
  try {
    return await work(new Prng(seed));
  } catch (cause) {
    throw new Error(`with seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
