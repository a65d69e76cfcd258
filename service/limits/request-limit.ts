import { networkOf } from '../oauth/failure-counters.ts';

/** Who makes a request: a user who is signed in, or an address. */
export type Requester = { userId: number } | { address: string };

/** Limits the number of requests of each user, and of each address that no user is known of. */
export interface RequestLimit {
  /**
   * Counts a request. Returns the milliseconds to wait until one would be admitted; 0: this one is. A refused request does not count, so
   * that a client that keeps asking gets its share. `perMinute`: the present limit, which may also come at once after a minute's rest.
   */
  admit(requester: Requester, perMinute: number, nowMs: number): number;
  /** The number of users and addresses that are remembered. */
  readonly size: number;
}

/** What a requester may still send, at a time in epoch ms. */
interface Bucket {
  requests: number;
  at: number;
}

/** The most users that are remembered, and the most addresses: the least recently seen are forgotten first. */
const MOST_KEPT = 20_000;

/** Creates the counters. An IPv6 address counts by its /64. Users are apart from addresses: no flood of addresses makes them forgotten. */
export function createRequestLimit(): RequestLimit {
  const users = createBuckets<number>();
  const addresses = createBuckets<string>();
  return {
    admit: (requester, perMinute, nowMs) =>
      'userId' in requester
        ? users.take(requester.userId, perMinute, nowMs)
        : addresses.take(networkOf(requester.address), perMinute, nowMs),
    get size() {
      return users.size + addresses.size;
    },
  };
}

const MINUTE_MS = 60_000;

function createBuckets<Key>() {
  // When the younger generation is full, the older one is dropped. A bucket that is used moves to the younger one.
  let younger = new Map<Key, Bucket>();
  let older = new Map<Key, Bucket>();

  function keep(key: Key, bucket: Bucket): void {
    older.delete(key);
    younger.set(key, bucket);
    if (younger.size < MOST_KEPT / 2) return;
    older = younger;
    younger = new Map();
  }

  return {
    take(key: Key, perMinute: number, nowMs: number): number {
      const before = younger.get(key) ?? older.get(key) ?? { requests: perMinute, at: nowMs };
      // If the clock was set back, no time has passed.
      const passedMs = Math.max(0, nowMs - before.at);
      const requests = Math.min(perMinute, before.requests + (passedMs * perMinute) / MINUTE_MS);
      const isAdmitted = requests >= 1;
      keep(key, { requests: isAdmitted ? requests - 1 : requests, at: nowMs });
      return isAdmitted ? 0 : Math.ceil(((1 - requests) * MINUTE_MS) / perMinute);
    },
    get size() {
      return younger.size + older.size;
    },
  };
}
