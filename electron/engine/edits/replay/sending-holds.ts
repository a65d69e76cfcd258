import { Emitter } from '../../common/emitter.ts';

/** Libraries to which no edit is sent at this moment, because a command changes many edits in slices. */
export class SendingHolds {
  /** A library is not held any more. */
  readonly onDidRelease = new Emitter<string>();
  readonly #held = new Map<string, number>();

  isHeld(siteId: string): boolean {
    return this.#held.has(siteId);
  }

  /** From now on no job of a library's edits starts, until the returned function is called. */
  hold(siteId: string): () => void {
    this.#held.set(siteId, (this.#held.get(siteId) ?? 0) + 1);
    return () => {
      const count = (this.#held.get(siteId) ?? 1) - 1;
      if (count > 0) {
        this.#held.set(siteId, count);
        return;
      }
      this.#held.delete(siteId);
      this.onDidRelease.emit(siteId);
    };
  }
}
