import type { KnownEpoch } from '../api/epoch-guard.ts';

/** Which of the two keychain entries of an account contains the current refresh token. */
export type KeychainEntry = 'a' | 'b';

/** The data on disk of one account: a site and a user. Never a secret. */
export interface SiteRecord extends KnownEpoch {
  id: string;
  /** Without a trailing slash. */
  baseUrl: string;
  /**
   * The library's identifier of the user; with the address it identifies the account. null: the library has not
   * reported it.
   */
  userId: string | null;
  clientId: string;
  /**
   * The owner of the account, as far as the library reports it. Kept after a sign-out, because uploads may wait for the
   * account.
   */
  accountName: string | null;
  /** The keychain entry in use. The stored field keeps its older name. */
  keychainSlot: KeychainEntry;
  /** Where the refresh token is stored; `memory`: it is lost when the process ends. */
  keptIn: 'system' | 'memory' | 'file';
  /** Epoch ms of the start of a refresh in flight; null when there is none. Stored before the token is sent. */
  refreshingSince: number | null;
  /** Epoch ms. */
  addedAt: number;
  /** True from sign-in to sign-out, also while the library refuses the stored sign-in. */
  signedIn: boolean;
  /** The library refused the stored sign-in; missing in records of older versions. Other processes show it, and send nothing. */
  isRefused?: boolean;
}

/**
 * The records on disk. Synchronous, and each call is one transaction: when `put` returns, the record survives a crash.
 */
export interface SiteRecords {
  /** Sorted by `addedAt`. */
  list(): SiteRecord[];
  get(id: string): SiteRecord | null;
  /** Adds the record, or replaces the record with the same id. */
  put(record: SiteRecord): void;
}
