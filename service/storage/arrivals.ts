/** Which uploads have bytes under way right now, and when the last of them came. */
export interface Arrivals {
  begin(fileId: number, at: number): void;
  bytes(fileId: number, at: number): void;
  end(fileId: number): void;
  /** Epoch ms of the last byte; undefined when nothing is under way. */
  lastAt(fileId: number): number | undefined;
}

export function createArrivals(): Arrivals {
  const underway = new Map<number, { streams: number; at: number }>();
  return {
    begin(fileId, at) {
      const known = underway.get(fileId);
      underway.set(fileId, { streams: (known?.streams ?? 0) + 1, at });
    },
    bytes(fileId, at) {
      const known = underway.get(fileId);
      if (known) known.at = at;
    },
    end(fileId) {
      const known = underway.get(fileId);
      if (!known) return;
      known.streams -= 1;
      if (known.streams === 0) underway.delete(fileId);
    },
    lastAt: (fileId) => underway.get(fileId)?.at,
  };
}
