import { EPOCH_KEY, readOrWriteMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { randomToken } from '../secrets/random-token.ts';

/**
 * Returns the epoch of a library, and gives it one if it has none. An epoch is a random text. It stays the same through restarts
 * and changes when the library is restored from a backup: what clients remember about ids and states may then be wrong.
 */
export function epochOf(store: Store): Promise<string> {
  return readOrWriteMeta(store, EPOCH_KEY, newEpoch);
}

export function newEpoch(): string {
  return randomToken(12);
}
