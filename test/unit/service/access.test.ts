import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AccessRegister, createAccessRegister } from '../../../service/access/access.ts';
import { openStore } from '../../../service/database/database.ts';
import type { Store } from '../../../service/database/store.ts';

const VIEWER = { userId: 1, isAdmin: false };

let folder: string;
let store: Store;
let access: AccessRegister;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-access-'));
  store = await openStore(join(folder, 'library.sqlite'));
  access = createAccessRegister(store);
  for (const [id, parent] of [
    [1, null],
    [2, 1],
    [3, 2],
  ] as const) {
    await store.run(
      `INSERT INTO collections (id, parent_id, slug, display_name, description, description_plain, inherit_memberships,
         is_podcast, autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
       VALUES (?, ?, ?, '', '', '', 1, 0, 0, 0, 0, 0)`,
      id,
      parent,
      `c${id}`,
    );
  }
  for (const id of [1, 2]) {
    await store.run(
      `INSERT INTO users (id, email_address, first_name, last_name, unique_id, is_admin, created_on, modified_on)
       VALUES (?, ?, '', '', ?, 0, 0, 0)`,
      id,
      `u${id}`,
      `u${id}`,
    );
  }
  await store.run(
    `INSERT INTO groups (id, display_name, built_in, created_on, modified_on) VALUES (1, 'Public', 'public', 0, 0)`,
  );
  await store.run(`INSERT INTO groups (id, display_name, created_on, modified_on) VALUES (2, 'Class', 0, 0)`);
  for (const [id, permissions] of [
    [1, '["collection-read"]'],
    [2, '["collection-read","media-read"]'],
  ] as const) {
    await store.run(
      `INSERT INTO roles (id, display_name, permissions, deletable, lti, created_on, modified_on) VALUES (?, '', ?, 1, 0, 0, 0)`,
      id,
      permissions,
    );
  }
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function grant(who: { user?: number; group?: number }, collection: number, role = 1): Promise<number> {
  return store.insert(
    'INSERT INTO memberships (user_id, group_id, collection_id, role_id, created_on, modified_on) VALUES (?, ?, ?, ?, 0, 0) RETURNING id',
    who.user ?? null,
    who.group ?? null,
    collection,
    role,
  );
}

/** Returns the collections that the caller may read, tested one by one, and checks that the condition for queries agrees. */
async function readable(caller = VIEWER): Promise<number[]> {
  const own = await access.of(caller);
  const one = [1, 2, 3].filter((id) => own.may('collection-read', id));
  const condition = own.condition('collection-read')?.('c.id') ?? { sql: 'TRUE', params: [] };
  const found = await store.all<{ id: number }>(
    `SELECT id FROM collections c WHERE ${condition.sql} ORDER BY id`,
    ...condition.params,
  );
  expect(found.map(({ id }) => id)).toEqual(one);
  return one;
}

test('a membership applies immediately when it is created, moved, changed or deleted', async () => {
  expect(await readable()).toEqual([]);
  const id = await grant({ user: 1 }, 2);
  expect(await readable()).toEqual([2, 3]);
  await store.run('UPDATE memberships SET collection_id = 3 WHERE id = ?', id);
  expect(await readable()).toEqual([3]);
  expect((await access.of(VIEWER)).may('media-read', 3)).toBe(false);
  await store.run('UPDATE memberships SET role_id = 2 WHERE id = ?', id);
  expect((await access.of(VIEWER)).may('media-read', 3)).toBe(true);
  await store.run('DELETE FROM memberships WHERE id = ?', id);
  expect(await readable()).toEqual([]);
});

test('a role applies immediately when it is changed or deleted, also to its memberships', async () => {
  await grant({ user: 1 }, 1);
  expect(await readable()).toEqual([1, 2, 3]);
  await store.run(`UPDATE roles SET permissions = '[]' WHERE id = 1`);
  expect(await readable()).toEqual([]);
  await store.run(`UPDATE roles SET permissions = '["collection-read"]' WHERE id = 1`);
  expect(await readable()).toEqual([1, 2, 3]);
  await store.run('DELETE FROM roles WHERE id = 1');
  expect(await readable()).toEqual([]);
});

test('a group applies immediately when a user joins or leaves it, and when it is deleted', async () => {
  await grant({ group: 2 }, 2);
  expect(await readable()).toEqual([]);
  await store.run('INSERT INTO group_users (group_id, user_id) VALUES (2, 1)');
  expect(await readable()).toEqual([2, 3]);
  await store.run('DELETE FROM group_users');
  expect(await readable()).toEqual([]);
  await store.run('INSERT INTO group_users (group_id, user_id) VALUES (2, 1)');
  expect(await readable()).toEqual([2, 3]);
  await store.run('DELETE FROM groups WHERE id = 2');
  expect(await readable()).toEqual([]);
});

test('rights of the public group apply to everyone immediately', async () => {
  expect((await access.ofPublic()).may('collection-read', 2)).toBe(false);
  await grant({ group: 1 }, 2);
  expect((await access.ofPublic()).may('collection-read', 2)).toBe(true);
  expect(await readable()).toEqual([2, 3]);
});

test('a change of the tree applies immediately: a move out of a collection and back, and an end of inheritance', async () => {
  await grant({ user: 1 }, 2);
  expect(await readable()).toEqual([2, 3]);
  await store.run('UPDATE collections SET parent_id = 1 WHERE id = 3');
  expect(await readable()).toEqual([2]);
  await store.run('UPDATE collections SET parent_id = 2 WHERE id = 3');
  expect(await readable()).toEqual([2, 3]);
  await store.run('UPDATE collections SET inherit_memberships = 0 WHERE id = 3');
  expect(await readable()).toEqual([2]);
});

test('a rolled-back change has no effect, although access was computed during it', async () => {
  expect(await readable()).toEqual([]);
  const taken = () =>
    store.transaction(async () => {
      await grant({ user: 1 }, 2);
      expect(await readable()).toEqual([2, 3]);
      throw new Error('taken back');
    });
  await expect(taken()).rejects.toThrow('taken back');
  expect(await readable()).toEqual([]);
  await grant({ user: 1 }, 3);
  expect(await readable()).toEqual([3]);
});

test('the cache is kept when a change does not affect access', async () => {
  await grant({ user: 1 }, 2);
  const before = await access.of(VIEWER);
  await store.run(`UPDATE collections SET display_name = 'Other' WHERE id = 2`);
  await store.run(`UPDATE roles SET display_name = 'Other' WHERE id = 1`);
  await store.run(`UPDATE users SET last_login_on = 5 WHERE id = 1`);
  expect(await access.of(VIEWER)).toBe(before);
});

test('users with the same grants share a cache entry, and separate when one changes', async () => {
  await grant({ user: 1 }, 2);
  await grant({ user: 2 }, 2);
  expect(await access.of({ userId: 2, isAdmin: false })).toBe(await access.of(VIEWER));
  await grant({ user: 2 }, 1, 2);
  expect(await readable({ userId: 2, isAdmin: false })).toEqual([1, 2, 3]);
  expect(await readable()).toEqual([2, 3]);
});

test('each user gets the right access when there are more users than cache entries, in any order', async () => {
  const people = Array.from({ length: 260 }, (_, index) => 100 + index);
  await store.transaction(async () => {
    for (const id of people) {
      await store.run(
        `INSERT INTO users (id, email_address, first_name, last_name, unique_id, is_admin, created_on, modified_on)
       VALUES (?, ?, '', '', ?, 0, 0, 0)`,
        id,
        `u${id}`,
        `u${id}`,
      );
      await store.run(
        `INSERT INTO roles (id, display_name, permissions, deletable, lti, created_on, modified_on)
       VALUES (?, '', '["collection-read"]', 1, 0, 0, 0)`,
        id,
      );
      await grant({ user: id }, 1 + (id % 3), id);
    }
  });
  for (const id of [...people, ...people.toReversed()]) {
    const expected = [1, 2, 3].slice(id % 3);
    expect(await readable({ userId: id, isAdmin: false })).toEqual(expected);
  }
});
