import type { Clock } from '../../ports/clock.ts';
import type { SettingStore } from '../../store/setting-store.ts';

const PAUSED = 'queue.paused';
const PAUSED_UNTIL = 'queue.paused-until';

/** A pause with an end time: `until`, and when the user requested it (`since`), epoch milliseconds. */
interface TimedPause {
  until: number;
  since: number;
}

/** Whether the user paused the whole queue, indefinitely or until a time. Kept across restarts. */
export class QueuePause {
  readonly #stored: SettingStore;
  readonly #clock: Clock;
  #isIndefinite: boolean;
  #timed: TimedPause | null;

  constructor(stored: SettingStore, clock: Clock) {
    this.#stored = stored;
    this.#clock = clock;
    this.#isIndefinite = stored.get(PAUSED) === 'yes';
    this.#timed = readTimed(stored.get(PAUSED_UNTIL));
  }

  /** Whether the queue is paused without an end time. */
  get isIndefinite(): boolean {
    return this.#isIndefinite;
  }

  /** When the timed pause ends, epoch milliseconds; null when there is none. */
  get until(): number | null {
    return this.#isIndefinite ? null : (this.#timed?.until ?? null);
  }

  pause(): void {
    this.#stored.set(PAUSED, 'yes');
    this.#isIndefinite = true;
    this.#setTimed(null);
  }

  pauseUntil(until: number): void {
    this.#setTimed({ until, since: this.#clock.now() });
    this.#stored.set(PAUSED, 'no');
    this.#isIndefinite = false;
  }

  resume(): void {
    this.#stored.set(PAUSED, 'no');
    this.#isIndefinite = false;
    this.#setTimed(null);
  }

  /** Ends a timed pause whose time has passed. */
  check(): void {
    if (this.#timed === null) return;
    const now = this.#clock.now();
    const { until, since } = this.#timed;
    if (now >= until) this.#setTimed(null);
    // The clock was set back to before the pause, and the pause must not last longer than requested.
    else if (now < since) this.#setTimed({ until: now + (until - since), since: now });
  }

  #setTimed(timed: TimedPause | null): void {
    if (timed === null && this.#timed === null) return;
    this.#stored.set(PAUSED_UNTIL, timed === null ? '' : JSON.stringify(timed));
    this.#timed = timed;
  }
}

/**
 * Parses a stored pause; null also for unreadable text, because a queue that continues is better than one that never starts
 * again.
 */
function readTimed(text: string | null): TimedPause | null {
  if (text === null || text === '') return null;
  try {
    const { until, since } = JSON.parse(text) as Partial<TimedPause>;
    return Number.isFinite(until) && Number.isFinite(since) ? { until: Number(until), since: Number(since) } : null;
  } catch {
    return null;
  }
}
