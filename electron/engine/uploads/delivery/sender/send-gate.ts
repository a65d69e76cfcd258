import { abortable } from './abortable.ts';
import type { BandwidthLimit } from './bandwidth-limit.ts';

/**
 * What every byte passes on its way out: a pause that holds the connection, and a bandwidth limit that all transfers
 * share.
 */
export interface SendGate {
  /** Resolves with how many of `wanted` bytes may be sent now; rejects with the signal's reason when it is aborted. */
  pass(wanted: number, signal: AbortSignal): Promise<number>;
  /** True while a pause keeps bytes back: standing still is then no stall. */
  isHeld(): boolean;
}

/**
 * Who keeps a transfer's bytes back: a person who paused it, a time at which nothing is to be sent, or the rule that the
 * transfers before it have to be through in time.
 */
export type HoldReason = 'person' | 'schedule' | 'deadline';

/** The pause of one transfer, in front of the limit of all. */
export class TransferGate implements SendGate {
  readonly #limit: BandwidthLimit;
  readonly #reasons = new Set<HoldReason>();
  #open: () => void = () => {};
  #held: Promise<void> | null = null;

  constructor(limit: BandwidthLimit) {
    this.#limit = limit;
  }

  /** Keeps further bytes back. The connection stays open for as long as the destination bears it. */
  hold(reason: HoldReason = 'person'): void {
    this.#reasons.add(reason);
    this.#held ??= new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Bytes go on when nobody else holds them. */
  release(reason: HoldReason = 'person'): void {
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
      // Held while it waited for its share: the bytes stay where they are, and the share is lost to nobody else.
      if (!this.#held) return granted;
      this.#limit.giveBack(granted);
    }
  }
}
