import type { AccountIdentity } from './account-identity.ts';
import type { SiteRecord } from './site-records.ts';

/**
 * The record that belongs to a person at an address, among those of the profile; undefined when that person is new here.
 *
 * A record of unknown owner (made before owners were noted, or at a service that does not report them) goes to the account that signs in
 * next, unless the name in it is another one: uploads never change their owner knowingly.
 */
export function findRecord(
  records: readonly SiteRecord[],
  baseUrl: string,
  { userId, name }: AccountIdentity,
): SiteRecord | undefined {
  const here = records.filter((record) => record.baseUrl === baseUrl);
  const own = userId === null ? undefined : here.find((record) => record.userId === userId);
  if (own !== undefined) return own;
  return here.find(
    (record) =>
      record.userId === null && (record.accountName === null || userId === null || record.accountName === name),
  );
}
