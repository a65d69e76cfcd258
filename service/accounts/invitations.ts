// Links that administrators give: to invited users, and to users who can't sign in any more.
import type { Store } from '../database/store.ts';
import { createInvited, deleteUser } from '../resources/users/user-write.ts';
import type { Call } from '../site/site.ts';
import { endLinks, issueLink, type LinkPurpose } from './links.ts';

/** A new link and the user for whom it is. */
export interface GivenLink {
  token: string;
  email_address: string;
  purpose: LinkPurpose;
}

/** Creates a user without a password, and a link to set one. Throws 422 for invalid values, 409 for an address that is in use. */
export function invite(call: Call, body: object, groupIds: readonly string[]): Promise<GivenLink> {
  return call.site.store.transaction(async () => {
    const user = await createInvited(call, body, groupIds);
    return {
      token: await issueLink(call.site, user, 'invitation'),
      email_address: user.email_address,
      purpose: 'invitation',
    };
  });
}

interface Account {
  id: number;
  email_address: string;
  has_password: number;
}

/** Makes a new link for a user, whose earlier links are dead; undefined when there is no such active user. */
export function giveLink({ site }: Call, userId: number): Promise<GivenLink | undefined> {
  return site.store.transaction(async () => {
    const user = await site.store.get<Account>(
      'SELECT id, email_address, password_hash IS NOT NULL AS has_password FROM users WHERE id = ? AND deactivated_on IS NULL',
      userId,
    );
    if (user === undefined) return undefined;
    const purpose = user.has_password === 1 ? 'reset' : 'invitation';
    return { token: await issueLink(site, user, purpose), email_address: user.email_address, purpose };
  });
}

/**
 * Ends the links of a user. Deletes an account that an invitation created and that was never used. One that was created or used in
 * another way, such as with a provider, stays.
 */
export async function revoke(call: Call, userId: number): Promise<void> {
  const { store } = call.site;
  await store.transaction(async () => {
    const isUnused = await store.get(
      `SELECT 1 FROM users u JOIN account_links l ON l.user_id = u.id
       WHERE u.id = ? AND u.is_invited = 1 AND l.purpose = 'invitation' AND u.password_hash IS NULL AND u.last_login_on IS NULL`,
      userId,
    );
    if (isUnused) await deleteUser(call, String(userId));
    else await endLinks(call.site, userId);
  });
}

/** An invitation whose user has not set a password. */
export interface OpenInvitation {
  user_id: number;
  email_address: string;
  /** Epoch ms; in the past for one that has expired. */
  expires_at: number;
}

export function openInvitations(store: Store): Promise<OpenInvitation[]> {
  return store.all<OpenInvitation>(
    `SELECT l.user_id, u.email_address, max(l.expires_at) AS expires_at FROM account_links l JOIN users u ON u.id = l.user_id
     WHERE l.purpose = 'invitation' GROUP BY l.user_id, u.email_address ORDER BY expires_at DESC, l.user_id LIMIT 200`,
  );
}

/** An account in the search of administrators. */
export interface FoundAccount {
  id: number;
  email_address: string;
  name: string;
  has_password: number;
  /** Epoch seconds; null for an active account. */
  deactivated_on: number | null;
}

const MOST_FOUND = 20;

/** Returns up to 20 accounts with a text in their name or address, by name, and the number of all. An empty text finds all. */
export async function findAccounts(store: Store, text: string): Promise<{ accounts: FoundAccount[]; total: number }> {
  const where = `WHERE instr(lower(u.first_name || ' ' || u.last_name || ' ' || u.email_address), ?) > 0`;
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const accounts = await store.all<FoundAccount>(
    `SELECT u.id, u.email_address, trim(u.first_name || ' ' || u.last_name) AS name, u.password_hash IS NOT NULL AS has_password,
       u.deactivated_on
     FROM users u ${where} ORDER BY u.last_name COLLATE NOCASE, u.first_name COLLATE NOCASE, u.id LIMIT ${MOST_FOUND}`,
    folded,
  );
  const { total = 0 } =
    (await store.get<{ total: number }>(`SELECT count(*) AS total FROM users u ${where}`, folded)) ?? {};
  return { accounts, total };
}

/** A group that a user can be added to. */
export interface OfferedGroup {
  id: number;
  display_name: string;
}

const MOST_GROUPS = 200;

export function invitableGroups(store: Store): Promise<OfferedGroup[]> {
  return store.all<OfferedGroup>(
    `SELECT id, display_name FROM groups WHERE built_in IS NULL ORDER BY display_name COLLATE NOCASE, id LIMIT ${MOST_GROUPS}`,
  );
}
