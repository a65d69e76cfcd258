import { toAppError } from '../../../shared/contract/app-error.ts';
import { holdsPublication } from '../../../shared/model/follow-ups.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { SiteGates } from './site-gates.ts';
import type { UploadRunner } from './upload-runner.ts';
import type { UploadStore } from './upload-store.ts';

export interface WatchTools {
  store: UploadStore;
  runner: UploadRunner;
  gates: SiteGates;
  clock: Clock;
  logger: Logger;
}

const FIRST_LOOK_MS = 400;
const LONGEST_WAIT_MS = 15_000;
const GROWTH = 1.5;
const PARALLEL_LOOKS = 4;

/**
 * Follows delivered uploads through the service's processing. Each is looked at soon after its delivery and then ever
 * more rarely, up to every 15 seconds.
 */
export class ProcessingWatch {
  readonly #tools: WatchTools;
  readonly #stop = new AbortController();
  /** When each is looked at next, on the monotonic clock. */
  readonly #looks = new Map<string, { at: number; waitMs: number }>();
  #round: Promise<void> | null = null;
  #started = false;
  #wokenMeanwhile = false;
  #cancelTimer: () => void = () => {};

  constructor(tools: WatchTools) {
    this.#tools = tools;
  }

  start(): void {
    this.#started = true;
    this.wake();
  }

  /** Something was delivered, or a site came back: see whether there is anything to look at. */
  wake(): void {
    if (!this.#started || this.#stop.signal.aborted) return;
    if (this.#round) {
      this.#wokenMeanwhile = true;
      return;
    }
    this.#wokenMeanwhile = false;
    this.#cancelTimer();
    this.#round = this.#lookAround()
      .catch((error: unknown) => this.#tools.logger.error('watch.fault', { error: toAppError(error).toData() }))
      .finally(() => {
        this.#round = null;
        if (this.#wokenMeanwhile) this.wake();
        else this.#planNext();
      });
  }

  stop(): void {
    this.#cancelTimer();
    this.#stop.abort(new Error('the watch was stopped'));
  }

  async whenStopped(): Promise<void> {
    await this.#round;
  }

  async #lookAround(): Promise<void> {
    const { store, gates, clock } = this.#tools;
    const due: string[] = [];
    const seen = new Set<string>();
    for (const { id, siteId, state } of store.followed()) {
      seen.add(id);
      if (gates.isClosed(siteId) || (state === 'publishing' && this.#isForFollowUps(id))) continue;
      const look = this.#looks.get(id) ?? { at: clock.monotonic() + FIRST_LOOK_MS, waitMs: FIRST_LOOK_MS };
      this.#looks.set(id, look);
      if (look.at <= clock.monotonic()) due.push(id);
    }
    for (const id of this.#looks.keys()) if (!seen.has(id)) this.#looks.delete(id);
    await inParallel(due, PARALLEL_LOOKS, (id) => this.#look(id));
  }

  async #look(id: string): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const ended = await this.#tools.runner.follow(id, this.#stop.signal).catch((error: unknown) => {
      // Only a store that can't be written ends up here; the row is as it was and is looked at again.
      this.#tools.logger.error('watch.fault', { id, error: toAppError(error).toData() });
      return false;
    });
    if (ended) {
      this.#looks.delete(id);
      return;
    }
    const waitMs = Math.min((this.#looks.get(id)?.waitMs ?? FIRST_LOOK_MS) * GROWTH, LONGEST_WAIT_MS);
    this.#looks.set(id, { at: this.#tools.clock.monotonic() + waitMs, waitMs });
  }

  /** Published only after its captions, thumbnail and tags were tried: then the watch is woken again. */
  #isForFollowUps(id: string): boolean {
    return holdsPublication(this.#tools.store.get(id)?.followUps ?? []);
  }

  #planNext(): void {
    if (this.#stop.signal.aborted || this.#looks.size === 0) return;
    const soonest = Math.min(...Array.from(this.#looks.values(), ({ at }) => at));
    const inMs = Math.max(50, soonest - this.#tools.clock.monotonic());
    this.#cancelTimer = this.#tools.clock.schedule(inMs, () => this.wake());
  }
}

async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}
