/**
 * Where secrets live. The service name is `mediadesk`; `account` names the entry.
 * Every method answers within 10 s or throws an `AppError` (`keychain.unavailable`, `keychain.locked`).
 */
export interface Keychain {
  /** `memory` is gone when the process ends, and is said so to the person. */
  readonly kind: 'system' | 'memory' | 'file';
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  /** Deleting what is not there is fine. */
  delete(account: string): Promise<void>;
}

export const KEYCHAIN_SERVICE = 'mediadesk';
