import type { Keychain } from '../../../electron/engine/ports/keychain.ts';
import { appError } from '../../../shared/contract/app-error.ts';

export interface FlakyKeychain extends Keychain {
  entries: Map<string, string>;
  /** Calls so far. */
  calls: number;
  /** Makes the call with this number fail, and all later ones if `persistent`. */
  failAt(nth: number | null, how?: { persistent?: boolean; afterEffect?: boolean }): void;
}

/** A keychain that fails on request: before its effect, or after it. */
export function flakyKeychain(entries = new Map<string, string>()): FlakyKeychain {
  let failing: { nth: number; persistent: boolean; afterEffect: boolean } | null = null;
  async function step<T>(effect: () => T): Promise<T> {
    keychain.calls++;
    const { calls } = keychain;
    const fails = failing !== null && (failing.persistent ? calls >= failing.nth : calls === failing.nth);
    if (fails && failing?.afterEffect !== true) throw appError('keychain.unavailable');
    const result = effect();
    if (fails) throw appError('keychain.locked');
    return result;
  }
  const keychain: FlakyKeychain = {
    kind: 'system',
    entries,
    calls: 0,
    failAt(nth, { persistent = false, afterEffect = false } = {}) {
      keychain.calls = 0;
      failing = nth === null ? null : { nth, persistent, afterEffect };
    },
    get: (account) => step(() => entries.get(account) ?? null),
    set: (account, secret) => step(() => void entries.set(account, secret)),
    delete: (account) => step(() => void entries.delete(account)),
  };
  return keychain;
}
