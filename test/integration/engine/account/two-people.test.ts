import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findRecord } from '../../../../electron/engine/account/find-record.ts';
import type { SiteRecord } from '../../../../electron/engine/account/site-records.ts';
import { countMedia } from '../../../../electron/engine/api/media.ts';
import type { BrowserOpener } from '../../../../electron/engine/ports/browser-opener.ts';
import { flakyKeychain } from '../../../helpers/engine/flaky-keychain.ts';
import { recordsInMemory, someRecord } from '../../../helpers/engine/site-records-in-memory.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { accountsInTest } from './accounts-in-test.ts';
import { person } from './person.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.control('DELETE', '/faults'));

const input = () => ({ baseUrl: service.baseUrl, clientId: service.clientId, browser: 'embedded' as const });

/** Accounts of a computer that several users share. */
function shared(over: Parameters<typeof accountsInTest>[1] = {}) {
  let sitting = 'admin';
  const opener: BrowserOpener = {
    open: (url, events, network) =>
      person(service.admin, { email: `${sitting}@library.example` }).open(url, events, network),
  };
  const world = accountsInTest(opener, over);
  return {
    ...world,
    signIn(who: string) {
      sitting = who;
      return world.accounts.signIn(input());
    },
  };
}

describe('two users of one library', () => {
  it('are two accounts with separate keychain entries', async () => {
    const keychain = flakyKeychain();
    const { accounts, signIn } = shared({ keychain });
    const one = await signIn('admin');
    const two = await signIn('editor');
    expect(two.id).not.toBe(one.id);
    expect(two.userId).not.toBe(one.userId);
    expect(accounts.list().map(({ id, state }) => ({ id, state }))).toEqual([
      { id: one.id, state: 'signed-in' },
      { id: two.id, state: 'signed-in' },
    ]);
    expect([...keychain.entries.keys()].sort()).toEqual([`${one.id}/a`, `${two.id}/a`].sort());
  });

  it('keep their ids when they sign in again', async () => {
    const { accounts, signIn } = shared();
    const one = await signIn('admin');
    const two = await signIn('editor');
    await accounts.signOut(one.id);
    await accounts.signOut(two.id);
    expect((await signIn('editor')).id).toBe(two.id);
    expect((await signIn('admin')).id).toBe(one.id);
    expect(accounts.list()).toHaveLength(2);
  });

  it('do not end each other’s sign-in when one signs out', async () => {
    const { accounts, signIn } = shared();
    const one = await signIn('admin');
    const two = await signIn('editor');
    await accounts.signOut(one.id);
    expect(await countMedia(accounts.clientFor(two.id), {})).toBe(0);
    await expect(countMedia(accounts.clientFor(one.id), {})).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(accounts.list().map(({ state }) => state)).toEqual(['signed-out', 'signed-in']);
  });

  it('do not end each other’s sign-in when one authorization is revoked', async () => {
    const { accounts, signIn } = shared();
    const one = await signIn('admin');
    const two = await signIn('editor');
    await service.control('PATCH', '/settings', { clock_offset_ms: 2 * 3600_000 });
    await service.control('POST', '/faults', { path: '/oauth/access_token', action: { kind: 'status', status: 400 } });
    await expect(countMedia(accounts.clientFor(one.id), {})).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(await countMedia(accounts.clientFor(two.id), {})).toBe(0);
    expect(accounts.list().map(({ state }) => state)).toEqual(['needs-sign-in', 'signed-in']);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  it('are distinguished in every dialect', async () => {
    for (const dialect of ['reference', 'lean', 'strict']) {
      await service.control('PATCH', '/settings', { dialect });
      const { accounts, signIn } = shared();
      const ids = [await signIn('admin'), await signIn('viewer'), await signIn('admin')].map(({ id }) => id);
      expect({ dialect, same: ids[0] === ids[2], others: ids[0] !== ids[1], count: accounts.list().length }).toEqual({
        dialect,
        same: true,
        others: true,
        count: 2,
      });
    }
    await service.control('PATCH', '/settings', { dialect: 'reference' });
  });
});

describe('a sign-in for which the library does not report the user', () => {
  const silent = () =>
    service.control('POST', '/faults', {
      method: 'GET',
      path: '^/api2/oauth/tokeninfo$',
      nth: 2,
      times: null,
      action: { kind: 'status', status: 500 },
    });

  it('does not become the account of a known user', async () => {
    const { accounts, signIn } = shared();
    const one = await signIn('admin');
    await silent();
    await expect(signIn('editor')).rejects.toMatchObject({ code: 'api.server-error' });
    expect(accounts.list()).toEqual([one]);
    expect(await countMedia(accounts.clientFor(one.id), {})).toBe(0);
  });

  it('is accepted at a new library, and its user is determined at the next sign-in', async () => {
    const { accounts, signIn } = shared();
    await silent();
    const first = await signIn('admin');
    expect(first).toMatchObject({ state: 'signed-in', userId: null });
    await service.control('DELETE', '/faults');
    const other = await signIn('editor');
    expect(other.id).not.toBe(first.id);
    expect(accounts.list()[0]).toMatchObject({ id: first.id, userId: expect.any(String) });
    expect((await signIn('admin')).id).toBe(first.id);
  });
});

describe('a record of the first version, which has no user', () => {
  /** The account of the administrator as the first version stored it, with a valid sign-in. */
  async function earlier(change: Partial<SiteRecord> = {}) {
    const keychain = flakyKeychain();
    const before = shared({ keychain });
    const { id } = await before.signIn('admin');
    const { userId: _, ...record } = before.records.get(id) as SiteRecord;
    await before.accounts.stop();
    const records = recordsInMemory([{ userId: null, ...record, ...change }]);
    return { id, ...shared({ records, keychain }) };
  }

  it('stays the account of its user, without a new sign-in', async () => {
    const { id, accounts, signIn } = await earlier();
    await accounts.start();
    expect(await countMedia(accounts.clientFor(id), {})).toBe(0);
    expect((await signIn('admin')).id).toBe(id);
    expect(accounts.list()).toHaveLength(1);
  });

  it('does not become the account of another user', async () => {
    const { id, accounts, signIn } = await earlier();
    expect((await signIn('editor')).id).not.toBe(id);
    expect(await countMedia(accounts.clientFor(id), {})).toBe(0);
    expect((await signIn('admin')).id).toBe(id);
  });

  const unknown = { ...someRecord, userId: null };
  it.each([
    ['the next account when the name of its own account is unknown', { accountName: null }, '8', 'Bob', true],
    ['an account with the same name', { accountName: 'Bob' }, '8', 'Bob', true],
    ['no account with another name', { accountName: 'Ada' }, '8', 'Bob', false],
    ['the next account when the library never reports a name', { accountName: null }, null, null, true],
  ])('belongs, after its sign-in is lost, to %s', (_, change, userId, name, isFound) => {
    const record = { ...unknown, ...change };
    expect(findRecord([record], record.baseUrl, { userId, name }) === record).toBe(isFound);
    expect(findRecord([record], 'https://elsewhere.example.org', { userId, name })).toBeUndefined();
  });
});
