import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/** One attempt to sign in. */
export interface Attempt {
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
  begin(attempt: Attempt, nowMs: number): number;
  /** Reports that the password of an admitted attempt was right. */
  succeeded(attempt: Attempt, nowMs: number): void;
  /**
   * Reports that the password of the latest admitted attempt is not checked. Its counters return to their earlier
   * values.
   */
  withdrawn(attempt: Attempt, nowMs: number): void;
}

interface Rule {
  /** The number of attempts without a delay. */
  free: number;
  /** The delay when `free` attempts have failed; it doubles with each further failure. */
  baseMs: number;
  /** One failure expires after each such interval. */
  leakMs: number;
}

const MINUTE_MS = 60_000;
const MAX_DELAY_MS = 15 * MINUTE_MS;

const AT_ADDRESS: Rule = { free: 5, baseMs: 2000, leakMs: 15 * MINUTE_MS };
/** The rule for an account that is under attack from many addresses. */
const UNDER_ATTACK: Rule = { free: 1, baseMs: 30_000, leakMs: 15 * MINUTE_MS };
/** More failures are allowed for an address, because many users may share it. */
const ADDRESS: Rule = { free: 30, baseMs: 1000, leakMs: MINUTE_MS };
const DEVICE: Rule = { free: 10, baseMs: 2000, leakMs: 5 * MINUTE_MS };

/** From this number of failures on, an account counts as under attack. One failure expires after each `leakMs`. */
const ATTACK = { failures: 50, leakMs: 5 * MINUTE_MS };

/** The maximum number of counters of each kind; the least recently used counters are dropped first. */
const MAX_KEPT = 20_000;

interface Counter {
  failures: number;
  /** Epoch ms of the last failure, or of the last time that failures expired. */
  at: number;
  /** Epoch ms of the last failure. */
  failedAt: number;
  /** Epoch ms of the failure before the last one. */
  failedBeforeAt: number;
}

export function createLoginLimit(): LoginLimit {
  const accountsAtAddresses = createCounters();
  const addresses = createCounters();
  const accounts = createCounters();
  const devices = createCounters();

  function keysOf({ account, address, device }: Attempt) {
    const name = account.toLowerCase();
    const network = networkOf(address);
    return {
      name: keyOf(name),
      network: keyOf(network),
      pair: keyOf(network, name),
      device: device === null ? null : keyOf(device, name),
    };
  }

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

/** Returns a key of constant length, so that long names take no more memory. */
function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

function createCounters() {
  // Two generations of counters: when the younger one is full, the older one is dropped. A counter that is used moves to the
  // younger one.
  let younger = new Map<string, Counter>();
  let older = new Map<string, Counter>();

  /** Returns the counter after expired failures are subtracted; undefined when none is left. */
  function current(key: string, leakMs: number, nowMs: number): Counter | undefined {
    const kept = younger.get(key) ?? older.get(key);
    if (!kept) return undefined;
    // If the clock was set back, the failures count as having happened now.
    const at = Math.min(kept.at, nowMs);
    const failedAt = Math.min(kept.failedAt, nowMs);
    const failedBeforeAt = Math.min(kept.failedBeforeAt, nowMs);
    const failures = kept.failures - (nowMs - at) / leakMs;
    if (failures <= 0) {
      forget(key);
      return undefined;
    }
    const counter = { failures, at: nowMs, failedAt, failedBeforeAt };
    put(key, counter);
    return counter;
  }

  function put(key: string, counter: Counter): void {
    older.delete(key);
    younger.set(key, counter);
    if (younger.size < MAX_KEPT / 2) return;
    older = younger;
    younger = new Map();
  }

  function forget(key: string): void {
    younger.delete(key);
    older.delete(key);
  }

  return {
    failures: (key: string, leakMs: number, nowMs: number) => current(key, leakMs, nowMs)?.failures ?? 0,
    waitMs(key: string, { free, baseMs, leakMs }: Rule, nowMs: number): number {
      const counter = current(key, leakMs, nowMs);
      const beyond = Math.ceil(counter?.failures ?? 0) - free;
      if (!counter || beyond < 0) return 0;
      const delayMs = Math.min(baseMs * 2 ** beyond, MAX_DELAY_MS);
      return Math.max(0, counter.failedAt + delayMs - nowMs);
    },
    add(key: string, leakMs: number, nowMs: number): void {
      const before = current(key, leakMs, nowMs);
      const failures = (before?.failures ?? 0) + 1;
      put(key, { failures, at: nowMs, failedAt: nowMs, failedBeforeAt: before?.failedAt ?? nowMs });
    },
    /** Subtracts one failure. The delay still starts at the last failure, which may belong to another attempt. */
    takeBack(key: string, leakMs: number, nowMs: number): void {
      const counter = current(key, leakMs, nowMs);
      if (!counter) return;
      if (counter.failures <= 1) forget(key);
      else put(key, { ...counter, failures: counter.failures - 1 });
    },
    /** Undoes the last failure and the delay that it started. No other failure may have been counted since. */
    undo(key: string, leakMs: number, nowMs: number): void {
      const counter = current(key, leakMs, nowMs);
      if (!counter) return;
      if (counter.failures <= 1) forget(key);
      else put(key, { ...counter, failures: counter.failures - 1, failedAt: counter.failedBeforeAt });
    },
    forget,
  };
}

/**
 * Normalizes an address for counting: an IPv4 address, or the 64 network bits of an IPv6 address, since one client
 * controls all addresses within them. A port that some proxies append differs for each connection and is removed.
 */
export function networkOf(address: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  const plain = (inBrackets ?? beforePort ?? address).split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(plain)) return plain.slice(0, 64);
  const [left = '', right] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const [head, tail] = [left, right ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = right === undefined ? 0 : 8 - (head?.length ?? 0) - (tail?.length ?? 0);
  const groups = [...(head ?? []), ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
