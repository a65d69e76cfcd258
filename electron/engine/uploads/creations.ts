import type { Upload } from '../../../shared/model/upload-machine.ts';

/** What this process knows of creations of media items whose outcome is open. */
export class Creations {
  readonly #running = new Map<string, number>();
  /** Monotonic. */
  readonly #missedSince = new Map<string, number>();

  /** A creation is on its way; the returned function ends it. */
  begin(upload: Upload): () => void {
    const key = keyOf(upload);
    this.#missedSince.delete(upload.id);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    };
  }

  /** Whether an item that looks just like this upload's is being made: one that is found may be that one. */
  isTwinRunning(upload: Upload): boolean {
    return this.#running.has(keyOf(upload));
  }

  /** The item was looked for in vain: how long ago this happened first, on the monotonic clock. */
  missedForMs(upload: Upload, nowMs: number): number {
    const since = this.#missedSince.get(upload.id) ?? nowMs;
    this.#missedSince.set(upload.id, since);
    return nowMs - since;
  }

  settled(upload: Upload): void {
    this.#missedSince.delete(upload.id);
  }
}

/** Without the account: two people of one library can be making items of the same title in the same collection. */
function keyOf({ collectionId, title }: Upload): string {
  return JSON.stringify([collectionId, title]);
}
