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
export function deactivate(site: LinkSite, userId: number): DeactivationProblem | undefined {
  const { store } = site;
  return store.transaction(() => {
    if (isLastActiveAdmin(store, userId)) return 'last-administrator';
    setDeactivated(site, userId, Math.floor(site.now() / 1000));
    endSessions(store, userId);
    endApps(store, userId);
    endLinks(site, userId);
    return undefined;
  });
}

/** Lets a user sign in again, with the password or the provider of before. */
export function reactivate(site: LinkSite, userId: number): void {
  site.store.transaction(() => setDeactivated(site, userId, null));
}

function setDeactivated({ store, now }: LinkSite, userId: number, on: number | null): void {
  store.run(
    'UPDATE users SET deactivated_on = ?, modified_on = ? WHERE id = ? AND (deactivated_on IS NULL) <> (CAST(? AS BIGINT) IS NULL)',
    on,
    Math.floor(now() / 1000),
    userId,
    on,
  );
}

function isLastActiveAdmin(store: Store, userId: number): boolean {
  const admins = store.all<{ id: number }>(
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
export function setActive(site: LinkSite, email: string, isActive: boolean): AccountState | undefined {
  const user = site.store.get<{ id: number; email_address: string }>(
    'SELECT id, email_address FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE',
    email,
  );
  if (user === undefined) return undefined;
  const { email_address } = user;
  if (isActive) {
    reactivate(site, user.id);
    return { email_address, is_active: true };
  }
  const problem = deactivate(site, user.id);
  return problem === undefined ? { email_address, is_active: false } : { email_address, is_active: true, problem };
}
