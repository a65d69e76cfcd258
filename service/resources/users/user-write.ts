import { z } from 'zod';
import { whereAll } from '../../database/condition.ts';
import type { Bindable, Store } from '../../database/store.ts';
import { type Call, removeBlobs } from '../../site/site.ts';
import { bodyOf, line, optionalLine } from '../../wire/body.ts';
import { conflict } from '../../wire/problem.ts';
import { parseId, type Query } from '../../wire/query.ts';
import { addToGroups, removeFromGroups, setGroups } from '../groups/group-users.ts';
import { idArray, knownIds } from '../known-ids.ts';
import { deletionConditions } from './user-filter.ts';
import { findUser, type UserRow, userOf } from './user-row.ts';

const MAX_PASSWORD = 1000;

/** The schema of the e-mail address of an account. */
export const emailAddress = line(254).refine((text) => /^[^\s@]+@[^\s@]+$/.test(text), 'must be an e-mail address');
const uniqueId = line(300);
const creation = z.object({
  is_admin: z.boolean(),
  email_address: emailAddress,
  first_name: line(255),
  last_name: line(255),
  password: optionalLine(MAX_PASSWORD).min(1, 'must not be empty').nullish(),
  unique_id: uniqueId.nullish(),
});
const update = z.object({
  is_admin: z.boolean().nullish(),
  unique_id: uniqueId.nullish(),
  group_ids: idArray.nullish(),
});
const groupIds = z.object({ group_ids: idArray });

/** The bodies of the requests about users. */
export const USER_BODIES = { creation, update, groupIds };

/** Creates a user. Without a password, only a sign-on integration could let the user sign in. */
export async function createUser(call: Call, body: unknown): Promise<UserRow> {
  const input = bodyOf(creation, body);
  const hash = input.password ? await call.site.passwords.hash(input.password) : null;
  return call.site.store.transaction(() => addUser(call, input, hash));
}

/**
 * Creates a user without a password, as a member of groups: within the transaction of the caller, who gives a way to set one. Throws 422
 * and 409 as `createUser`.
 */
export async function createInvited(call: Call, body: object, groupIds: readonly string[]): Promise<UserRow> {
  const groups = await knownIds(call.site.store, 'groups', 'group_ids', groupIds);
  const row = await addUser(call, bodyOf(creation, { ...body, password: null }), null);
  await call.site.store.run('UPDATE users SET is_invited = 1 WHERE id = ?', row.id);
  await setGroups(call.site.store, row.id, groups);
  return row;
}

async function addUser(call: Call, input: z.output<typeof creation>, hash: string | null): Promise<UserRow> {
  const { store } = call.site;
  const key = input.unique_id ?? `basic:${input.email_address}`;
  if (
    await store.get('SELECT 1 FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE', input.email_address)
  ) {
    throw conflict('The e-mail address is already in use.');
  }
  await refuseTakenKey(store, key, -1);
  const id = await store.insert(
    `INSERT INTO users (email_address, first_name, last_name, unique_id, is_admin, password_hash, created_on, modified_on)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    input.email_address,
    input.first_name.trim(),
    input.last_name.trim(),
    key,
    Number(input.is_admin),
    hash,
    call.nowOn,
    call.nowOn,
  );
  call.effect({ name: 'user-created', user_id: id });
  return (await findUser(store, id)) as UserRow;
}

/** Saves the given fields; `group_ids` replaces the user's groups. */
export async function updateUser(call: Call, idText: string, body: unknown): Promise<UserRow> {
  const row = await userOf(call, idText);
  const input = bodyOf(update, body);
  const { store } = call.site;
  const groups = input.group_ids ? await knownIds(store, 'groups', 'group_ids', input.group_ids) : undefined;
  const set: Record<string, Bindable> = {};
  if (typeof input.is_admin === 'boolean') {
    if (!input.is_admin && (await isLastAdmin(store, row))) throw conflict('The last administrator must stay one.');
    set.is_admin = Number(input.is_admin);
  }
  if (input.unique_id) {
    await refuseTakenKey(store, input.unique_id, row.id);
    set.unique_id = input.unique_id;
  }
  await store.transaction(async () => {
    await saveUser(call, row.id, set);
    if (groups) await setGroups(store, row.id, groups);
  });
  call.effect({ name: 'user-updated', user_id: row.id });
  return (await findUser(store, row.id)) ?? row;
}

/** Adds the user to groups, or removes the user from groups; other groups stay. */
export async function changeUserGroups(
  call: Call,
  idText: string,
  body: unknown,
  change: 'add' | 'remove',
): Promise<UserRow> {
  const row = await userOf(call, idText);
  const { group_ids } = bodyOf(groupIds, body);
  const { store } = call.site;
  await store.transaction(async () => {
    if (change === 'add') await addToGroups(store, [row.id], await knownIds(store, 'groups', 'group_ids', group_ids));
    else await removeFromGroups(store, [row.id], group_ids.map(parseId));
    await saveUser(call, row.id, {});
  });
  call.effect({ name: 'user-updated', user_id: row.id });
  return (await findUser(store, row.id)) ?? row;
}

/** Deletes a user; does nothing when it does not exist. The last administrator cannot be deleted. */
export async function deleteUser(call: Call, idText: string): Promise<void> {
  const id = parseId(idText);
  const row = id === undefined ? undefined : await findUser(call.site.store, id);
  if (!row) return;
  if (await isLastAdmin(call.site.store, row)) throw conflict('The last administrator cannot be deleted.');
  await deleteRows(call, [row.id]);
}

/** Deletes every user that matches the filters, except the caller. */
export async function deleteUsers(call: Call, query: Query): Promise<void> {
  const { store } = call.site;
  const others = { sql: 'u.id <> ?', params: [call.caller.userId] };
  const { sql, params } = whereAll([...(await deletionConditions(store, query)), others]);
  const rows = await store.all<{ id: number }>(`SELECT u.id FROM users u ${sql}`, ...params);
  await deleteRows(
    call,
    rows.map(({ id }) => id),
  );
}

/** Deletes users with their memberships, sessions and tokens. Objects that they created stay. */
async function deleteRows(call: Call, ids: readonly number[]): Promise<void> {
  const { store } = call.site;
  const list = JSON.stringify(ids);
  const ofThem = `resource = 'users' AND resource_id IN (SELECT value FROM json_each(?))`;
  const thumbs = await store.transaction(async () => {
    const held = await store.all<{ stored_name: string }>(`SELECT stored_name FROM thumbs WHERE ${ofThem}`, list);
    await store.run(`DELETE FROM thumbs WHERE ${ofThem}`, list);
    // Their next sign-in with a provider must not create them again.
    await store.run(
      `INSERT INTO deleted_identities (unique_id, deleted_on)
       SELECT unique_id, ? FROM users WHERE id IN (SELECT value FROM json_each(?)) AND substr(unique_id, 1, 5) = 'oidc:'
       ON CONFLICT (unique_id) DO UPDATE SET deleted_on = excluded.deleted_on`,
      call.nowOn,
      list,
    );
    await store.run('DELETE FROM users WHERE id IN (SELECT value FROM json_each(?))', list);
    return held;
  });
  for (const id of ids) call.effect({ name: 'user-deleted', user_id: id });
  await removeBlobs(
    call.site,
    thumbs.map(({ stored_name }) => stored_name),
  );
}

async function saveUser(call: Call, id: number, set: Readonly<Record<string, Bindable>>): Promise<void> {
  const names = [...Object.keys(set), 'modified_on'];
  await call.site.store.run(
    `UPDATE users SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ...Object.values(set),
    call.nowOn,
    id,
  );
}

async function refuseTakenKey(store: Store, key: string, except: number): Promise<void> {
  const taken = (await store.get('SELECT 1 FROM users WHERE unique_id = ? AND id <> ?', key, except)) !== undefined;
  if (taken) throw conflict('The unique_id is already in use.');
}

async function isLastAdmin(store: Store, row: UserRow): Promise<boolean> {
  return (
    row.is_admin === 1 &&
    !(await store.get('SELECT 1 FROM users WHERE is_admin = 1 AND deactivated_on IS NULL AND id <> ?', row.id))
  );
}
