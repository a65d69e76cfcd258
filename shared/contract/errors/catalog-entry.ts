/**
 * How the queue handles an error. Errors are classified only here:
 * - `retry`        try again later, by the backoff of the API
 * - `wait-network` nothing is reachable: wait, use no retry
 * - `wait-site`    the site refuses requests: maintenance (changes only) or 429 (all requests): wait with one probe, use no
 *                  retry
 * - `wait-keychain` the keychain does not return the sign-in: wait with one probe, use no retry
 * - `wait-disk`    the disk or share with the file is missing: poll for it, use no retry (follow-ups use one)
 * - `sign-in`      the sign-in is missing or was revoked: put back into the queue until the user signs in, use no retry
 * - `ask`          the user has to decide or change something: then a retry can help
 * - `permanent`    a retry would get the same answer: none is offered
 */
export type Disposition =
  | 'retry'
  | 'wait-network'
  | 'wait-site'
  | 'wait-keychain'
  | 'wait-disk'
  | 'sign-in'
  | 'ask'
  | 'permanent';

export interface CatalogEntry {
  message: string;
  nextStep: string | null;
  disposition: Disposition;
}
