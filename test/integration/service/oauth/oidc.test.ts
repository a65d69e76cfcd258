// Signing in with a provider of OpenID Connect: a real provider, a real library, and who becomes which account.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorizeUrl, decode, OidcBrowser, providerLink } from '../../../helpers/service/oidc-browser.ts';
import {
  accountOn,
  type OidcLibrary,
  problemOn,
  providerSettings,
  startOidcLibrary,
} from '../../../helpers/service/oidc-library.ts';
import { type OidcPeer, startOidcPeer } from '../../../helpers/service/oidc-peer.ts';
import { runFor } from '../../../helpers/service/service-accounts.ts';
import { auditOf } from '../../../helpers/service/service-audit.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { idsOf, make } from '../../../helpers/service/service-people.ts';
import { authorize, FormBrowser, PKCE_VERIFIER } from '../../../helpers/service/service-sign-in.ts';

const DEFAULTS = {
  create_users: false,
  trusts_addresses: false,
  allow_first_link_by_verified_email: false,
  managed_groups: {},
};

let campus: OidcPeer;
let other: OidcPeer;
let library: OidcLibrary;
let admin: ServiceClient;

beforeAll(async () => {
  campus = await startOidcPeer();
  other = await startOidcPeer();
  const more = { scopes: ['openid', 'profile', 'email', 'groups'], groups_claim: 'groups' };
  library = await startOidcLibrary(
    [providerSettings('campus', campus.issuer, more), providerSettings('other', other.issuer, more)],
    campus.secret,
    { options: ['--log', '-', '--operations', '127.0.0.1:0'] },
  );
  campus.serve([library.callback('campus')]);
  other.serve([library.callback('other')]);
  admin = await clientFor(library.service);
});
afterAll(async () => {
  await library?.stop();
  await campus?.close();
  await other?.close();
});
beforeEach(() => library.change(DEFAULTS));

let people = 0;
/** Makes a user at a provider; returns the claims. */
function someone(peer: OidcPeer, more: Record<string, unknown> = {}) {
  people += 1;
  const sub = `s-${people}`;
  const claims = {
    email: `p${people}@inst.example`,
    email_verified: true,
    given_name: 'Ann',
    family_name: `Lee${people}`,
    ...more,
  };
  peer.users.set(sub, claims);
  peer.user = sub;
  return { sub, ...claims, key: `oidc:${peer === campus ? 'campus' : 'other'}:${sub}` };
}

/** Ends the session at the library, as its end after 8 hours does. The session at the provider stays. */
function withoutSession(browser: OidcBrowser): OidcBrowser {
  for (const name of browser.cookies.keys()) if (name.startsWith('library_session')) browser.cookies.delete(name);
  return browser;
}

const userWith = async (uniqueId: string) =>
  (await admin.get(`/api2/users?${new URLSearchParams({ unique_id: uniqueId })}`)).body.items[0];

describe('the sign-in with a provider', () => {
  test('is refused for a deactivated account, also when the provider would link it by its address', async () => {
    for (const linked of [true, false]) {
      await library.change({ ...DEFAULTS, allow_first_link_by_verified_email: true });
      const ann = someone(campus);
      await make(admin, 'users', { email_address: ann.email, ...(linked ? { unique_id: ann.key } : {}) });
      expect((await runFor(library.service.dataDir, 'deactivate', ann.email)).code).toBe(0);
      const page = await library.signIn('campus');
      expect([page.status, page.html.includes('is deactivated')]).toEqual([403, true]);
      expect(library.service.log()).toContain('"reason":"deactivated-user"');
    }
  });

  test('leads back to the request of the application, which gets a code for the user', async () => {
    const ann = someone(campus);
    const { id } = await make(admin, 'users', { email_address: ann.email, unique_id: ann.key });
    const browser = new OidcBrowser();
    const page = await library.signIn('campus', browser);
    expect(page.url).toBe(authorizeUrl(library.service));
    const form = new FormBrowser();
    for (const [name, value] of browser.cookies) form.cookies.set(name, value);
    const done = await form.submit(page, 'decision', { decision: 'approve' });
    const location = new URL(done.response.headers.get('location') ?? '');
    expect(location.searchParams.get('state')).toBe('the state');
    const response = await fetch(`${library.service.baseUrl}/api2/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: location.searchParams.get('code') ?? '',
        redirect_uri: 'http://localhost:41234/',
        client_id: library.service.clientId,
        code_verifier: PKCE_VERIFIER,
      }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    const info = await fetch(`${library.service.baseUrl}/api2/oauth/tokeninfo`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(await info.json()).toMatchObject({ user_id: id });
    expect((await userWith(ann.key)).last_login_date).not.toBe(null);
  });

  test('asks the provider with PKCE, a state, a nonce and the redirect URI of this provider', async () => {
    const ask = async () => {
      const browser = new OidcBrowser();
      await library.untilCallback('campus', browser);
      const [first = ''] = browser.trail;
      return new URL(first).searchParams;
    };
    const [one, two] = [await ask(), await ask()];
    expect(one.get('redirect_uri')).toBe(library.callback('campus'));
    expect(one.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce']) {
      expect(one.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.get(name)).not.toBe(two.get(name));
    }
  });

  test('begins only on the sign-in page of this browser', async () => {
    const link = providerLink(await new OidcBrowser().open(authorizeUrl(library.service)), 'campus');
    const stranger = new OidcBrowser();
    expect((await stranger.open(link)).status).toBe(400);
    await stranger.open(authorizeUrl(library.service));
    const page = await stranger.open(link);
    expect([page.status, stranger.trail]).toEqual([400, []]);
  });

  test('leads to the page of the own account too, and after its sign-out the provider asks again', async () => {
    await library.change({ create_users: true });
    const ann = someone(campus);
    const browser = new OidcBrowser();
    const account = `${library.service.baseUrl}/account`;
    const page = await browser.open(providerLink(await browser.open(account), 'campus'));
    expect([page.url, page.status]).toEqual([account, 200]);
    expect(page.html).toContain(ann.email);
    const form = new FormBrowser();
    for (const [name, value] of browser.cookies) form.cookies.set(name, value);
    const at = page.html.indexOf('action="/account/sign-out"');
    await form.submit({ url: page.url, html: page.html.slice(page.html.lastIndexOf('<form', at)) }, 'csrf', {});
    for (const [name, value] of form.cookies) browser.cookies.set(name, value);
    browser.trail.length = 0;
    await browser.open(providerLink(await browser.open(account), 'campus'), campus.issuer);
    expect(new URL(browser.trail.at(-1) ?? '').searchParams.get('prompt')).toBe('login');
  });

  test('gives the page a way back when the provider denies, and does not repeat its words', async () => {
    campus.user = 'deny';
    const page = await library.signIn('campus');
    expect(page.status).toBe(403);
    expect(problemOn(page)).toBe('University campus didn&#8217;t sign you in.'.replace('&#8217;', '’'));
    expect(page.html).not.toContain('denied');
    const back = decode(/href="([^"]*)">Back to the sign-in page/.exec(page.html)?.[1] ?? '');
    expect(new URL(back, page.url).href).toBe(authorizeUrl(library.service));
    const reference = /Reference<\/dt><dd>([\w-]+)</.exec(page.html)?.[1] ?? '';
    expect(reference).toMatch(/^[\w-]{8}$/);
    const line =
      library.service
        .log()
        .split('\n')
        .find((each) => each.includes(reference)) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      reason: 'refused-by-provider',
      detail: 'access_denied',
      provider: 'campus',
    });
  });

  test('ends the session that the browser had before', async () => {
    await library.change({ create_users: true });
    someone(campus);
    const browser = new OidcBrowser();
    const link = providerLink(await browser.open(authorizeUrl(library.service)), 'campus');
    await browser.open(link);
    const before = new Map(browser.cookies);
    await browser.open(link);
    expect(accountOn(await browser.open(authorizeUrl(library.service)))).not.toBe(null);
    for (const [name, value] of before) if (name.startsWith('library_session')) browser.cookies.set(name, value);
    expect(accountOn(await browser.open(authorizeUrl(library.service)))).toBe(null);
  });

  test('makes the provider ask again after “Use another account”, once', async () => {
    await library.change({ create_users: true });
    const ann = someone(campus);
    const browser = new OidcBrowser();
    await library.signIn('campus', browser);
    const consent = await library.signIn('campus', withoutSession(browser));
    expect(accountOn(consent)).toContain(ann.email);
    expect(browser.trail.filter((url) => url.includes('/interaction/'))).toHaveLength(1);
    const form = new FormBrowser();
    for (const [name, value] of browser.cookies) form.cookies.set(name, value);
    const signOut = consent.html.slice(consent.html.indexOf('<footer>'));
    await form.submit({ url: consent.url, html: signOut }, 'csrf', {});
    for (const [name, value] of form.cookies) browser.cookies.set(name, value);
    browser.trail.length = 0;
    const page = await browser.open(authorizeUrl(library.service));
    const end = await browser.open(providerLink(page, 'campus'), `${campus.issuer}/interaction/`);
    expect(new URL(browser.trail[0] ?? '').searchParams.get('prompt')).toBe('login');
    expect(end.url).toContain('/interaction/');
    browser.trail.length = 0;
    await library.signIn('campus', browser);
    expect(new URL(browser.trail[0] ?? '').searchParams.get('prompt')).toBe(null);
  });

  test('leaves no code, state, token or secret in a log', async () => {
    const ann = someone(campus);
    await library.change({ create_users: true });
    const browser = new OidcBrowser();
    const callback = new URL(await library.untilCallback('campus', browser));
    await browser.open(callback.href);
    await browser.open(callback.href);
    await expect.poll(() => library.service.log()).toContain('"/oidc/:name/callback"');
    const values = [...callback.searchParams.values()].filter((value) => value !== campus.issuer);
    for (const value of [...values, ...browser.cookies.values(), campus.secret, ann.email]) {
      expect(library.service.log()).not.toContain(value);
    }
  });
});

describe('the account of a user', () => {
  test('is the one with the user’s unique_id, whatever the address', async () => {
    const ann = someone(campus);
    await make(admin, 'users', { email_address: 'elsewhere@inst.example', unique_id: ann.key });
    expect(accountOn(await library.signIn('campus'))).toBe('Pat Doe (elsewhere@inst.example)');
    expect(await userWith(ann.key)).toMatchObject({ email_address: 'elsewhere@inst.example', display_name: 'Pat Doe' });
  });

  test('stays when two users swap their addresses at the provider', async () => {
    await library.change({ create_users: true, allow_first_link_by_verified_email: true });
    const [ann, bob] = [someone(campus), someone(campus)];
    const signInAs = async (sub: string) => {
      campus.user = sub;
      return accountOn(await library.signIn('campus'));
    };
    const before = [await signInAs(ann.sub), await signInAs(bob.sub)];
    campus.users.set(ann.sub, { ...campus.users.get(ann.sub), email: bob.email });
    campus.users.set(bob.sub, { ...campus.users.get(bob.sub), email: ann.email });
    expect([await signInAs(ann.sub), await signInAs(bob.sub)]).toEqual(before);
    expect(before[0]).toContain(ann.email);
  });

  test('is not the account of the same sub at another provider', async () => {
    await library.change({ create_users: true });
    const ann = someone(campus);
    await library.signIn('campus');
    other.users.set(ann.sub, { email: 'other-ann@inst.example', email_verified: true });
    other.user = ann.sub;
    expect(accountOn(await library.signIn('other'))).toContain('other-ann@inst.example');
    expect((await userWith(`oidc:other:${ann.sub}`)).id).not.toBe((await userWith(ann.key)).id);
  });

  test('does not exist for a user whom nobody invited: the page names the identifier for the administrator', async () => {
    const ann = someone(campus);
    const page = await library.signIn('campus');
    expect(page.status).toBe(403);
    expect(page.html).toContain(ann.key);
    expect(await userWith(ann.key)).toBe(undefined);
    expect(accountOn(await new OidcBrowser().open(authorizeUrl(library.service)))).toBe(null);
  });

  test('is linked by a verified address only where that is allowed, and only once', async () => {
    const ann = someone(campus);
    const { id } = await make(admin, 'users', { email_address: ann.email.toUpperCase() });
    expect((await library.signIn('campus')).status).toBe(409);
    await library.change({ allow_first_link_by_verified_email: true });
    expect(accountOn(await library.signIn('campus'))).toContain(ann.email.toUpperCase());
    expect(await userWith(ann.key)).toMatchObject({ id });
    expect(library.service.log()).toContain('linked to a provider by its verified address');
    for (const peer of [campus, other]) {
      const thief = someone(peer, { email: ann.email });
      const page = await library.signIn(peer === campus ? 'campus' : 'other');
      expect([page.status, await userWith(thief.key)]).toEqual([409, undefined]);
    }
  });

  test.each([false, undefined, 'true', 1])('is not linked when email_verified is %s', async (email_verified) => {
    await library.change({ allow_first_link_by_verified_email: true, create_users: true });
    const ann = someone(campus, { email_verified });
    await make(admin, 'users', { email_address: ann.email });
    expect((await library.signIn('campus')).status).toBe(409);
    expect(await userWith(ann.key)).toBe(undefined);
  });

  test('is created where that is allowed: without rights, without a password, with the names of the provider', async () => {
    await library.change({ create_users: true });
    const ann = someone(campus);
    expect(accountOn(await library.signIn('campus'))).toBe(`Ann ${ann.family_name} (${ann.email})`);
    expect(await userWith(ann.key)).toMatchObject({
      email_address: ann.email,
      is_admin: false,
      display_name: `Ann ${ann.family_name}`,
    });
    await expect(authorize(library.service, { email: ann.email, password: '' })).rejects.toThrow(
      'no form with decision',
    );
  });

  test('is not created without an address, or with one that the provider calls unverified', async () => {
    await library.change({ create_users: true });
    const refused = [{ email: undefined }, { email_verified: false }, { email: 'no address' }, { email: 'a\u0000@b' }];
    for (const claims of refused) {
      const ann = someone(campus, claims);
      expect((await library.signIn('campus')).status).toBe(403);
      expect(await userWith(ann.key)).toBe(undefined);
    }
  });

  test('is created with an address that the provider does not call verified only where its addresses are trusted', async () => {
    await library.change({ create_users: true });
    const ann = someone(campus, { email_verified: undefined });
    const page = await library.signIn('campus');
    expect([page.status, problemOn(page)]).toEqual([403, expect.stringContaining('no verified email address')]);
    expect(await userWith(ann.key)).toBe(undefined);
    await library.change({ create_users: true, trusts_addresses: true });
    expect(accountOn(await library.signIn('campus'))).toContain(ann.email);
    const bob = someone(campus, { email_verified: false });
    expect((await library.signIn('campus')).status).toBe(403);
    expect(await userWith(bob.key)).toBe(undefined);
  });

  test('is not made again after an administrator has deleted it, until an administrator makes it', async () => {
    await library.change({ create_users: true, allow_first_link_by_verified_email: true });
    const ann = someone(campus);
    const browser = new OidcBrowser();
    await library.signIn('campus', browser);
    const { id } = await userWith(ann.key);
    expect((await admin.delete(`/api2/users/${id}`)).status).toBe(204);
    expect(accountOn(await browser.open(authorizeUrl(library.service)))).toBe(null);
    const page = await library.signIn('campus');
    expect([page.status, problemOn(page)]).toEqual([403, 'Your account in this library was deleted.']);
    await make(admin, 'users', { email_address: ann.email, unique_id: ann.key });
    expect(accountOn(await library.signIn('campus'))).toContain(ann.email);
  });

  test('is in the audit with what the sign-in changed', async () => {
    await make(admin, 'groups', { display_name: 'Audited' });
    await library.change({ create_users: true, managed_groups: { audited: 'Audited' } });
    const ann = someone(campus, { groups: ['audited'] });
    await library.signIn('campus');
    const rows = (await auditOf(library.service)).filter(({ actor }) => actor?.email_address === ann.email);
    const after = { unique_id: ann.key, is_admin: 0, groups: ['Audited'] };
    const request = 'GET /oidc/:name/callback';
    expect(rows).toMatchObject([{ action: 'user.create', request, after, also: { 'session.create': 1 } }]);
  });

  test('is the one that the audit names for its creation, not the account whose session this ends', async () => {
    await library.change({ create_users: true });
    someone(campus);
    const browser = new OidcBrowser();
    const link = providerLink(await browser.open(authorizeUrl(library.service)), 'campus');
    await browser.open(link);
    const ben = someone(campus);
    for (const name of browser.cookies.keys()) if (!name.startsWith('library_')) browser.cookies.delete(name);
    await browser.open(link);
    const rows = (await auditOf(library.service)).filter(({ target }) => target.name === ben.email);
    expect(rows).toMatchObject([
      {
        action: 'user.create',
        actor: { email_address: ben.email },
        also: { 'session.create': 1, 'session.delete': 1 },
      },
    ]);
  });

  test('can sign in while the library is read-only, which creates and links nothing', async () => {
    await library.change({ create_users: true, allow_first_link_by_verified_email: true });
    const known = someone(campus);
    await library.signIn('campus');
    const unlinked = someone(campus);
    await make(admin, 'users', { email_address: unlinked.email });
    const fresh = someone(campus);
    await library.service.control('PATCH', '/settings', { read_only: true });
    try {
      for (const { sub } of [unlinked, fresh]) {
        campus.user = sub;
        expect((await library.signIn('campus')).status).toBe(503);
      }
      campus.user = known.sub;
      expect(accountOn(await library.signIn('campus'))).toContain(known.email);
    } finally {
      await library.service.control('PATCH', '/settings', { read_only: false });
    }
    expect([await userWith(unlinked.key), await userWith(fresh.key)]).toEqual([undefined, undefined]);
  });
});

describe('managed groups', () => {
  test('follow the claim at each sign-in, and other memberships stay', async () => {
    const [staff, press, own] = [
      (await make(admin, 'groups', { display_name: 'Staff' })).id,
      (await make(admin, 'groups', { display_name: 'Press' })).id,
      (await make(admin, 'groups', { display_name: 'By hand' })).id,
    ];
    await library.change({
      create_users: true,
      managed_groups: { staff: 'Staff', 'cn=press,o=inst': Number(press), gone: 'No such group' },
    });
    const ann = someone(campus, { groups: ['staff', 'unrelated', 'By hand'] });
    await library.signIn('campus');
    const { id } = await userWith(ann.key);
    const groups = async () => {
      const ids = await idsOf(admin, '/api2/groups', { user_id: id });
      return [staff, press, own].filter((each) => ids.includes(each));
    };
    expect(await groups()).toEqual([staff]);
    expect(library.service.log()).toContain('managed groups of a provider are not there');
    await admin.post(`/api2/groups/${own}/add-users`, { user_ids: [id] });
    for (const [claim, expected] of [
      ['cn=press,o=inst', [press, own]],
      [
        ['staff', 'cn=press,o=inst', 'staff'],
        [staff, press, own],
      ],
      [undefined, [own]],
    ] as const) {
      campus.users.set(ann.sub, { ...campus.users.get(ann.sub), groups: claim });
      await library.signIn('campus');
      expect(await groups()).toEqual(expected);
    }
  });

  test('are not found by a name that two groups have, nor changed for a user of another provider', async () => {
    const first = await make(admin, 'groups', { display_name: 'Twice' });
    const second = await make(admin, 'groups', { display_name: 'Twice' });
    await library.change({ create_users: true, managed_groups: { twice: 'Twice', public: 'Public' } });
    const ann = someone(campus, { groups: ['twice', 'public'] });
    expect(accountOn(await library.signIn('campus'))).toContain(ann.email);
    const { id } = await userWith(ann.key);
    const ids = await idsOf(admin, '/api2/groups', { user_id: id });
    expect(ids).not.toContain(first.id);
    expect(ids).not.toContain(second.id);
  });

  test('stay as they are while the library is read-only', async () => {
    const { id: group } = await make(admin, 'groups', { display_name: 'Kept' });
    await library.change({ create_users: true, managed_groups: { kept: 'Kept' } });
    const ann = someone(campus, { groups: ['kept'] });
    await library.signIn('campus');
    campus.users.set(ann.sub, { ...campus.users.get(ann.sub), groups: [] });
    const { id } = await userWith(ann.key);
    const isMember = async () => (await idsOf(admin, '/api2/groups', { user_id: id })).includes(group);
    await library.service.control('PATCH', '/settings', { read_only: true });
    try {
      expect(accountOn(await library.signIn('campus'))).toContain(ann.email);
    } finally {
      await library.service.control('PATCH', '/settings', { read_only: false });
    }
    expect(await isMember()).toBe(true);
    await library.signIn('campus');
    expect(await isMember()).toBe(false);
  });

  test.each([
    ['objects', [{ value: 'staff' }]],
    ['nested lists', [['staff']]],
    ['numbers', 7],
    ['an object', { staff: true }],
    ['a value of 501 characters', ['x'.repeat(501)]],
    ['2,001 values', Array.from({ length: 2001 }, (_, index) => `g${index}`)],
  ])('are not set from %s: the sign-in is refused', async (_name, groups) => {
    await library.change({ create_users: true });
    const ann = someone(campus, { groups });
    const page = await library.signIn('campus');
    expect([page.status, problemOn(page)]).toEqual([502, expect.stringContaining('lists your groups in a form')]);
    expect(await userWith(ann.key)).toBe(undefined);
  });
});
