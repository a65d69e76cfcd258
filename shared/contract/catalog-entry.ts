/**
 * What the queue does about an error. This is the one place where errors are classified:
 * - `retry`        try again later, by the back-off of the API
 * - `wait-network` nothing is reachable: wait, burn no attempt
 * - `wait-site`    the site is in maintenance: wait with one probe, burn no attempt
 * - `wait-keychain` the keychain does not give the sign-in: wait with one probe, burn no attempt
 * - `wait-disk`    the disk or share with the file is away: look for it, burn no attempt
 * - `sign-in`      authorization is gone: pause and ask for a sign-in
 * - `ask`          a person has to decide, or to change something: then a retry can help
 * - `permanent`    trying again would give the same answer: no retry is offered
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
