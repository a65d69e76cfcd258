import { addToGroups, removeFromGroups } from '../resources/groups/group-users.ts';
import type { OidcProvider } from '../site/oidc-settings.ts';
import type { Site } from '../site/site.ts';

/** The groups whose members a provider decides about, and those of them that a user is in by the provider's claim. */
interface Managed {
  all: readonly number[];
  wanted: ReadonlySet<number>;
  /** The number of configured groups that the library does not have exactly once. */
  unknown: number;
}

/**
 * Makes a user a member of the managed groups that the claim names, and of no other managed group. Memberships of all other groups
 * stay. Call it in a transaction.
 */
export async function setManagedGroups(
  site: Site,
  provider: Pick<OidcProvider, 'name' | 'managed_groups'>,
  userId: number,
  values: readonly string[],
): Promise<void> {
  const { store, log } = site;
  const { all, wanted, unknown } = await findManaged(site, provider, values);
  if (unknown > 0) log('managed groups of a provider are not there', { provider: provider.name, count: unknown });
  const present = new Set(
    (await store.all<{ group_id: number }>('SELECT group_id FROM group_users WHERE user_id = ?', userId)).map(
      ({ group_id }) => group_id,
    ),
  );
  const added = all.filter((id) => wanted.has(id) && !present.has(id));
  const removed = all.filter((id) => !wanted.has(id) && present.has(id));
  if (added.length === 0 && removed.length === 0) return;
  await addToGroups(store, [userId], added);
  await removeFromGroups(store, [userId], removed);
  const nowOn = Math.floor(site.now() / 1000);
  const changed = [...added, ...removed];
  for (const id of changed) await store.run('UPDATE groups SET modified_on = ? WHERE id = ?', nowOn, id);
  await store.afterCommit(() => {
    for (const id of changed) site.journal.effect(site.now(), { name: 'group-updated', group_id: id });
    log('a provider changed the groups of a user', {
      provider: provider.name,
      user_id: userId,
      added: added.join(' '),
      removed: removed.join(' '),
    });
  });
}

async function findManaged(
  { store }: Pick<Site, 'store'>,
  { managed_groups }: Pick<OidcProvider, 'managed_groups'>,
  values: readonly string[],
): Promise<Managed> {
  const named = new Set(values);
  const all = new Set<number>();
  const wanted = new Set<number>();
  let unknown = 0;
  for (const [value, group] of Object.entries(managed_groups)) {
    const column = typeof group === 'number' ? 'id' : 'display_name';
    const rows = await store.all<{ id: number }>(
      `SELECT id FROM groups WHERE ${column} = ? AND built_in IS NULL LIMIT 2`,
      group,
    );
    const [row] = rows;
    if (row === undefined || rows.length > 1) {
      unknown += 1;
      continue;
    }
    all.add(row.id);
    if (named.has(value)) wanted.add(row.id);
  }
  return { all: [...all], wanted, unknown };
}
