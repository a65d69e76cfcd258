import type { Upload } from '../../../../../shared/model/uploads/upload.ts';

/**
 * What this process knows about requests with an unknown outcome: the one that creates the item of an upload, or the one that
 * publishes it. By upload.
 */
export class UnansweredRequests {
  readonly #running = new Set<string>();
  /** Monotonic. */
  readonly #missedSince = new Map<string, number>();

  /** Records that the request that creates an item is in flight; the returned function ends that. */
  begin({ id }: Upload): () => void {
    this.#missedSince.delete(id);
    this.#running.add(id);
    return () => void this.#running.delete(id);
  }

  /**
   * Returns whether the creation of this upload's item has not been answered yet: an item that is found may be that
   * one.
   */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /**
   * Records that a search that began at `lookedAtMs` did not find the effect of the request. Returns how long before that the
   * first such search began. Monotonic.
   */
  missedForMs(upload: Upload, lookedAtMs: number): number {
    const since = this.#missedSince.get(upload.id) ?? lookedAtMs;
    this.#missedSince.set(upload.id, since);
    return lookedAtMs - since;
  }

  /** The effect was found, or it is known that there is none. */
  settled(upload: Upload): void {
    this.#missedSince.delete(upload.id);
  }
}
