/** The only upload of a target that is received now. */
interface Turn {
  /** Aborted when a later upload of the same target begins. */
  signal: AbortSignal;
  /** Call it when the upload has ended and its temporary file is deleted. */
  end(): void;
}

/** The uploads in flight, with the time of their latest byte. */
export interface Arrivals {
  /** Aborts the earlier upload of the same target and resolves when it has ended. The latest upload has the last turn. */
  takeTurn(target: string): Promise<Turn>;
  begin(fileId: number, at: number, sizeBytes: number): void;
  /** Returns true when the time of the latest byte is to be written, for other processes: at most once a minute. */
  bytes(fileId: number, at: number, bytes: number): boolean;
  end(fileId: number): void;
  /** Epoch ms of the latest byte; undefined when no upload is in flight. */
  lastAt(fileId: number): number | undefined;
  /** The bytes that each upload in flight has not received yet, by file id. */
  missing(): ReadonlyMap<number, number>;
}

const WRITTEN_EVERY_MS = 60_000;

export function createArrivals(): Arrivals {
  const inFlight = new Map<number, { at: number; missing: number; writtenAt: number }>();
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
    begin: (fileId, at, sizeBytes) => void inFlight.set(fileId, { at, missing: sizeBytes, writtenAt: at }),
    bytes(fileId, at, bytes) {
      const known = inFlight.get(fileId);
      if (!known) return false;
      known.at = at;
      known.missing = Math.max(0, known.missing - bytes);
      const isDue = Math.abs(at - known.writtenAt) >= WRITTEN_EVERY_MS;
      if (isDue) known.writtenAt = at;
      return isDue;
    },
    end: (fileId) => void inFlight.delete(fileId),
    lastAt: (fileId) => inFlight.get(fileId)?.at,
    missing: () => new Map([...inFlight].map(([fileId, { missing }]) => [fileId, missing])),
  };
}
