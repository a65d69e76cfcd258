/** What attempts are counted for, and how many failures are borne within the window. */
export interface LimitKey {
  name: string;
  max: number;
  /** Whether someone who gets in is forgiven all that went before, or this one attempt. */
  forgives: 'all' | 'one';
}

/** Slows down guessing: so many failures per account and per address within a window, then none until it has passed. */
export interface LoginLimit {
  /**
   * Seconds to wait, or 0 for an attempt that may be made. It counts as failed from here on, so that those that come while
   * it is being looked at find it counted.
   */
  begin(keys: readonly LimitKey[], now: number): number;
  /** Takes back what `begin` counted at that time. */
  succeeded(keys: readonly LimitKey[], begunAt: number): void;
}

/**
 * An address may be shared by many people, an account is one. Whoever knows one password is still not free to guess others:
 * getting in clears the account, not the address.
 */
export function limitKeys(account: string, address: string): LimitKey[] {
  return [
    { name: `account ${account.toLowerCase()}`, max: 10, forgives: 'all' },
    { name: `address ${address}`, max: 100, forgives: 'one' },
  ];
}

const WINDOW_MS = 5 * 60_000;
const MAX_KEYS = 10_000;

export function createLoginLimit(): LoginLimit {
  /** Times of failures by key, oldest first; the key that was used last stands last. */
  const failures = new Map<string, number[]>();
  const recent = (name: string, now: number) =>
    (failures.get(name) ?? []).filter((at) => now - at < WINDOW_MS && at <= now);

  function keep(name: string, times: number[]): void {
    failures.delete(name);
    if (times.length > 0) failures.set(name, times);
    for (const oldest of failures.keys()) {
      if (failures.size <= MAX_KEYS) break;
      failures.delete(oldest);
    }
  }

  return {
    begin(keys, now) {
      const waits = keys.map(({ name, max }) => {
        const times = recent(name, now);
        return times.length < max ? 0 : Math.ceil(((times.at(-max) ?? now) + WINDOW_MS - now) / 1000);
      });
      const wait = Math.max(0, ...waits);
      if (wait === 0) for (const { name, max } of keys) keep(name, [...recent(name, now), now].slice(-max));
      return wait;
    },
    succeeded(keys, begunAt) {
      for (const { name, forgives } of keys) {
        const times = failures.get(name) ?? [];
        const at = times.lastIndexOf(begunAt);
        if (forgives === 'all') keep(name, []);
        else if (at >= 0) keep(name, times.toSpliced(at, 1));
      }
    },
  };
}
