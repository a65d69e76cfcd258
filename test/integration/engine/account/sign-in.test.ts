import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SIGN_IN_TIMEOUT_MS } from '../../../../electron/engine/account/native-flow.ts';
import { flakyKeychain } from '../../../helpers/engine/flaky-keychain.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';
import { accountsInTest } from './accounts-in-test.ts';
import { person, someoneWho } from './person.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.control('DELETE', '/faults'));

const input = () => ({ baseUrl: service.baseUrl, clientId: service.clientId, browser: 'embedded' as const });
const redirectOf = (url: string) => new URL(url).searchParams.get('redirect_uri') ?? '';
const stateOf = (url: string) => new URL(url).searchParams.get('state') ?? '';

describe('signing in', () => {
  it('completes with the name of the account', async () => {
    const someone = person(service.admin);
    const { accounts, keychain } = accountsInTest(someone);
    const site = await accounts.signIn(input());
    expect(site).toMatchObject({
      baseUrl: service.baseUrl,
      clientId: service.clientId,
      displayName: new URL(service.baseUrl).host,
      accountName: expect.stringMatching(/^(Ada Admin|Unnamed account 1)$/),
      state: 'signed-in',
      keptIn: 'memory',
      reachable: true,
    });
    expect(accounts.list()).toEqual([site]);
    expect(await keychain.get(`${site.id}/a`)).toMatch(/^1\../);
    expect(await someone.lastPage).toMatchObject({ status: 200, html: expect.stringContaining('signed in') });
    expect(someone.closed).toBe(1);
  });

  it('accepts the address as a user types it', async () => {
    const { accounts } = accountsInTest(person(service.admin));
    const site = await accounts.signIn({ ...input(), baseUrl: ` ${service.baseUrl.toUpperCase()}/ ` });
    expect(site.baseUrl).toBe(service.baseUrl);
  });

  it('shows the user number when the service does not permit reading users', async () => {
    const { accounts } = accountsInTest(person(service.admin, { email: 'producer@library.example' }));
    expect((await accounts.signIn(input())).accountName).toMatch(/^Unnamed account \d+$/);
  });

  it('reports each phase and the address to open', async () => {
    const someone = person(service.admin);
    const { accounts } = accountsInTest(someone);
    const phases: unknown[] = [];
    accounts.onDidChangeSignIn((phase) => phases.push(phase));
    await accounts.signIn(input());
    expect(phases).toEqual([
      { phase: 'checking', openUrl: null },
      { phase: 'waiting-for-browser', openUrl: someone.opened[0] },
      { phase: 'exchanging', openUrl: null },
      { phase: null, openUrl: null },
    ]);
  });

  it('sends a new random state and PKCE challenge each time, with a loopback port', async () => {
    const someone = person(service.admin);
    const { accounts } = accountsInTest(someone);
    await accounts.signIn(input());
    await accounts.signIn(input());
    const [one, two] = someone.opened.map((url) => new URL(url).searchParams);
    for (const query of [one, two]) {
      expect(query?.get('response_type')).toBe('code');
      expect(query?.get('code_challenge_method')).toBe('S256');
      expect(query?.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+\/$/);
      // 43 characters of base64url are 256 bits.
      expect(query?.get('state')).toMatch(/^[\w-]{43}$/);
      expect(query?.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    }
    expect(one?.get('state')).not.toBe(two?.get('state'));
    expect(one?.get('code_challenge')).not.toBe(two?.get('code_challenge'));
  });

  it('keeps the id of a site that is known, for its waiting uploads', async () => {
    const { accounts } = accountsInTest(person(service.admin));
    const first = await accounts.signIn(input());
    await accounts.signOut(first.id);
    expect((await accounts.signIn(input())).id).toBe(first.id);
    expect(accounts.list()).toHaveLength(1);
  });

  it('works with libraries of the dialects lean and strict', async () => {
    for (const dialect of ['lean', 'strict'] as const) {
      await service.control('PATCH', '/settings', { dialect });
      const { accounts } = accountsInTest(person(service.admin));
      expect(await accounts.signIn(input())).toMatchObject({ state: 'signed-in' });
    }
    await service.control('PATCH', '/settings', { dialect: 'reference' });
  });

  it('works while the library is in maintenance', async () => {
    await service.control('PATCH', '/settings', { read_only: true });
    const { accounts } = accountsInTest(person(service.admin));
    expect(await accounts.signIn(input())).toMatchObject({ state: 'signed-in' });
    await service.control('PATCH', '/settings', { read_only: false });
  });
});

describe('a failed sign-in reports the reason and leaves no site:', () => {
  async function failing(opener: Parameters<typeof accountsInTest>[0], changes: object = {}) {
    const { accounts } = accountsInTest(opener);
    const error = await accounts.signIn({ ...input(), ...changes }).catch((thrown: unknown) => thrown);
    expect(accounts.list()).toEqual([]);
    // The next sign-in can start.
    await expect(accounts.signIn({ ...input(), baseUrl: '' })).rejects.toMatchObject({ code: 'site.address-invalid' });
    return error as { code: string; details: Record<string, unknown> };
  }
  const noUser = someoneWho(() => {});

  it.each([
    ['no URL', 'not an address', 'site.address-invalid'],
    ['without encryption', 'http://media.example.org', 'site.address-insecure'],
    ['that of a host that does not exist', 'https://nowhere.invalid', 'site.unreachable'],
  ])('when the address is %s', async (_, baseUrl, code) => {
    expect(await failing(noUser, { baseUrl })).toMatchObject({ code });
  });

  it('when the address is that of a web site that is no library', async () => {
    const server = await startSmallServer((_, response) => response.end('<html>Hello</html>'));
    expect(await failing(noUser, { baseUrl: server.url })).toMatchObject({ code: 'site.not-a-library' });
  });

  it('when the user denies it', async () => {
    const someone = person(service.admin, { decision: 'deny' });
    expect(await failing(someone)).toMatchObject({ code: 'sign-in.denied', details: { error: 'access_denied' } });
    expect(await someone.lastPage).toMatchObject({ html: expect.stringContaining('not signed in') });
  });

  it('when the user closes the window, which also closes the port', async () => {
    let redirect = '';
    const opener = someoneWho((url, { onClosed }) => {
      redirect = redirectOf(url);
      onClosed();
    });
    expect(await failing(opener)).toMatchObject({ code: 'sign-in.window-closed' });
    await expect(fetch(redirect)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('when the state is wrong', async () => {
    const someone = person(service.admin, { tamper: (back) => back.searchParams.set('state', 'another') });
    expect(await failing(someone)).toMatchObject({ code: 'sign-in.state-mismatch' });
  });

  it('when the service refuses the code', async () => {
    const someone = person(service.admin, { tamper: (back) => back.searchParams.set('code', 'made-up') });
    expect(await failing(someone)).toMatchObject({
      code: 'sign-in.code-refused',
      details: { status: 400, oauthError: 'invalid_grant' },
    });
  });

  it('when the service reports another problem, with its text', async () => {
    const opener = someoneWho(async (url) => {
      const query = new URLSearchParams({
        error: 'invalid_scope',
        error_description: 'x'.repeat(900),
        state: stateOf(url),
      });
      await fetch(`${redirectOf(url)}?${query}`);
    });
    const error = await failing(opener);
    expect(error).toMatchObject({ code: 'sign-in.failed', details: { error: 'invalid_scope' } });
    expect(String(error.details.description)).toHaveLength(500);
  });

  it('when there is no browser', async () => {
    const opener = { open: () => Promise.reject(new Error('nothing there')) };
    expect(await failing(opener)).toMatchObject({ code: 'sign-in.failed' });
  });

  it('when the connection breaks while the code is exchanged', async () => {
    await service.control('POST', '/faults', {
      path: '/oauth/access_token',
      action: { kind: 'reset', afterBytes: 0 },
    });
    expect(await failing(person(service.admin))).toMatchObject({ code: 'network.unreachable' });
  });

  it('when the service returns no refresh token', async () => {
    const server = await startSmallServer(({ url }, response) => {
      if (url.endsWith('/access_token')) sendJson(response, 200, { access_token: 'a', expires_in: 60 });
      else sendJson(response, 401, { message: 'Bad credentials' });
    });
    const opener = someoneWho((url) => void fetch(`${redirectOf(url)}?code=c&state=${stateOf(url)}`));
    expect(await failing(opener, { baseUrl: server.url })).toMatchObject({ code: 'sign-in.failed' });
  });
});

describe('a slow sign-in', () => {
  it('times out after five minutes', async () => {
    const clock = new ManualClock();
    const { accounts } = accountsInTest(
      someoneWho(() => clock.advance(SIGN_IN_TIMEOUT_MS)),
      { clock },
    );
    await expect(accounts.signIn(input())).rejects.toMatchObject({ code: 'sign-in.timed-out' });
  });

  it('can be cancelled in each phase', async () => {
    for (const phase of ['checking', 'waiting-for-browser', 'exchanging']) {
      const { accounts } = accountsInTest(phase === 'exchanging' ? person(service.admin) : someoneWho(() => {}));
      accounts.onDidChangeSignIn((now) => {
        if (now.phase === phase) accounts.cancelSignIn();
      });
      await expect(accounts.signIn(input())).rejects.toMatchObject({ code: 'sign-in.cancelled' });
      expect(accounts.list()).toEqual([]);
    }
  });

  it('is the only one at a time, and closes its window when it is cancelled', async () => {
    let closed = 0;
    const opener = { open: async () => ({ close: () => void closed++ }) };
    const { accounts } = accountsInTest(opener);
    const waiting = new Promise<void>((resolve) => {
      accounts.onDidChangeSignIn(({ phase }) => {
        if (phase === 'waiting-for-browser') resolve();
      });
    });
    const first = accounts.signIn(input());
    const outcome = first.catch((error: unknown) => error);
    await waiting;
    await expect(accounts.signIn(input())).rejects.toMatchObject({ code: 'sign-in.in-progress' });
    accounts.cancelSignIn();
    expect(await outcome).toMatchObject({ code: 'sign-in.cancelled' });
    expect(closed).toBe(1);
  });

  it('is cancelled when the engine stops', async () => {
    const { accounts } = accountsInTest(someoneWho(() => {}));
    const outcome = accounts.signIn(input()).catch((error: unknown) => error);
    await accounts.stop();
    expect(await outcome).toMatchObject({ code: 'sign-in.cancelled' });
  });
});

describe('a sign-in without a keychain', () => {
  it('lasts for the session and reports that', async () => {
    const keychain = flakyKeychain();
    keychain.failAt(1, { persistent: true });
    const { accounts } = accountsInTest(person(service.admin), { keychain });
    expect(await accounts.signIn(input())).toMatchObject({ state: 'signed-in', keptIn: 'memory' });
    expect(accounts.keychainProblem()).toMatchObject({ code: 'keychain.unavailable' });
  });
});
