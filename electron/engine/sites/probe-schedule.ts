import { dispositionOf, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';

/** The first and the longest wait between two probes. */
type Waits = readonly [firstMs: number, longestMs: number];

const NETWORK: Waits = [2000, 8000];
/**
 * The waits for a site that refuses requests, and for a locked keychain, where each attempt can open a dialog that asks the user
 * to unlock it.
 */
const REFUSED: Waits = [5000, 60_000];
const GATEWAY_CODE: ErrorCode = 'network.gateway';
/** The server in front of the library answers with 502, 503 or 504, after which the API asks for waits of 10, 20, 40 … seconds. */
const GATEWAY: Waits = [10_000, 60_000];

/**
 * Returns the milliseconds until the next probe of a site after `refusals` in a row; null when only a sign-in closes its
 * breaker. `code`: that of the error that opened it.
 */
export function probeWaitMs(code: string, refusals: number): number | null {
  const disposition = dispositionOf(code);
  if (disposition === 'sign-in') return null;
  const isRefusing = disposition === 'wait-site' || disposition === 'wait-keychain';
  const [first, longest] = code === GATEWAY_CODE ? GATEWAY : isRefusing ? REFUSED : NETWORK;
  return Math.min(first * 2 ** refusals, longest);
}
