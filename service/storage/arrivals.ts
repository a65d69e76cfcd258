/** The only upload of a target that is received now. */
export interface Turn {
  /** Aborted when a later upload of the same target begins. */
  signal: AbortSignal;
  /** Call it when the upload has ended and its temporary file is deleted. */
  end(): void;
}

/** The uploads in flight, with the time of their latest byte. */
export interface Arrivals {
  /** Aborts the earlier upload of the same target and resolves when it has ended. The latest upload has the last turn. */
  takeTurn(target: string): Promise<Turn>;
  begin(fileId: number, at: number): void;
  bytes(fileId: number, at: number): void;
  end(fileId: number): void;
  /** Epoch ms of the latest byte; undefined when no upload is in flight. */
  lastAt(fileId: number): number | undefined;
}

export function createArrivals(): Arrivals {
  const inFlight = new Map<number, { at: number }>();
  const latest = new Map<string, { stop: AbortController; ended: Promise<void> }>();
  return {
    async takeTurn(target) {
      const earlier = latest.get(target);
      const stop = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const own = { stop, ended };
      latest.set(target, own);
      earlier?.stop.abort();
      await earlier?.ended;
      return {
        signal: stop.signal,
        end() {
          if (latest.get(target) === own) latest.delete(target);
          resolve();
        },
      };
    },
    begin: (fileId, at) => void inFlight.set(fileId, { at }),
    bytes(fileId, at) {
      const known = inFlight.get(fileId);
      if (known) known.at = at;
    },
    end: (fileId) => void inFlight.delete(fileId),
    lastAt: (fileId) => inFlight.get(fileId)?.at,
  };
}
