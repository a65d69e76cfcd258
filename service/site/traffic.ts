/**
 * How far the end of the service has come: it serves; it refuses new writes and waits for what is under way; it refuses everything
 * new and waits for the rest.
 */
type Phase = 'serving' | 'draining' | 'closing';

export type LimitReason = 'quota-site' | 'quota-collection' | 'quota-user' | 'no-space' | 'too-many-requests';

/** What the service is doing at this moment, and whether it is about to stop. */
export interface Traffic {
  readonly phase: Phase;
  /** The requests whose answer has not ended. */
  readonly requests: number;
  /** The uploads whose bytes are being received. */
  readonly uploads: number;
  /** The bytes that all uploads have received since the start. */
  readonly uploadedBytes: number;
  /** Counts a request. Call the result once, when its answer has ended. */
  requestBegins(): () => void;
  /** Counts an upload. Call the result once, when its bytes have arrived or were given up. */
  uploadBegins(): () => void;
  uploaded(bytes: number): void;
  /** Counts a request that was refused for lack of room or because of too many requests. */
  refused(reason: LimitReason): void;
  /** How many requests were refused since the start, by reason. */
  readonly refusals: Readonly<Record<LimitReason, number>>;
  /** Records that the bytes of a file are here, and that its client is about to complete the upload. */
  uploadArrived(fileId: number): void;
  uploadCompleted(fileId: number): void;
  /** Resolves when each upload that arrived while the service was about to stop was completed. */
  allCompleted(): Promise<void>;
  /** Goes to the next phase. Resolves when no request is under way that began before it. */
  enter(phase: 'draining' | 'closing'): Promise<void>;
}

export function createTraffic(): Traffic {
  const counts = { requests: 0, uploads: 0, bytes: 0 };
  /** The requests under way that began before the present phase. */
  let earlier = 0;
  let epoch = 0;
  let phase: Phase = 'serving';
  let onEarlierEnded = () => {};
  /** The files that arrived since the service is about to stop, and whose uploads were not completed. */
  const arrived = new Set<number>();
  let onAllCompleted = () => {};
  const refusals: Record<LimitReason, number> = {
    'quota-site': 0,
    'quota-collection': 0,
    'quota-user': 0,
    'no-space': 0,
    'too-many-requests': 0,
  };
  return {
    refusals,
    refused(reason) {
      refusals[reason] += 1;
    },
    get phase() {
      return phase;
    },
    get requests() {
      return counts.requests;
    },
    get uploads() {
      return counts.uploads;
    },
    get uploadedBytes() {
      return counts.bytes;
    },
    requestBegins() {
      const begunIn = epoch;
      counts.requests += 1;
      return () => {
        counts.requests -= 1;
        if (begunIn === epoch) return;
        earlier -= 1;
        if (earlier === 0) onEarlierEnded();
      };
    },
    uploadBegins() {
      counts.uploads += 1;
      return () => {
        counts.uploads -= 1;
      };
    },
    uploaded(bytes) {
      counts.bytes += bytes;
    },
    uploadArrived(fileId) {
      if (phase !== 'serving') arrived.add(fileId);
    },
    uploadCompleted(fileId) {
      if (arrived.delete(fileId) && arrived.size === 0) onAllCompleted();
    },
    allCompleted() {
      return new Promise((resolve) => {
        onAllCompleted = resolve;
        if (arrived.size === 0) resolve();
      });
    },
    enter(next) {
      phase = next;
      epoch += 1;
      earlier = counts.requests;
      return new Promise((resolve) => {
        onEarlierEnded = resolve;
        if (earlier === 0) resolve();
      });
    },
  };
}
