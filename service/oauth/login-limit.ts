import { createCounters, type KeptCounters, keyOf, networkOf, type Rule } from './failure-counters.ts';

/** One attempt to sign in. */
export interface LoginAttempt {
  /** The e-mail address as entered, whether the account exists or not. */
  account: string;
  /** The client's IP address. */
  address: string;
  /** The id of a browser in which this account has signed in before; null for any other browser. */
  device: string | null;
}

/**
 * Slows down the guessing of passwords. Failures are counted for each account at each address, for each address, and
 * for each account; after a few of them the next attempt has to wait, and the wait doubles with each further failure.
 *
 * An attacker cannot lock an account for its owner: failures at other addresses never delay the first attempt from an
 * address. They only remove the further attempts that a new address has without a delay, so that guessing from many
 * addresses is slowed as well. A browser in which the owner has signed in before has a counter of its own (OWASP:
 * device cookies), so that not even guesses from the same address delay it.
 */
export interface LoginLimit {
  /**
   * Returns the milliseconds to wait, or 0 when the attempt may be made now. From then on, the attempt counts as failed, so that
   * concurrent attempts count it. A refused attempt does not count.
   */
  begin(attempt: LoginAttempt, nowMs: number): number;
  /** Reports that the password of an admitted attempt was right. */
  succeeded(attempt: LoginAttempt, nowMs: number): void;
  /**
   * Reports that the password of the latest admitted attempt is not checked. Its counters return to their earlier
   * values.
   */
  withdrawn(attempt: LoginAttempt, nowMs: number): void;
}

const MINUTE_MS = 60_000;
const maxDelayMs = 15 * MINUTE_MS;

const AT_ADDRESS: Rule = { free: 5, baseMs: 2000, leakMs: 15 * MINUTE_MS, maxDelayMs };
/** The rule for an account that is under attack from many addresses. */
const UNDER_ATTACK: Rule = { free: 1, baseMs: 30_000, leakMs: 15 * MINUTE_MS, maxDelayMs };
/** More failures are allowed for an address, because many users may share it. */
const ADDRESS: Rule = { free: 30, baseMs: 1000, leakMs: MINUTE_MS, maxDelayMs };
const DEVICE: Rule = { free: 10, baseMs: 2000, leakMs: 5 * MINUTE_MS, maxDelayMs };

/** From this number of failures on, an account counts as under attack. One failure expires after each `leakMs`. */
const ATTACK = { failures: 50, leakMs: 5 * MINUTE_MS };

/** The keys of the counters of an attempt. All counters may be kept together. */
export function keysOf({ account, address, device }: LoginAttempt) {
  const name = account.toLowerCase();
  const network = networkOf(address);
  return {
    name: keyOf('account', name),
    network: keyOf('network', network),
    pair: keyOf('pair', network, name),
    device: device === null ? null : keyOf('device', device, name),
  };
}

/** `kept`: where the counters of each kind are kept; omitted: in the memory of this process. */
export function createLoginLimit(kept?: KeptCounters): LoginLimit {
  const accountsAtAddresses = createCounters(kept);
  const addresses = createCounters(kept);
  const accounts = createCounters(kept);
  const devices = createCounters(kept);

  return {
    begin(attempt, nowMs) {
      const { name, network, pair, device } = keysOf(attempt);
      if (device !== null) {
        const waitMs = devices.waitMs(device, DEVICE, nowMs);
        if (waitMs === 0) devices.add(device, DEVICE.leakMs, nowMs);
        return waitMs;
      }
      const isUnderAttack = accounts.failures(name, ATTACK.leakMs, nowMs) >= ATTACK.failures;
      const rule = isUnderAttack ? UNDER_ATTACK : AT_ADDRESS;
      const waitMs = Math.max(accountsAtAddresses.waitMs(pair, rule, nowMs), addresses.waitMs(network, ADDRESS, nowMs));
      if (waitMs > 0) return waitMs;
      accountsAtAddresses.add(pair, rule.leakMs, nowMs);
      addresses.add(network, ADDRESS.leakMs, nowMs);
      accounts.add(name, ATTACK.leakMs, nowMs);
      return 0;
    },
    succeeded(attempt, nowMs) {
      const { name, network, pair, device } = keysOf(attempt);
      if (device !== null) {
        devices.forget(device);
        return;
      }
      accountsAtAddresses.forget(pair);
      // Only this attempt is cleared: otherwise a user who knows one password could guess others without a limit.
      addresses.takeBack(network, ADDRESS.leakMs, nowMs);
      accounts.takeBack(name, ATTACK.leakMs, nowMs);
    },
    withdrawn(attempt, nowMs) {
      const { name, network, pair, device } = keysOf(attempt);
      if (device !== null) {
        devices.undo(device, DEVICE.leakMs, nowMs);
        return;
      }
      accountsAtAddresses.undo(pair, AT_ADDRESS.leakMs, nowMs);
      addresses.undo(network, ADDRESS.leakMs, nowMs);
      accounts.undo(name, ATTACK.leakMs, nowMs);
    },
  };
}
