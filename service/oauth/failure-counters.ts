// Failures of one kind, counted for each key, such as an address. After a few of them the next attempt has to wait.
import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

export interface Rule {
  /** The number of attempts without a delay. */
  free: number;
  /** The delay when `free` attempts have failed; it doubles with each further failure. */
  baseMs: number;
  /** One failure expires after each such interval. */
  leakMs: number;
  /** The longest delay. */
  maxDelayMs: number;
}

/** The maximum number of counters of each kind; the least recently used counters are dropped first. */
const MAX_KEPT = 20_000;

export interface Counter {
  failures: number;
  /** Epoch ms of the last failure, or of the last time that failures expired. */
  at: number;
  /** Epoch ms of the last failure. */
  failedAt: number;
  /** Epoch ms of the failure before the last one. */
  failedBeforeAt: number;
}

/** Returns a key of constant length, so that long names take no more memory. */
export function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/** Where counters are kept. */
export interface KeptCounters {
  get(key: string): Counter | undefined;
  put(key: string, counter: Counter): void;
  forget(key: string): void;
}

/** Keeps counters in memory. */
function keepInMemory(): KeptCounters {
  // Two generations of counters: when the younger one is full, the older one is dropped. A counter that is used moves to the
  // younger one.
  let younger = new Map<string, Counter>();
  let older = new Map<string, Counter>();
  return {
    get: (key) => younger.get(key) ?? older.get(key),
    put(key, counter) {
      older.delete(key);
      younger.set(key, counter);
      if (younger.size < MAX_KEPT / 2) return;
      older = younger;
      younger = new Map();
    },
    forget(key) {
      younger.delete(key);
      older.delete(key);
    },
  };
}

export function createCounters(kept: KeptCounters = keepInMemory()) {
  const { put, forget } = kept;

  /** Returns the counter after expired failures are subtracted; undefined when none is left. */
  function current(key: string, leakMs: number, nowMs: number): Counter | undefined {
    const last = kept.get(key);
    if (!last) return undefined;
    // If the clock was set back, the failures count as having happened now.
    const at = Math.min(last.at, nowMs);
    const failedAt = Math.min(last.failedAt, nowMs);
    const failedBeforeAt = Math.min(last.failedBeforeAt, nowMs);
    const failures = last.failures - (nowMs - at) / leakMs;
    if (failures <= 0) {
      forget(key);
      return undefined;
    }
    const counter = { failures, at: nowMs, failedAt, failedBeforeAt };
    put(key, counter);
    return counter;
  }

  return {
    failures: (key: string, leakMs: number, nowMs: number) => current(key, leakMs, nowMs)?.failures ?? 0,
    waitMs(key: string, { free, baseMs, leakMs, maxDelayMs }: Rule, nowMs: number): number {
      const counter = current(key, leakMs, nowMs);
      const beyond = Math.ceil(counter?.failures ?? 0) - free;
      if (!counter || beyond < 0) return 0;
      const delayMs = Math.min(baseMs * 2 ** beyond, maxDelayMs);
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
