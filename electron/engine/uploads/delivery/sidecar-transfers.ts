import type { Clock } from '../../ports/clock.ts';
import { DONE, RELEASE, type StepResult } from '../../scheduler/job-result.ts';
import { LONGEST_HOLD_MS } from './hold-limit.ts';
import type { BandwidthLimit } from './sender/bandwidth-limit.ts';
import { ExpiredDestinations } from './sender/expired-destinations.ts';
import { TransferGate } from './sender/send-gate.ts';

interface LiveSidecar {
  readonly gate: TransferGate;
  /** Aborts a transfer that was on hold for too long. */
  giveUp(): void;
  /** Stops the timer that aborts a transfer after a long hold. */
  cancelHoldLimit(): void;
}

/**
 * The captions and thumbnails that are being sent. While sending is not allowed they are on hold, like recordings; a hold
 * doesn't count as a stall and uses up no retry.
 */
export class SidecarTransfers {
  readonly #clock: Clock;
  readonly #limit: BandwidthLimit;
  readonly #live = new Set<LiveSidecar>();
  readonly #expired = new ExpiredDestinations();
  #isHeld = false;

  constructor(clock: Clock, limit: BandwidthLimit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /**
   * Runs `send`, a transfer of the follow-up `key`, with its gate and its signal. Throws the errors of `send`.
   * Returns `release` when the transfer was on hold for longer than `LONGEST_HOLD_MS`.
   */
  async run(
    key: string,
    signal: AbortSignal,
    send: (gate: TransferGate, stop: AbortSignal) => Promise<unknown>,
  ): Promise<StepResult> {
    const stop = new AbortController();
    let wasHeldTooLong = false;
    const live: LiveSidecar = {
      gate: new TransferGate(this.#limit),
      giveUp: () => {
        wasHeldTooLong = true;
        stop.abort(new Error('the transfer was held for too long'));
      },
      cancelHoldLimit: () => {},
    };
    const onStop = () => stop.abort(signal.reason);
    if (signal.aborted) onStop();
    signal.addEventListener('abort', onStop, { once: true });
    this.#live.add(live);
    if (this.#isHeld) this.#hold(live);
    try {
      await this.#expired.guard(key, () => send(live.gate, stop.signal));
      return DONE;
    } catch (error) {
      if (!wasHeldTooLong || error !== stop.signal.reason) throw error;
      return RELEASE;
    } finally {
      this.#live.delete(live);
      live.cancelHoldLimit();
      signal.removeEventListener('abort', onStop);
    }
  }

  /** Puts running and later transfers on hold, or lets them continue. */
  setHeld(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    for (const live of this.#live) {
      if (isHeld) this.#hold(live);
      else this.#release(live);
    }
  }

  #hold(live: LiveSidecar): void {
    live.gate.hold('schedule');
    live.cancelHoldLimit = this.#clock.schedule(LONGEST_HOLD_MS, () => live.giveUp());
  }

  #release(live: LiveSidecar): void {
    live.cancelHoldLimit();
    live.gate.release('schedule');
  }
}
