import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteExpiredLinks, findLink, issueLink, LINK_HOURS, redeemLink } from '../../../service/accounts/links.ts';
import { openStore } from '../../../service/database/database.ts';
import type { Store } from '../../../service/database/store.ts';

const USER = { id: 1, email_address: 'amy@uni.example' };
const HOUR_MS = 3_600_000;

let folder: string;
let store: Store;
let now = 0;
const site = {
  get store() {
    return store;
  },
  now: () => now,
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'account-links-'));
  store = await openStore(join(folder, 'library.sqlite'));
  now = 1_800_000_000_000;
  for (const [id, email] of [
    [1, USER.email_address],
    [2, 'bob@uni.example'],
  ] as const) {
    await store.run(
      `INSERT INTO users (id, email_address, first_name, last_name, unique_id, is_admin, created_on, modified_on)
       VALUES (?, ?, 'A', 'B', ?, 0, 0, 0)`,
      id,
      email,
      `basic:${email}`,
    );
  }
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const changeAddress = (email: string) => store.run('UPDATE users SET email_address = ? WHERE id = 1', email);

test('a link is dead while its user has another e-mail address than when it was made', async () => {
  const token = await issueLink(site, USER, 'reset');
  await changeAddress('amy.archer@uni.example');
  expect(await findLink(site, token)).toBe(undefined);
  expect(await redeemLink(site, token, 'hash')).toBe(undefined);
  await changeAddress(USER.email_address);
  expect((await findLink(site, token))?.user_id).toBe(1);
});

test('a link ends at the end of its last hour', async () => {
  const token = await issueLink(site, USER, 'reset');
  now += LINK_HOURS * HOUR_MS - 1;
  expect((await findLink(site, token))?.purpose).toBe('reset');
  now += 1;
  expect(await findLink(site, token)).toBe(undefined);
  expect(await redeemLink(site, token, 'hash')).toBe(undefined);
});

test('a used link sets the password of its own user only, and ends all links of this user and none of others', async () => {
  const others = await issueLink(site, { id: 2, email_address: 'bob@uni.example' }, 'invitation');
  const [first, second] = [
    await issueLink(site, USER, 'reset'),
    await issueLink(site, USER, 'reset', { keepsOthers: true }),
  ];
  expect((await redeemLink(site, second, 'hash'))?.user_id).toBe(1);
  expect([await findLink(site, first), await findLink(site, second)]).toEqual([undefined, undefined]);
  expect((await findLink(site, others))?.user_id).toBe(2);
  expect(await store.all('SELECT password_hash FROM users ORDER BY id')).toEqual([
    { password_hash: 'hash' },
    { password_hash: null },
  ]);
});

test('the database has no token', async () => {
  const token = await issueLink(site, USER, 'reset');
  expect(JSON.stringify(await store.all('SELECT * FROM account_links'))).not.toContain(token);
});

test('expired links are deleted, invitations 30 days later', async () => {
  await issueLink(site, USER, 'reset');
  await issueLink(site, { id: 2, email_address: 'bob@uni.example' }, 'invitation');
  const left = async () =>
    (await store.all<{ purpose: string }>('SELECT purpose FROM account_links')).map(({ purpose }) => purpose);
  now += LINK_HOURS * HOUR_MS;
  await deleteExpiredLinks(site);
  expect(await left()).toEqual(['invitation']);
  now += 30 * 24 * HOUR_MS;
  await deleteExpiredLinks(site);
  expect(await left()).toEqual([]);
});
