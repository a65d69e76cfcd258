import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCollectionTree } from '../../../../electron/engine/api/collections.ts';
import { countMedia } from '../../../../electron/engine/api/media.ts';
import type { AppError } from '../../../../shared/contract/app-error.ts';
import { flakyKeychain } from '../../../helpers/engine/flaky-keychain.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { accountsInTest } from './accounts-in-test.ts';
import { person } from './person.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.control('DELETE', '/faults');
  await service.control('PATCH', '/settings', { clock_offset_ms: 0, dialect: 'reference' });
});

const HOUR_MS = 3600_000;

async function signedIn(over: Parameters<typeof accountsInTest>[1] = {}) {
  const world = accountsInTest(person(service.admin), over);
  const site = await world.accounts.signIn({
    baseUrl: service.baseUrl,
    clientId: service.clientId,
    browser: 'embedded',
  });
  await clearJournal(service);
  return { ...world, site, client: world.accounts.clientFor(site.id) };
}

const requests = async (path: string) => (await journalOf(service)).filter((entry) => entry.path === path);

/** Makes the access tokens of the service expire without telling the client. */
const endTokens = (afterMs = 2 * HOUR_MS) => service.control('PATCH', '/settings', { clock_offset_ms: afterMs });

describe('an expired access token', () => {
  it.each(['reference', 'lean', 'strict'])('is refreshed exactly once for 8 concurrent calls (%s)', async (dialect) => {
    await service.control('PATCH', '/settings', { dialect });
    const { client, accounts } = await signedIn();
    await endTokens();
    const counts = await Promise.all(Array.from({ length: 8 }, () => countMedia(client, {})));
    expect(counts).toEqual(Array.from({ length: 8 }, () => 0));
    expect(await requests('/api2/oauth/access_token')).toHaveLength(1);
    const answers = (await requests('/api2/media/count')).map(({ status }) => status).sort();
    expect(answers).toEqual([...Array(8).fill(200), ...Array(8).fill(401)]);
    expect(accounts.list()[0]?.state).toBe('signed-in');
  });
});

describe('a refresh whose reply was lost', () => {
  it('requires one sign-in, after which everything continues under the same site', async () => {
    const { client, accounts, site } = await signedIn();
    await endTokens();
    await service.control('POST', '/faults', { path: '/oauth/access_token', action: { kind: 'lose-reply' } });
    await expect(countMedia(client, {})).rejects.toMatchObject({ code: 'network.unreachable' });
    expect(accounts.list()[0]?.state).toBe('signed-in');
    // The service treats the reuse of a refresh token as theft.
    await expect(countMedia(client, {})).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(accounts.list()[0]?.state).toBe('needs-sign-in');
    const { id } = await accounts.signIn({ baseUrl: site.baseUrl, clientId: site.clientId, browser: 'embedded' });
    expect(id).toBe(site.id);
    expect(await countMedia(client, {})).toBe(0);
  });
});

describe('an unreachable service', () => {
  it('needs no new sign-in, and is shown as unreachable until it answers', async () => {
    const { client, accounts } = await signedIn();
    await service.kill9();
    await expect(countMedia(client, {})).rejects.toMatchObject({ code: 'network.unreachable' });
    expect(accounts.list()[0]).toMatchObject({ state: 'signed-in', reachable: false });
    const isBack = new Promise<void>((resolve) => {
      accounts.onDidChangeSites(([first]) => {
        if (first?.reachable === true) resolve();
      });
    });
    await service.restart();
    expect(await countMedia(client, {})).toBe(0);
    await isBack;
  });
});

describe('an account after a restart', () => {
  it('is signed in without an action of the user', async () => {
    const { records, keychain, site, accounts } = await signedIn();
    await accounts.stop();
    const next = accountsInTest(person(service.admin), { records, keychain });
    await next.accounts.start();
    expect(next.accounts.list()).toEqual([site]);
    expect((await getCollectionTree(next.accounts.clientFor(site.id)))[0]?.display_name).toBe('Library');
  });

  it('is still signed in after several further restarts', async () => {
    const { records, keychain, site, accounts } = await signedIn();
    await accounts.stop();
    for (let i = 0; i < 5; i++) {
      const next = accountsInTest(person(service.admin), { records, keychain }).accounts;
      await next.start();
      expect(await countMedia(next.clientFor(site.id), {})).toBe(0);
      await next.stop();
    }
  });

  it('is reported as needing a sign-in when its keychain entries are missing', async () => {
    const { records, site } = await signedIn();
    const next = accountsInTest(person(service.admin), { records }).accounts;
    await next.start();
    expect(next.list()).toMatchObject([{ id: site.id, state: 'needs-sign-in' }]);
  });
});

describe('signing out', () => {
  it('deletes both keychain entries and the tokens in memory, and keeps the site', async () => {
    const keychain = flakyKeychain();
    const { accounts, client, site } = await signedIn({ keychain });
    await endTokens();
    await countMedia(client, {});
    expect(keychain.entries.size).toBe(2);
    await accounts.signOut(site.id);
    expect(keychain.entries.size).toBe(0);
    expect(accounts.list()).toMatchObject([{ id: site.id, state: 'signed-out', accountName: site.accountName }]);
    await clearJournal(service);
    await expect(countMedia(client, {})).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(await requests('/api2/media/count')).toEqual([]);
  });

  it('reports an unknown site', async () => {
    const { accounts } = await signedIn();
    await expect(accounts.signOut('nothing')).rejects.toMatchObject({ code: 'site.unknown' });
    expect(() => accounts.clientFor('nothing')).toThrowError(expect.objectContaining({ code: 'site.unknown' }));
  });
});

describe('secrets of a complete session', () => {
  it('appear in no record, site, event, log line or error', async () => {
    const keychain = flakyKeychain();
    const { accounts, client, logger, records, site } = await signedIn({ keychain });
    const events: unknown[] = [];
    accounts.onDidChangeSites((sites) => events.push(sites));
    const tokens = new Set([...keychain.entries.values()].map((text) => text.replace(/^\d+\./, '')));
    const errors: AppError[] = [];
    const keep = (error: AppError) => void errors.push(error);
    await endTokens();
    await countMedia(client, {});
    for (const text of keychain.entries.values()) tokens.add(text.replace(/^\d+\./, ''));
    await service.control('POST', '/faults', { path: '/oauth/access_token', action: { kind: 'status', status: 502 } });
    await endTokens(4 * HOUR_MS);
    await countMedia(client, {}).catch(keep);
    await service.control('POST', '/faults', { path: '/oauth/access_token', action: { kind: 'lose-reply' } });
    await countMedia(client, {}).catch(keep);
    await countMedia(client, {}).catch(keep);
    await accounts.signOut(site.id);
    expect(errors).toHaveLength(3);
    expect(tokens.size).toBe(2);
    const text = [logger.text(), inspect([errors, events, records.list(), accounts.list()], { depth: 20 })].join();
    for (const token of tokens) expect(text).not.toContain(token);
  });
});
