import type { IncomingHttpHeaders } from 'node:http';
import { appError } from '../../../shared/contract/app-error.ts';

/** The header in which a library names its epoch. Libraries without it are never held. */
const HEADER = 'x-library-epoch';
/** What counts as an epoch; anything else is ignored. */
const EPOCH = /^[\w.~+/=-]{1,128}$/;

/** What is stored about the epoch of a library. */
export interface KnownEpoch {
  /** Missing until a library with an epoch has answered. */
  epoch?: string;
  /** The epoch after a restore about which the user has not decided; null or missing: there is none. */
  restoredEpoch?: string | null;
}

/**
 * Watches the epoch of a library: a text that stays the same until the library is restored from a backup. Afterwards its ids may
 * belong to other items, so nothing is changed in it until the user decides.
 */
export interface EpochGuard {
  /** Takes the epoch from the headers of an answer to a request with this token. */
  observe(token: string, headers: IncomingHttpHeaders): void;
  /**
   * Whether a change may be sent with this token without a look at the library first: a library can be restored only while it is
   * stopped, and ends all sign-ins then, so one answer with an epoch proves it for each later request with the same token.
   */
  isConfirmed(token: string): boolean;
  /** The look at the library succeeded, but its answer has no epoch: a library that does not tell restores any more. */
  confirm(token: string): void;
  /** Throws `site.restored` when the library was restored and the user has not decided. */
  assertSame(): void;
}

/** Never watches: for requests before the account is known. */
export const NO_EPOCH_GUARD: EpochGuard = {
  observe: () => {},
  isConfirmed: () => true,
  confirm: () => {},
  assertSame: () => {},
};

/** Creates the guard of one account. */
export function createEpochGuard(tools: {
  record(): KnownEpoch;
  update(change: KnownEpoch): void;
  /** Called when the library was restored, and when it is the one from before again. */
  onDidChange(): void;
}): EpochGuard {
  const { record, update, onDidChange } = tools;
  let confirmed: string | null = null;
  return {
    observe(token, headers) {
      const value = headers[HEADER];
      // An answer without it may be that of a proxy.
      if (typeof value !== 'string' || !EPOCH.test(value)) return;
      confirmed = token;
      const epoch = value;
      const change = epochChange(record(), epoch);
      if (change === null) return;
      update(change);
      if (change.restoredEpoch !== undefined) onDidChange();
    },
    isConfirmed: (token) => record().epoch === undefined || confirmed === token,
    confirm(token) {
      confirmed = token;
    },
    assertSame() {
      // `held`: as with the errors of a breaker, the request was not sent, and no job uses up a retry.
      if (isRestored(record())) throw appError('site.restored', { details: { outcome: 'not-sent', held: true } });
    },
  };
}

/** Returns what an answer with this epoch changes in what is known; null: nothing. */
function epochChange({ epoch: known, restoredEpoch }: KnownEpoch, seen: string): KnownEpoch | null {
  if (known === undefined) return { epoch: seen };
  // The library is the one from before again.
  if (seen === known) return typeof restoredEpoch === 'string' ? { restoredEpoch: null } : null;
  return seen === restoredEpoch ? null : { restoredEpoch: seen };
}

/** Whether the library was restored and the user has not decided. */
export function isRestored({ restoredEpoch }: KnownEpoch): boolean {
  return typeof restoredEpoch === 'string';
}
