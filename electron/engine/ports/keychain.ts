/**
 * The storage of secrets. The service name is `mediadesk`; `account` names the entry. Every method answers within 10 s
 * or throws an `AppError` (`keychain.unavailable`, `keychain.locked`).
 */
export interface Keychain {
  /** `memory`: the secrets are lost when the process ends; the user is informed. */
  readonly kind: 'system' | 'memory' | 'file';
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  /** Deletes an entry; does nothing when it does not exist. */
  delete(account: string): Promise<void>;
}

export const KEYCHAIN_SERVICE = 'mediadesk';
