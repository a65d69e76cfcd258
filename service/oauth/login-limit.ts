/** Slows down guessing: so many failures per account and per address within a window, then none until it has passed. */
export interface LoginLimit {
  /** Seconds to wait, or 0. */
  waitS(keys: readonly string[], now: number): number;
  failed(keys: readonly string[], now: number): void;
  succeeded(keys: readonly string[]): void;
}

const WINDOW_MS = 5 * 60_000;
const MAX_FAILURES = 10;
const MAX_KEYS = 10_000;

export function createLoginLimit(): LoginLimit {
  const failures = new Map<string, number[]>();
  const recent = (key: string, now: number) =>
    (failures.get(key) ?? []).filter((at) => now - at < WINDOW_MS && at <= now);
  return {
    waitS(keys, now) {
      const waits = keys.map((key) => {
        const times = recent(key, now);
        return times.length < MAX_FAILURES ? 0 : Math.ceil(((times[0] ?? now) + WINDOW_MS - now) / 1000);
      });
      return Math.max(0, ...waits);
    },
    failed(keys, now) {
      for (const key of keys) {
        if (failures.size >= MAX_KEYS) failures.delete(failures.keys().next().value ?? '');
        failures.set(key, [...recent(key, now), now].slice(-MAX_FAILURES));
      }
    },
    succeeded(keys) {
      for (const key of keys) failures.delete(key);
    },
  };
}
