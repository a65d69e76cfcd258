import type { AccountIdentity } from './account-identity.ts';
import type { SiteRecord } from './site-records.ts';

/**
 * Returns the record of a user at an address; undefined when the user has no record.
 *
 * A record of unknown owner (created before owners were stored, or at a library that does not report them) goes to the account
 * that signs in next, unless its name differs: uploads must never knowingly get another owner.
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
