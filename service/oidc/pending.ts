import { networkOf } from '../oauth/failure-counters.ts';
import { hashToken } from '../secrets/random-token.ts';

/** A sign-in that was sent to a provider and has not come back. */
export interface Pending {
  /** The name of the provider. */
  provider: string;
  /** A digest of the cookie of the browser in which it began. */
  browser: string;
  nonce: string;
  /** PKCE verifier. */
  verifier: string;
  /** The page of the library that the sign-in leads to, as a path with its query. */
  to: string;
}

const LIFE_MS = 10 * 60_000;
const MAX_KEPT = 10_000;
/** Many users can be behind one address. */
const MAX_OF_NETWORK = 1000;

interface Kept extends Pending {
  network: string;
  untilMs: number;
}

/** The sign-ins at providers, in memory: after a restart of the service, they begin again. Each comes back at most once. */
export interface PendingSignIns {
  /** Keeps a sign-in by its `state`, for 10 minutes. `address`: IP address of the browser. */
  add(state: string, pending: Pending, address: string, nowMs: number): void;
  /** Returns the sign-in of a state if it began in this browser, and forgets it. */
  take(state: string, browser: string, nowMs: number): Pending | undefined;
}

export function createPendingSignIns(): PendingSignIns {
  // In the order of their beginning. By digests, so that looking one up takes the same time for each wrong state.
  const kept = new Map<string, Kept>();
  const counts = new Map<string, number>();

  function remove(key: string): void {
    const entry = kept.get(key);
    if (entry === undefined) return;
    kept.delete(key);
    const left = (counts.get(entry.network) ?? 1) - 1;
    if (left > 0) counts.set(entry.network, left);
    else counts.delete(entry.network);
  }

  function removeFirst(isOne: (entry: Kept) => boolean): void {
    for (const [key, entry] of kept) {
      if (!isOne(entry)) continue;
      remove(key);
      return;
    }
  }

  return {
    add(state, pending, address, nowMs) {
      for (const [key, { untilMs }] of kept) {
        if (untilMs > nowMs) break;
        remove(key);
      }
      const network = networkOf(address);
      if ((counts.get(network) ?? 0) >= MAX_OF_NETWORK) removeFirst((entry) => entry.network === network);
      if (kept.size >= MAX_KEPT) removeFirst(() => true);
      kept.set(hashToken(state), { ...pending, network, untilMs: nowMs + LIFE_MS });
      counts.set(network, (counts.get(network) ?? 0) + 1);
    },
    take(state, browser, nowMs) {
      const key = hashToken(state);
      const entry = kept.get(key);
      if (entry === undefined || entry.browser !== browser) return undefined;
      remove(key);
      if (entry.untilMs <= nowMs) return undefined;
      const { network: _network, untilMs: _untilMs, ...pending } = entry;
      return pending;
    },
  };
}
