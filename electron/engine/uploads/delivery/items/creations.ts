import type { Upload } from '../../../../../shared/model/upload.ts';

/** What this process knows about creations of media items with an unknown outcome. */
export class Creations {
  readonly #running = new Set<string>();
  /** Monotonic. */
  readonly #missedSince = new Map<string, number>();

  /** Records that the request of a creation is in flight; the returned function ends that. */
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

  /** Records that the item was not found; returns how long ago that happened first, on the monotonic clock. */
  missedForMs(upload: Upload, nowMs: number): number {
    const since = this.#missedSince.get(upload.id) ?? nowMs;
    this.#missedSince.set(upload.id, since);
    return nowMs - since;
  }

  settled(upload: Upload): void {
    this.#missedSince.delete(upload.id);
  }
}
