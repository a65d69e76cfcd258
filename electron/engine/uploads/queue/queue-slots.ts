import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/upload-machine.ts';
import { sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { STORE_REST_MS } from '../../scheduler/when-store-works.ts';
import { CleanUps, type CleanUpTools } from '../clean-up/clean-ups.ts';
import type { Transfers } from '../delivery/transfers.ts';
import { deviceOf } from '../journal/device-of.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';

export interface SlotTools extends CleanUpTools {
  journal: UploadJournal;
  transfers: Transfers;
  logger: Logger;
}

/** Who is at work in this process: uploads that are being delivered, and what cancelled ones left being removed. */
export class QueueSlots {
  readonly #tools: SlotTools;
  readonly #signal: AbortSignal;
  readonly #onFree: () => void;
  readonly #active = new Map<string, { work: Promise<void>; device: string }>();
  readonly cleanUps: CleanUps;

  /** `onFree` is called when a slot is free again, `onCleaned` when something was removed. */
  constructor(tools: SlotTools, signal: AbortSignal, onFree: () => void, onCleaned: () => void) {
    this.#tools = tools;
    this.#signal = signal;
    this.#onFree = onFree;
    this.cleanUps = new CleanUps(tools, signal, (id) => this.#active.has(id), onCleaned);
  }

  ids(): string[] {
    return [...this.#active.keys()];
  }

  /** Whether an upload is at work and has questions to its site yet: one that sends has none, or never had. */
  isAsking(id: string): boolean {
    return this.#active.has(id) && this.#tools.transfers.get(id) === undefined;
  }

  /** Slots that are taken; a transfer that a person holds leaves its own to somebody else. */
  get taken(): number {
    return this.#active.size - this.#tools.transfers.heldCount();
  }

  get isAnybodyActive(): boolean {
    return this.#active.size > 0;
  }

  /** Whether somebody is at work on an upload: nobody else begins, not even when it was retried meanwhile. */
  isBusy(id: string): boolean {
    return this.#active.has(id) || this.cleanUps.isRunning(id);
  }

  /** Disks of which a file is being read. */
  readDevices(): Set<string> {
    const { transfers } = this.#tools;
    const devices = new Set<string>();
    for (const [id, { device }] of this.#active) {
      const live = transfers.get(id);
      if (live === undefined || (live.isReading && !live.gate.isHeldBy('person'))) devices.add(device);
    }
    return devices;
  }

  run({ id, identity }: Upload): void {
    const work = this.#tools.runner
      .deliver(id, this.#signal)
      .catch((error: unknown) => {
        // Only a store that can't be written ends up here.
        this.#tools.logger.error('upload.not-recorded', { id, error: toAppError(error).toData() });
        return this.#putBackLater(id);
      })
      .finally(() => {
        this.#active.delete(id);
        this.#onFree();
      });
    this.#active.set(id, { work, device: deviceOf(identity) });
  }

  /** Resolves when nobody is at work any more. */
  async whenEmpty(): Promise<void> {
    await Promise.allSettled([...[...this.#active.values()].map(({ work }) => work), this.cleanUps.whenStopped()]);
  }

  /** Keeps the slot until the row can be written again: without that the next try would begin at once, for ever. */
  async #putBackLater(id: string): Promise<void> {
    const { journal, clock, logger } = this.#tools;
    while (!this.#signal.aborted) {
      await sleep(clock, STORE_REST_MS, this.#signal).catch(() => {});
      try {
        journal.record(id, { kind: 'interrupted' });
        return;
      } catch (error) {
        logger.warn('upload.not-put-back', { id, code: toAppError(error).code });
      }
    }
  }
}
