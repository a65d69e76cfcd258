import type { Disposition } from '../../../shared/contract/errors/catalog-entry.ts';

const FIRST_NETWORK_WAIT_MS = 2000;
const LONGEST_NETWORK_WAIT_MS = 8000;
/**
 * The waits for a site that refuses requests, and for a locked keychain, where each attempt can open a dialog that asks the user
 * to unlock it.
 */
const FIRST_REFUSED_WAIT_MS = 5000;
const LONGEST_REFUSED_WAIT_MS = 60_000;

/**
 * Returns the milliseconds until the next probe of a site after `refusals` in a row; null when only a sign-in closes its
 * breaker. `disposition`: that of the error that opened it.
 */
export function probeWaitMs(disposition: Disposition, refusals: number): number | null {
  if (disposition === 'sign-in') return null;
  const isNetwork = disposition !== 'wait-site' && disposition !== 'wait-keychain';
  const [first, longest] = isNetwork
    ? [FIRST_NETWORK_WAIT_MS, LONGEST_NETWORK_WAIT_MS]
    : [FIRST_REFUSED_WAIT_MS, LONGEST_REFUSED_WAIT_MS];
  return Math.min(first * 2 ** refusals, longest);
}
