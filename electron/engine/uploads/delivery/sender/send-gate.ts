import { abortable } from '../../../common/abortable.ts';
import type { BandwidthLimit } from './bandwidth-limit.ts';

/**
 * Decides when bytes may be sent: a pause that keeps the connection open, and a bandwidth limit that all transfers
 * share.
 */
export interface SendGate {
  /** Resolves with how many of `wanted` bytes may be sent now; rejects with the signal's reason when it is aborted. */
  pass(wanted: number, signal: AbortSignal): Promise<number>;
  /** True while the transfer is on hold; being idle is then not a stall. */
  isHeld(): boolean;
}

/**
 * Why a transfer is on hold: the user paused it, the timetable allows no sending now, or earlier transfers have to meet
 * their deadline.
 */
export type HoldReason = 'user' | 'schedule' | 'deadline';

/** The pause of one transfer, followed by the bandwidth limit of all. */
export class TransferGate implements SendGate {
  readonly #limit: BandwidthLimit;
  readonly #reasons = new Set<HoldReason>();
  #open: () => void = () => {};
  #held: Promise<void> | null = null;

  constructor(limit: BandwidthLimit) {
    this.#limit = limit;
  }

  /** Holds further bytes. The connection stays open until the destination closes it. */
  hold(reason: HoldReason = 'user'): void {
    this.#reasons.add(reason);
    this.#held ??= new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Removes one reason; the transfer continues when no other reason is left. */
  release(reason: HoldReason = 'user'): void {
    this.#reasons.delete(reason);
    if (this.#reasons.size > 0) return;
    this.#held = null;
    this.#open();
  }

  isHeld(): boolean {
    return this.#held !== null;
  }

  isHeldBy(reason: HoldReason): boolean {
    return this.#reasons.has(reason);
  }

  async pass(wanted: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      while (this.#held) await abortable(this.#held, signal);
      const granted = await this.#limit.take(wanted, signal);
      // The transfer was put on hold while it waited for its share: the other transfers get the share.
      if (!this.#held) return granted;
      this.#limit.giveBack(granted);
    }
  }
}
