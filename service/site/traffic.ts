/** What the service is doing at this moment, and whether it is about to stop. */
export interface Traffic {
  /** The requests whose answer has not ended. */
  readonly requests: number;
  /** The uploads whose bytes are being received. */
  readonly uploads: number;
  /** The bytes that all uploads have received since the start. */
  readonly uploadedBytes: number;
  /** Whether the service is about to stop: it refuses new writes. */
  readonly isDraining: boolean;
  /** Counts a request. Call the result once, when its answer has ended. */
  requestBegins(): () => void;
  /** Counts an upload. Call the result once, when its bytes have arrived or were given up. */
  uploadBegins(): () => void;
  uploaded(bytes: number): void;
  drain(): void;
  /** Called whenever the last request has ended. */
  onIdle(listener: () => void): void;
}

export function createTraffic(): Traffic {
  const counts = { requests: 0, uploads: 0, bytes: 0 };
  const listeners: (() => void)[] = [];
  let isDraining = false;
  return {
    get requests() {
      return counts.requests;
    },
    get uploads() {
      return counts.uploads;
    },
    get uploadedBytes() {
      return counts.bytes;
    },
    get isDraining() {
      return isDraining;
    },
    requestBegins() {
      counts.requests += 1;
      return () => {
        counts.requests -= 1;
        if (counts.requests === 0) for (const listener of listeners) listener();
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
    drain() {
      isDraining = true;
    },
    onIdle: (listener) => void listeners.push(listener),
  };
}
