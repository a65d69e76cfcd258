import type { FeedFile } from '../../../shared/model/updates/feed-text.ts';

/** A new version that this installation may install: from a feed whose signature was verified. */
export interface Offer {
  version: string;
  notes: string;
  file: FeedFile;
  /** Where the file is. */
  url: URL;
  signedAt: string;
}

/** Replaces the app on this system. */
export interface AppInstaller {
  /** Throws when the app can't be replaced where it is, before anything is downloaded. */
  requireReplaceable(): Promise<void>;
  /** Downloads and verifies the file. `onProgress`: the share, from 0 to 1. Throws `update.*` and `network.*`. */
  prepare(offer: Offer, onProgress: (share: number) => void, signal: AbortSignal): Promise<void>;
  /** Removes what was prepared, in this run or in an earlier one. Rejects when that fails. */
  tidy(): Promise<void>;
  /**
   * Installs what was prepared; called after the engine has ended. Resolves when the app may quit: the new version starts by itself
   * then. Rejects when the old version is still there.
   */
  install(): Promise<void>;
}
