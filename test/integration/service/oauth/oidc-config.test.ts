// The configuration of providers: what is refused at the start, and what never prevents it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { authorizeUrl, OidcBrowser, providerLink } from '../../../helpers/service/oidc-browser.ts';
import { accountOn, problemOn, providerSettings, startOidcLibrary } from '../../../helpers/service/oidc-library.ts';
import { startOidcPeer } from '../../../helpers/service/oidc-peer.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';
import { programPath } from '../../../helpers/system/programs.ts';

const MAIN = programPath(new URL('../../../../service/lab-main.ts', import.meta.url));
const FINE = providerSettings('campus', 'https://idp.example', { client_secret_env: 'PATH' });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'library-oidc-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function configFile(content: unknown): string {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** Starts the service and returns its exit code and what it wrote to stderr. */
function refusedStart(content: unknown): Promise<{ code: unknown; text: string }> {
  const args = [MAIN, '--port', '0', '--data', join(folder, crypto.randomUUID()), '--config', configFile(content)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: 60_000 }, (error, _stdout, text) =>
      resolve({ code: error?.code, text }),
    );
  });
}

test('all problems of all providers are reported at once, without any secret', async () => {
  const secretFile = join(folder, 'empty-secret');
  writeFileSync(secretFile, '\n');
  const { code, text } = await refusedStart({
    oidc_providers: [
      { ...FINE, name: 'Campus!', issuer: 'http://idp.example', scopes: ['email'] },
      { ...FINE, client_secret_env: 'NO_SUCH_VARIABLE' },
      { ...FINE, name: 'b', client_secret_env: undefined, client_secret_file: secretFile },
      { ...FINE, name: 'c', client_secret_file: secretFile },
      { ...FINE, name: 'd', client_secret: 'open secret' },
      { ...FINE, name: 'e', managed_groups: { staff: 'Staff' } },
      { ...FINE, name: 'f', issuer: 'https://user:pass@idp.example/?a#b' },
      { ...FINE, name: 'g', client_secret_env: undefined, client_secret_file: join(folder, 'missing') },
    ],
    code_s: 0,
  });
  expect(code).toBe(2);
  for (const part of [
    'oidc_providers[0].name',
    'oidc_providers[0].issuer',
    'must contain openid',
    'NO_SUCH_VARIABLE is not set',
    'oidc_providers[1]',
    'empty-secret is empty',
    'must have either client_secret_env or client_secret_file',
    'client_secret"',
    'oidc_providers[5].groups_claim',
    'oidc_providers[6].issuer',
    'There is no file',
    'code_s',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('open secret');
});

test('two providers with one name are refused', async () => {
  const { code, text } = await refusedStart({ oidc_providers: [FINE, FINE] });
  expect(code).toBe(2);
  expect(text).toContain('must have different names');
});

test('a provider that never answers prevents neither the start nor the sign-in by password', async () => {
  const peer = await startOidcPeer();
  onTestFinished(() => peer.close());
  const config = configFile({ oidc_providers: [{ ...FINE, issuer: peer.issuer }] });
  const service = await startService({ config });
  onTestFinished(() => service.stop());
  expect((await new OidcBrowser().open(authorizeUrl(service))).html).toContain('Sign in with University campus');
  expect((await signIn(service)).token_type).toBe('Bearer');
});

test('a service without providers has a sign-in page without their links', async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  expect((await new OidcBrowser().open(authorizeUrl(service))).html).not.toContain('/oidc/');
});

test('a secret in a file may be replaced while the service runs', async () => {
  const peer = await startOidcPeer();
  onTestFinished(() => peer.close());
  const file = join(folder, 'secret');
  writeFileSync(file, 'an old secret\n');
  const provider = providerSettings('campus', peer.issuer, {
    client_secret_env: undefined,
    client_secret_file: file,
    create_users: true,
  });
  const library = await startOidcLibrary([provider], peer.secret);
  onTestFinished(() => library.stop());
  peer.serve([library.callback('campus')]);
  peer.users.set('ann', { email: 'ann@inst.example', email_verified: true });
  peer.user = 'ann';
  expect(problemOn(await library.signIn('campus'))).toContain('can’t be used at the moment');
  expect(library.service.log()).toContain('invalid_client');
  writeFileSync(file, `${peer.secret}\n`);
  expect(accountOn(await library.signIn('campus'))).toContain('ann@inst.example');
  rmSync(file);
  const page = await library.signIn('campus');
  expect([page.status, page.html.includes(folder)]).toEqual([502, false]);
});

test('behind a proxy, the redirect URI and the cookies are those of the public address', async () => {
  const peer = await startOidcPeer();
  onTestFinished(() => peer.close());
  const library = await startOidcLibrary([providerSettings('campus', peer.issuer)], peer.secret, {
    publicUrl: 'https://library.example',
  });
  onTestFinished(() => library.stop());
  peer.serve(['https://library.example/oidc/campus/callback']);
  const browser = new OidcBrowser();
  const page = await browser.open(authorizeUrl(library.service));
  expect([...browser.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true);
  const end = await browser.open(providerLink(page, 'campus'), `${peer.issuer}/interaction/`);
  const [first = ''] = browser.trail;
  expect(new URL(first).searchParams.get('redirect_uri')).toBe('https://library.example/oidc/campus/callback');
  expect(end.url).toContain('/interaction/');
});

test('a sign-in that was under way when the service stopped ends with a page, and the next one works', async () => {
  const peer = await startOidcPeer({ conformIdTokenClaims: false });
  onTestFinished(() => peer.close());
  const library = await startOidcLibrary(
    [providerSettings('campus', peer.issuer, { create_users: true })],
    peer.secret,
  );
  onTestFinished(() => library.stop());
  peer.serve([library.callback('campus')]);
  peer.users.set('ann', { email: 'ann@inst.example', email_verified: true, name: 'Ann Lee' });
  peer.user = 'ann';
  const browser = new OidcBrowser();
  const answer = await library.untilCallback('campus', browser);
  await library.service.restart();
  expect(problemOn(await browser.open(answer))).toContain('A restart of the library ends it');
  expect(accountOn(await library.signIn('campus', browser))).toBe('Ann Lee (ann@inst.example)');
});

test('a provider that takes the secret only in the body gets it there', async () => {
  const peer = await startOidcPeer({
    clientAuthMethods: ['client_secret_post'],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
  });
  onTestFinished(() => peer.close());
  const library = await startOidcLibrary(
    [providerSettings('campus', peer.issuer, { create_users: true })],
    peer.secret,
  );
  onTestFinished(() => library.stop());
  peer.serve([library.callback('campus')]);
  peer.users.set('ann', { email: 'ann@inst.example', email_verified: true });
  peer.user = 'ann';
  expect(accountOn(await library.signIn('campus'))).toContain('ann@inst.example');
});
