/** A request that can be compared with the later requests of its kind. */
export interface OrderedRequest {
  /**
   * Returns whether no later request has started. Use it when each request has another input, such as a search text: then
   * only the answer to the newest input may be shown.
   */
  isLatest(): boolean;
  /**
   * Accepts the answer: returns false when the answer of a later request was accepted before. Use it for repeated reads of the
   * same data: an answer may be shown while a later request is in flight, but never replaces a later answer.
   */
  accept(): boolean;
}

export interface LatestOnly {
  /** Starts a request. */
  begin(): OrderedRequest;
  /** Makes all requests in flight obsolete: none of them is the latest, and none is accepted. */
  cancel(): void;
}

/** Orders requests of one kind, so that the newest answer is shown in whatever order the answers arrive. */
export function latestOnly(): LatestOnly {
  let latest = 0;
  let accepted = 0;
  return {
    begin() {
      latest += 1;
      const own = latest;
      return {
        isLatest: () => own === latest,
        accept() {
          if (own < accepted) return false;
          accepted = own;
          return true;
        },
      };
    },
    cancel() {
      latest += 1;
      accepted = latest;
    },
  };
}

/**
 * Calls one of two callbacks with the outcome of a promise until the returned function is called. A React effect returns that
 * function, so that the answer to an earlier render is dropped.
 */
export function untilCancelled<T>(
  promise: Promise<T>,
  onValue: (value: T) => void,
  onError: (thrown: unknown) => void,
): () => void {
  let isCancelled = false;
  promise.then(
    (value) => {
      if (!isCancelled) onValue(value);
    },
    (thrown) => {
      if (!isCancelled) onError(thrown);
    },
  );
  return () => {
    isCancelled = true;
  };
}
