import type { Upload } from '../../../../../shared/model/upload.ts';

/** What this process knows of creations of media items whose outcome is open. */
export class Creations {
  readonly #running = new Set<string>();
  /** Monotonic. */
  readonly #missedSince = new Map<string, number>();

  /** The request of a creation is sent; the returned function ends it. */
  begin({ id }: Upload): () => void {
    this.#missedSince.delete(id);
    this.#running.add(id);
    return () => void this.#running.delete(id);
  }

  /** Whether the creation of this upload's item is not answered yet: an item that is found may be that one. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** The item was not found: how long ago this happened first, on the monotonic clock. */
  missedForMs(upload: Upload, nowMs: number): number {
    const since = this.#missedSince.get(upload.id) ?? nowMs;
    this.#missedSince.set(upload.id, since);
    return nowMs - since;
  }

  settled(upload: Upload): void {
    this.#missedSince.delete(upload.id);
  }
}
