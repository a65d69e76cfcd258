// One-time links with which users set their password: the first administrator, invited users, and users who are locked out.
import { hashToken, randomToken } from '../secrets/random-token.ts';
import type { Site } from '../site/site.ts';
import { endApps, endSessions } from './access-list.ts';

export type LinkPurpose = 'first-user' | 'invitation' | 'reset';

/** The time in which a link can be used. */
export const LINK_HOURS = 72;
const LINK_MS = LINK_HOURS * 3_600_000;

/** The parts of a site that links need; a command has no more. */
export type LinkSite = Pick<Site, 'store' | 'now'>;

/** A link that can be used. */
export interface AccountLink {
  purpose: LinkPurpose;
  user_id: number;
  email_address: string;
  /** Epoch ms. */
  expires_at: number;
}

/**
 * Creates a link; returns its token, of which only the digest is stored. The earlier links of this user are dead, unless `keepsOthers`:
 * a request by anyone must not end a link that an administrator has given.
 */
export async function issueLink(
  site: LinkSite,
  user: { id: number; email_address: string },
  purpose: LinkPurpose,
  { keepsOthers = false } = {},
): Promise<string> {
  const token = randomToken();
  const now = site.now();
  await site.store.transaction(async () => {
    if (!keepsOthers) await endLinks(site, user.id);
    await site.store.run(
      `INSERT INTO account_links (hash, purpose, user_id, email_address, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
      hashToken(token),
      purpose,
      user.id,
      user.email_address,
      now,
      now + LINK_MS,
    );
  });
  return token;
}

/** Ends all links of a user. */
export async function endLinks({ store }: LinkSite, userId: number): Promise<void> {
  await store.run('DELETE FROM account_links WHERE user_id = ?', userId);
}

const SET_PASSWORD = '/account/set-password/';

/** The route of the page to which links lead. */
export const SET_PASSWORD_ROUTE = `${SET_PASSWORD}:token`;

/** Returns the address of a link. It has the public address of the library, never a host that a request names. */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}${SET_PASSWORD}${token}`;
}

/**
 * Returns the link of a token; undefined when it is unknown, used or expired, when its user was deleted or deactivated, or has another
 * e-mail address now.
 */
export function findLink({ store, now }: LinkSite, token: string): Promise<AccountLink | undefined> {
  return store.get<AccountLink>(
    `SELECT l.purpose, l.user_id, u.email_address, l.expires_at FROM account_links l JOIN users u ON u.id = l.user_id
     WHERE l.hash = ? AND l.expires_at > ? AND l.email_address = u.email_address AND u.deactivated_on IS NULL`,
    hashToken(token),
    now(),
  );
}

/**
 * Uses a link: sets the password of its user, and ends all sessions, tokens, codes and links of this user, in one transaction. Returns
 * the link; undefined when it can't be used (any more).
 */
export function redeemLink(site: LinkSite, token: string, passwordHash: string): Promise<AccountLink | undefined> {
  return site.store.transaction(async () => {
    const link = await findLink(site, token);
    if (link === undefined) return undefined;
    await setPasswordHash(site, link.user_id, passwordHash);
    await endSessions(site.store, link.user_id);
    await endApps(site.store, link.user_id);
    await endLinks(site, link.user_id);
    return link;
  });
}

/** Sets the password of a user. */
export async function setPasswordHash({ store, now }: LinkSite, userId: number, passwordHash: string): Promise<void> {
  const nowOn = Math.floor(now() / 1000);
  await store.run('UPDATE users SET password_hash = ?, modified_on = ? WHERE id = ?', passwordHash, nowOn, userId);
}

/** The time for which an invitation is listed after it has expired. */
const LISTED_MS = 30 * 86_400_000;

/** Deletes expired links; invitations stay in the list for some time. */
export async function deleteExpiredLinks({ store, now }: LinkSite): Promise<void> {
  await store.run(
    `DELETE FROM account_links WHERE expires_at <= CASE purpose WHEN 'invitation' THEN CAST(? AS BIGINT) ELSE CAST(? AS BIGINT) END`,
    now() - LISTED_MS,
    now(),
  );
}
