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
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-links-'));
  store = openStore(join(folder, 'library.sqlite'));
  now = 1_800_000_000_000;
  for (const [id, email] of [
    [1, USER.email_address],
    [2, 'bob@uni.example'],
  ] as const) {
    store.run(
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

test('a link is dead while its user has another e-mail address than when it was made', () => {
  const token = issueLink(site, USER, 'reset');
  changeAddress('amy.archer@uni.example');
  expect(findLink(site, token)).toBe(undefined);
  expect(redeemLink(site, token, 'hash')).toBe(undefined);
  changeAddress(USER.email_address);
  expect(findLink(site, token)?.user_id).toBe(1);
});

test('a link ends at the end of its last hour', () => {
  const token = issueLink(site, USER, 'reset');
  now += LINK_HOURS * HOUR_MS - 1;
  expect(findLink(site, token)?.purpose).toBe('reset');
  now += 1;
  expect(findLink(site, token)).toBe(undefined);
  expect(redeemLink(site, token, 'hash')).toBe(undefined);
});

test('a used link sets the password of its own user only, and ends all links of this user and none of others', () => {
  const others = issueLink(site, { id: 2, email_address: 'bob@uni.example' }, 'invitation');
  const [first, second] = [issueLink(site, USER, 'reset'), issueLink(site, USER, 'reset', { keepsOthers: true })];
  expect(redeemLink(site, second, 'hash')?.user_id).toBe(1);
  expect([findLink(site, first), findLink(site, second)]).toEqual([undefined, undefined]);
  expect(findLink(site, others)?.user_id).toBe(2);
  expect(store.all('SELECT password_hash FROM users ORDER BY id')).toEqual([
    { password_hash: 'hash' },
    { password_hash: null },
  ]);
});

test('the database has no token', () => {
  const token = issueLink(site, USER, 'reset');
  expect(JSON.stringify(store.all('SELECT * FROM account_links'))).not.toContain(token);
});

test('expired links are deleted, invitations 30 days later', () => {
  issueLink(site, USER, 'reset');
  issueLink(site, { id: 2, email_address: 'bob@uni.example' }, 'invitation');
  const left = () => store.all<{ purpose: string }>('SELECT purpose FROM account_links').map(({ purpose }) => purpose);
  now += LINK_HOURS * HOUR_MS;
  deleteExpiredLinks(site);
  expect(left()).toEqual(['invitation']);
  now += 30 * 24 * HOUR_MS;
  deleteExpiredLinks(site);
  expect(left()).toEqual([]);
});
