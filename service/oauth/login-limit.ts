/** What failures are counted for, and how many are borne within the window. */
export interface LimitKey {
  name: string;
  max: number;
}

/** Slows down guessing: so many failures per account and per address within a window, then none until it has passed. */
export interface LoginLimit {
  /** Seconds to wait, or 0. */
  waitS(keys: readonly LimitKey[], now: number): number;
  failed(keys: readonly LimitKey[], now: number): void;
  succeeded(keys: readonly LimitKey[]): void;
}

/** An address may be shared by many people, an account is one. */
export function limitKeys(account: string, address: string): LimitKey[] {
  return [
    { name: `account ${account.toLowerCase()}`, max: 10 },
    { name: `address ${address}`, max: 100 },
  ];
}

const WINDOW_MS = 5 * 60_000;
const MAX_KEYS = 10_000;

export function createLoginLimit(): LoginLimit {
  const failures = new Map<string, number[]>();
  const recent = (key: string, now: number) =>
    (failures.get(key) ?? []).filter((at) => now - at < WINDOW_MS && at <= now);
  return {
    waitS(keys, now) {
      const waits = keys.map(({ name, max }) => {
        const times = recent(name, now);
        return times.length < max ? 0 : Math.ceil(((times.at(-max) ?? now) + WINDOW_MS - now) / 1000);
      });
      return Math.max(0, ...waits);
    },
    failed(keys, now) {
      for (const { name, max } of keys) {
        if (failures.size >= MAX_KEYS) failures.delete(failures.keys().next().value ?? '');
        failures.set(name, [...recent(name, now), now].slice(-max));
      }
    },
    succeeded(keys) {
      for (const { name } of keys) failures.delete(name);
    },
  };
}
