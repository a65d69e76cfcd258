import { Emitter } from '../../common/emitter.ts';

/** Libraries to which no edit is sent at this moment, because a command changes many edits in slices. */
export class SendingLocks {
  /** A library is not locked any more. */
  readonly onDidUnlock = new Emitter<string>();
  readonly #locks = new Map<string, number>();

  isLocked(siteId: string): boolean {
    return this.#locks.has(siteId);
  }

  /** From now on no job of a library's edits starts, until the returned function is called. */
  lock(siteId: string): () => void {
    this.#locks.set(siteId, (this.#locks.get(siteId) ?? 0) + 1);
    return () => {
      const count = (this.#locks.get(siteId) ?? 1) - 1;
      if (count > 0) {
        this.#locks.set(siteId, count);
        return;
      }
      this.#locks.delete(siteId);
      this.onDidUnlock.emit(siteId);
    };
  }
}
