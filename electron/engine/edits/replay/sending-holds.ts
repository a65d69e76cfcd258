import { Emitter } from '../../common/emitter.ts';

/** Libraries to which no edit is sent for a moment: a command that changes many edits runs in slices. */
export class SendingHolds {
  /** A library is not held any more. */
  readonly onDidRelease = new Emitter<string>();
  readonly #held = new Map<string, number>();

  isHeld(siteId: string): boolean {
    return this.#held.has(siteId);
  }

  /** Begins no request for the edits of a library until the returned function is called. */
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
