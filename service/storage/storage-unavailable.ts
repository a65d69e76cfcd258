/**
 * The storage could not do what it was asked, and may be able to later. `code`: what it said, for logs (`timeout`, `503 SlowDown`,
 * `ECONNREFUSED` …).
 */
export class StorageUnavailable extends Error {
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`The storage is not available (${code}).`, options);
    this.name = 'StorageUnavailable';
    this.code = code;
  }
}

/** The connection was lost while a transaction was being committed: its changes may be durable, or not. */
export class OutcomeUnknown extends StorageUnavailable {}
