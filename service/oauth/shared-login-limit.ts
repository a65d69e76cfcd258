import type { Store } from '../database/store.ts';
import type { Counter, KeptCounters } from './failure-counters.ts';
import { createLoginLimit, keysOf, type LoginAttempt, type LoginLimit } from './login-limit.ts';

/** A `LoginLimit` whose counters may be in the database. */
export type AnyLoginLimit = {
  [Name in keyof LoginLimit]: (...args: Parameters<LoginLimit[Name]>) => Promise<ReturnType<LoginLimit[Name]>>;
};

/** Returns the limit of a library: in memory when one process has it, and otherwise in the database, the same for all processes. */
export function loginLimitOf(store: Store): AnyLoginLimit {
  const local = createLoginLimit();
  const call = <Name extends keyof LoginLimit>(name: Name, attempt: LoginAttempt, nowMs: number) => {
    const of = (limit: LoginLimit) => limit[name](attempt, nowMs) as ReturnType<LoginLimit[Name]>;
    return store.isShared ? withCounters(store, attempt, of) : Promise.resolve(of(local));
  };
  return {
    begin: (attempt, nowMs) => call('begin', attempt, nowMs),
    succeeded: (attempt, nowMs) => call('succeeded', attempt, nowMs),
    withdrawn: (attempt, nowMs) => call('withdrawn', attempt, nowMs),
  };
}

interface Row {
  key: string;
  failures: number;
  at: number;
  failed_at: number;
  failed_before_at: number;
}

/** Reads the counters of an attempt, lets `work` change them, and writes them, all at one moment. */
function withCounters<Result>(
  store: Store,
  attempt: LoginAttempt,
  work: (limit: LoginLimit) => Result,
): Promise<Result> {
  const keys = Object.values(keysOf(attempt)).filter((key) => key !== null);
  return store.transaction(async () => {
    const rows = await store.all<Row>(
      'SELECT * FROM sign_in_failures WHERE key IN (SELECT atom FROM json_each(?))',
      JSON.stringify(keys),
    );
    const counters = new Map(rows.map((row): [string, Counter] => [row.key, counterOf(row)]));
    const changed = new Map<string, Counter | null>();
    const kept: KeptCounters = {
      get: (key) => counters.get(key),
      put(key, counter) {
        counters.set(key, counter);
        changed.set(key, counter);
      },
      forget(key) {
        counters.delete(key);
        changed.set(key, null);
      },
    };
    const result = work(createLoginLimit(kept));
    for (const [key, counter] of changed) await write(store, key, counter);
    return result;
  });
}

function counterOf({ failures, at, failed_at, failed_before_at }: Row): Counter {
  return { failures, at, failedAt: failed_at, failedBeforeAt: failed_before_at };
}

async function write(store: Store, key: string, counter: Counter | null): Promise<void> {
  if (counter === null) {
    await store.run('DELETE FROM sign_in_failures WHERE key = ?', key);
    return;
  }
  await store.run(
    `INSERT INTO sign_in_failures (key, failures, at, failed_at, failed_before_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET failures = excluded.failures, at = excluded.at, failed_at = excluded.failed_at,
       failed_before_at = excluded.failed_before_at`,
    key,
    counter.failures,
    Math.round(counter.at),
    Math.round(counter.failedAt),
    Math.round(counter.failedBeforeAt),
  );
}

/** Failures of which nothing is left after this time. */
const FORGOTTEN_MS = 7 * 86_400_000;

/** Deletes the counters in which nothing has changed for long. */
export async function deleteOldFailures({ store, now }: { store: Store; now: () => number }): Promise<void> {
  if (!store.isShared) return;
  await store.run('DELETE FROM sign_in_failures WHERE at < ?', now() - FORGOTTEN_MS);
}
