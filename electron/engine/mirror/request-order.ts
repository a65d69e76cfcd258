/** At least this many stored answers are remembered. A request that is in flight began later than the oldest of them. */
const MAX_KNOWN = 10_000;

/** The moment of the latest request. All orders share it, because a request can outlive the store that it began with. */
let lastMoment = 0;

/**
 * The order of requests for things that are stored by id. Each request gets a moment, a number that grows with each request.
 * Answers arrive in any order: an answer is stored only if no answer to a later request is stored already.
 */
export class RequestOrder {
  /** The moments of the requests whose answers are stored, the one that was stored longest ago first. */
  #stored = new Map<string, number>();

  /** Returns the moment of a request that begins now. */
  next(): number {
    lastMoment += 1;
    return lastMoment;
  }

  /** Returns whether no answer to a later request is stored. */
  isCurrent(id: string, moment: number): boolean {
    return (this.#stored.get(id) ?? 0) <= moment;
  }

  /** The answer to a request is stored. */
  note(id: string, moment: number): void {
    this.#stored.delete(id);
    this.#stored.set(id, moment);
    // Many at once: the first entry of a map is found slowly after others before it were deleted.
    if (this.#stored.size >= 2 * MAX_KNOWN) this.#stored = new Map([...this.#stored].slice(-MAX_KNOWN));
  }

  /** The ids whose stored answers are newer than a request. */
  storedAfter(moment: number): Set<string> {
    return new Set([...this.#stored].filter(([, stored]) => stored > moment).map(([id]) => id));
  }
}
