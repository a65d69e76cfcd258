/** The uploads in flight, with the time of their latest byte. */
export interface Arrivals {
  begin(fileId: number, at: number): void;
  bytes(fileId: number, at: number): void;
  end(fileId: number): void;
  /** Epoch ms of the latest byte; undefined when no upload is in flight. */
  lastAt(fileId: number): number | undefined;
}

export function createArrivals(): Arrivals {
  const inFlight = new Map<number, { streams: number; at: number }>();
  return {
    begin(fileId, at) {
      const known = inFlight.get(fileId);
      inFlight.set(fileId, { streams: (known?.streams ?? 0) + 1, at });
    },
    bytes(fileId, at) {
      const known = inFlight.get(fileId);
      if (known) known.at = at;
    },
    end(fileId) {
      const known = inFlight.get(fileId);
      if (!known) return;
      known.streams -= 1;
      if (known.streams === 0) inFlight.delete(fileId);
    },
    lastAt: (fileId) => inFlight.get(fileId)?.at,
  };
}
