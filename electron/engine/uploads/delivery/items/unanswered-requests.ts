import type { Upload } from '../../../../../shared/model/uploads/upload.ts';

/**
 * The requests with an unknown outcome in this process, by upload: the one that creates the item of an upload, or the one that
 * publishes it.
 */
export class UnansweredRequests {
  readonly #running = new Set<string>();
  /** When the first search that did not find the effect began, on the monotonic clock. */
  readonly #missedSince = new Map<string, number>();

  /** Records that the request that creates an item is in flight; the returned function ends that. */
  begin({ id }: Upload): () => void {
    this.#missedSince.delete(id);
    this.#running.add(id);
    return () => void this.#running.delete(id);
  }

  /**
   * Returns whether the creation of this upload's item has not been answered yet: an item that a search of another upload finds
   * may be that one.
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

  /** Forgets the searches: the effect of the request was found, or it is certain that there is none. */
  settled(upload: Upload): void {
    this.#missedSince.delete(upload.id);
  }
}
