// Accounts that an administrator has deactivated: their users can't sign in, and nothing is signed in as them. All data stays.
import type { Store } from '../database/store.ts';
import { endApps, endSessions } from './access-list.ts';
import { endLinks, type LinkSite } from './links.ts';

/** Why an account stays active. */
export type DeactivationProblem = 'last-administrator';

/**
 * Deactivates an account: ends its sessions, tokens, codes and links, in one transaction. Without the rights of a user, uploads under way
 * are refused. Signed addresses of contents stay valid until they expire. Repeating it changes nothing. Returns why it is refused.
 */
export async function deactivate(site: LinkSite, userId: number): Promise<DeactivationProblem | undefined> {
  const { store } = site;
  return await store.transaction(async () => {
    if (await isLastActiveAdmin(store, userId)) return 'last-administrator';
    await setDeactivated(site, userId, Math.floor(site.now() / 1000));
    await endSessions(store, userId);
    await endApps(store, userId);
    await endLinks(site, userId);
    return undefined;
  });
}

/** Lets a user sign in again, with the password or the provider of before. */
export async function reactivate(site: LinkSite, userId: number): Promise<void> {
  await site.store.transaction(() => setDeactivated(site, userId, null));
}

async function setDeactivated({ store, now }: LinkSite, userId: number, on: number | null): Promise<void> {
  await store.run(
    'UPDATE users SET deactivated_on = ?, modified_on = ? WHERE id = ? AND (deactivated_on IS NULL) <> (CAST(? AS BIGINT) IS NULL)',
    on,
    Math.floor(now() / 1000),
    userId,
    on,
  );
}

async function isLastActiveAdmin(store: Store, userId: number): Promise<boolean> {
  const admins = await store.all<{ id: number }>(
    'SELECT id FROM users WHERE is_admin = 1 AND deactivated_on IS NULL LIMIT 2',
  );
  return admins.length === 1 && admins[0]?.id === userId;
}

/** What the commands of operators print about an account. */
export interface AccountState {
  email_address: string;
  is_active: boolean;
  /** Why nothing was changed. */
  problem?: DeactivationProblem;
}

/** Deactivates the account with an e-mail address, or activates it again; undefined when there is none. */
export async function setActive(site: LinkSite, email: string, isActive: boolean): Promise<AccountState | undefined> {
  const user = await site.store.get<{ id: number; email_address: string }>(
    'SELECT id, email_address FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE',
    email,
  );
  if (user === undefined) return undefined;
  const { email_address } = user;
  if (isActive) {
    await reactivate(site, user.id);
    return { email_address, is_active: true };
  }
  const problem = await deactivate(site, user.id);
  return problem === undefined ? { email_address, is_active: false } : { email_address, is_active: true, problem };
}
