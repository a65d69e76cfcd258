const AVOID_MS = 60_000;
/** The service takes no more at once. */
const MOST = 64;

/** What a worker remembers from one file to the next. */
export interface WorkerMemory {
  /** Files that this computer could not process are left to others for a minute. */
  avoid(fileId: number): void;
  avoids(): number[];
  /** A claim that could not be given back, because the service did not answer. It may be lost by now. */
  returnLater(claim: string): void;
  returns(): string[];
  /** The service has them. */
  returned(claims: readonly string[]): void;
}

export function createMemory(nowMs: () => number = () => performance.now()): WorkerMemory {
  /** Until when. */
  const avoided = new Map<number, number>();
  const unreturned = new Set<string>();
  return {
    avoid: (fileId) => void avoided.set(fileId, nowMs() + AVOID_MS),
    avoids() {
      for (const [fileId, untilMs] of avoided) if (untilMs <= nowMs()) avoided.delete(fileId);
      return [...avoided.keys()].slice(-MOST);
    },
    returnLater: (claim) => void unreturned.add(claim),
    returns: () => [...unreturned].slice(0, MOST),
    returned(claims) {
      for (const claim of claims) unreturned.delete(claim);
    },
  };
}
