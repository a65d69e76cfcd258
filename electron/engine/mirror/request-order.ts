/** The minimum number of stored answers that are remembered. A request in flight started later than the oldest of them. */
const MAX_KNOWN = 10_000;

/** The moment of the latest request. All orders share it, because a request can outlive the store that it began with. */
let lastMoment = 0;

/**
 * The order of requests for data that is stored by id. Each request gets a moment, a number that grows with each request. Answers
 * arrive in any order: an answer is stored only if no answer to a later request is stored already.
 */
export class RequestOrder {
  /** The moments of the requests whose answers are stored, the least recently stored first. */
  #stored = new Map<string, number>();

  /** Returns the moment of a request that starts now. */
  next(): number {
    lastMoment += 1;
    return lastMoment;
  }

  /** Returns whether no answer to a later request is stored. */
  isCurrent(id: string, moment: number): boolean {
    return (this.#stored.get(id) ?? 0) <= moment;
  }

  /** Notes that the answer to a request is stored. */
  note(id: string, moment: number): void {
    this.#stored.delete(id);
    this.#stored.set(id, moment);
    // Many are deleted together, because finding the first entry of a map is slow after entries before it were deleted.
    if (this.#stored.size >= 2 * MAX_KNOWN) this.#stored = new Map([...this.#stored].slice(-MAX_KNOWN));
  }

  /** Returns the ids whose stored answers are newer than a request. */
  storedAfter(moment: number): Set<string> {
    return new Set([...this.#stored].filter(([, stored]) => stored > moment).map(([id]) => id));
  }
}
