import type { OidcProvider } from '../site/oidc-settings.ts';
import type { Site } from '../site/site.ts';
import type { Identity } from './identity.ts';
import { setManagedGroups } from './managed-groups.ts';
import { type Refusal, refused } from './refusals.ts';

/** The account of a user whom a provider has signed in. */
export interface Joined {
  kind: 'joined';
  userId: number;
  how: 'known' | 'linked' | 'created';
}

interface UserRow {
  id: number;
  email_address: string;
  unique_id: string;
  deactivated_on: number | null;
}

/**
 * Finds the account of a user, or makes or links one if the provider may do so, and sets its managed groups, in one transaction. The
 * `unique_id` decides alone; the e-mail address only helps to find an account that has no link yet. In read-only mode, nothing
 * is changed.
 */
export async function joinAccount(site: Site, provider: OidcProvider, identity: Identity): Promise<Joined | Refusal> {
  const isReadOnly = site.settings.current().read_only;
  return await site.store.transaction(async () => {
    const found = await accountOf(site, provider, identity, isReadOnly);
    if (found.kind === 'joined' && !isReadOnly && identity.groups !== null) {
      await setManagedGroups(site, provider, found.userId, identity.groups);
    }
    return found;
  });
}

async function accountOf(
  site: Site,
  provider: OidcProvider,
  identity: Identity,
  isReadOnly: boolean,
): Promise<Joined | Refusal> {
  const { store, log } = site;
  const { uniqueId, email } = identity;
  const known = await store.get<UserRow>(
    'SELECT id, email_address, unique_id, deactivated_on FROM users WHERE unique_id = ?',
    uniqueId,
  );
  if (known) {
    if (known.deactivated_on !== null) return refused('deactivated-user');
    if (email !== null && email.address.toLowerCase() !== known.email_address.toLowerCase()) {
      log('the address of a user at a provider is another one', { provider: provider.name, user_id: known.id });
    }
    return { kind: 'joined', userId: known.id, how: 'known' };
  }
  const holder =
    email === null
      ? undefined
      : await store.get<UserRow>(
          'SELECT id, email_address, unique_id, deactivated_on FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE',
          email.address,
        );
  const mayLink = provider.allow_first_link_by_verified_email && email?.verified === 'yes';
  if (holder && mayLink && hasDefaultKey(holder)) {
    if (holder.deactivated_on !== null) return refused('deactivated-user');
    if (isReadOnly) return refused('read-only');
    return await link(site, provider, holder.id, uniqueId);
  }
  if (await store.get('SELECT 1 FROM deleted_identities WHERE unique_id = ?', uniqueId)) {
    return refused('deleted-user', { uniqueId });
  }
  if (holder) return refused('address-taken', { uniqueId });
  if (!provider.create_users) return refused('unknown-user', { uniqueId });
  if (email === null || !mayCreateWith(provider, email)) return refused('no-address', { uniqueId });
  if (isReadOnly) return refused('read-only');
  return await create(site, provider, identity, email.address);
}

/** Returns whether an account may be created with an address: never with one that the provider calls unverified. */
function mayCreateWith(provider: OidcProvider, { verified }: NonNullable<Identity['email']>): boolean {
  return verified === 'yes' || (verified === 'not-said' && provider.trusts_addresses);
}

/** Returns whether an account has the `unique_id` that it was created with by default, so that nothing is linked to it. */
function hasDefaultKey({ unique_id, email_address }: UserRow): boolean {
  return unique_id.toLowerCase() === `basic:${email_address}`.toLowerCase();
}

async function link(site: Site, provider: OidcProvider, userId: number, uniqueId: string): Promise<Joined> {
  const now = site.now();
  await site.store.run(
    'UPDATE users SET unique_id = ?, modified_on = ? WHERE id = ?',
    uniqueId,
    Math.floor(now / 1000),
    userId,
  );
  await site.store.afterCommit(() => {
    site.journal.effect(now, { name: 'user-updated', user_id: userId });
    site.log('an account was linked to a provider by its verified address', {
      provider: provider.name,
      user_id: userId,
    });
  });
  return { kind: 'joined', userId, how: 'linked' };
}

/** The account has no password and no administrator's rights. */
async function create(site: Site, provider: OidcProvider, identity: Identity, address: string): Promise<Joined> {
  const now = site.now();
  const nowOn = Math.floor(now / 1000);
  const userId = await site.store.insert(
    `INSERT INTO users (email_address, first_name, last_name, unique_id, is_admin, password_hash, created_on, modified_on)
     VALUES (?, ?, ?, ?, 0, NULL, ?, ?) RETURNING id`,
    address,
    identity.firstName,
    identity.lastName,
    identity.uniqueId,
    nowOn,
    nowOn,
  );
  await site.store.afterCommit(() => {
    site.journal.effect(now, { name: 'user-created', user_id: userId });
    site.log('an account was created for a user of a provider', { provider: provider.name, user_id: userId });
  });
  return { kind: 'joined', userId, how: 'created' };
}
