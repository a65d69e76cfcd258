import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Store } from '../database/store.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Scratch } from '../storage/scratch.ts';
import type { Check, CheckResult } from './readiness.ts';

/** The time within which the database must answer a query. */
const DATABASE_LIMIT_MS = 1000;
/** The delay of the event loop above which the service is too busy for more requests. */
const LOOP_LIMIT_MS = 1000;
/** Delays are measured over windows of this length; a report sees the present window and the one before. */
const WINDOW_MS = 5000;

/** Checks that the file of the database is there, and that the database answers a query. */
export function databaseCheck(store: Store, now: () => number): Check {
  return async (): Promise<CheckResult> => {
    const startedAt = now();
    if (store.file?.isThere() === false) return { ok: false, reason: 'file' };
    await store.get('SELECT 1 FROM meta LIMIT 1');
    await store.get('SELECT max(id) FROM media');
    const ms = Math.round(now() - startedAt);
    return { ok: ms <= DATABASE_LIMIT_MS, ms };
  };
}

/** Checks that something can be stored. */
export function storageCheck(blobs: Blobs): Check {
  return async () => {
    await blobs.tryWrite();
    return { ok: true };
  };
}

/** Checks that more space is free on this computer than the reserve. */
export function spaceCheck(scratch: Scratch, reserveBytes: number): Check {
  return async () => {
    const { freeBytes } = await scratch.space();
    return { ok: freeBytes >= reserveBytes, free_bytes: freeBytes, reserve_bytes: reserveBytes };
  };
}

export interface LoopDelay {
  /** The delay in milliseconds that 99 of 100 turns of the event loop did not exceed, in the last 5 to 10 seconds. */
  p99Ms(): number;
  check: Check;
  stop(): void;
}

/** Measures how late the event loop comes to its work. */
export function watchLoopDelay(limitMs = LOOP_LIMIT_MS): LoopDelay {
  const resolution = 20;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  let before = 0;
  // The histogram contains the intervals between two turns of its timer.
  const present = () => (histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(99) / 1e6 - resolution));
  const timer = setInterval(() => {
    before = present();
    histogram.reset();
  }, WINDOW_MS).unref();
  const p99Ms = () => Math.round(Math.max(before, present()));
  return {
    p99Ms,
    check: () => ({ ok: p99Ms() <= limitMs, p99_ms: p99Ms(), limit_ms: limitMs }),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
