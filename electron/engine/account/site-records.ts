/** Which of the two keychain entries of an account holds the refresh token in use. */
export type KeychainSlot = 'a' | 'b';

/** What is kept on disk about one account: a site and a person there. Never a secret. */
export interface SiteRecord {
  id: string;
  /** Without a slash at the end. */
  baseUrl: string;
  /**
   * The service's identifier of the person; with the address it is what the account is known by. null where the service
   * has not told it.
   */
  userId: string | null;
  clientId: string;
  /** Whose account it is, as far as the service reports it. Kept over a sign-out: uploads may wait for that account. */
  accountName: string | null;
  keychainSlot: KeychainSlot;
  /** Where the refresh token is: `memory` is gone when the process ends. */
  keptIn: 'system' | 'memory' | 'file';
  /** Epoch ms since when a refresh is under way; null when none is. Set before the token is sent. */
  refreshingSince: number | null;
  /** Epoch ms. */
  addedAt: number;
  /** True from a sign-in to the sign-out. Losing the authorization does not change it. */
  signedIn: boolean;
}

/**
 * The records, durable. Synchronous, and each call is a transaction of its own: when `put` returns, the record survives
 * a crash.
 */
export interface SiteRecords {
  /** In the order of `addedAt`. */
  list(): SiteRecord[];
  get(id: string): SiteRecord | null;
  /** Adds it, or replaces the one of the same id. */
  put(record: SiteRecord): void;
}
