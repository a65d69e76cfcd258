// The command line inside of an institution: a proxy with a sign-in, and a library with a certificate of a private authority.
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/contract/doctor.ts';
import type { TrustedCertificate } from '../../../shared/contract/network.ts';
import { runCli, sealAtLowCost, startCli } from '../../helpers/cli/cli.ts';
import { errorOf, PASSPHRASE_ENV } from '../../helpers/cli/cli-profile.ts';
import { type Institution, openInstitution } from '../../helpers/engine/institution.ts';
import { FormBrowser } from '../../helpers/service/service-sign-in.ts';
import { hasOpenssl } from '../../helpers/wire/certificate.ts';

const USER = { name: 'ann', password: 'right' };
/** Without what the machine of the test trusts, and the proxies that it has. */
const NEUTRAL: NodeJS.ProcessEnv = {
  SSL_CERT_FILE: '',
  SSL_CERT_DIR: '',
  NODE_EXTRA_CA_CERTS: '',
  HTTPS_PROXY: '',
  HTTP_PROXY: '',
  ALL_PROXY: '',
  https_proxy: '',
  http_proxy: '',
  all_proxy: '',
};

describe.skipIf(!hasOpenssl)('the command line inside of an institution', () => {
  let site: Institution;
  let folder: string;
  let keys: readonly string[];
  beforeAll(async () => {
    site = await openInstitution();
    site.proxy.change({ user: USER });
    folder = mkdtempSync(join(tmpdir(), 'mediadesk-cli-network-'));
    keys = ['--profile', join(folder, 'profile'), '--keychain', 'file'];
    await sealAtLowCost(join(folder, 'profile'), PASSPHRASE_ENV.MEDIADESK_PASSPHRASE);
  });
  afterAll(async () => {
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const env = (more: NodeJS.ProcessEnv = {}) => ({ ...PASSPHRASE_ENV, ...NEUTRAL, ...more });
  const run = (...args: string[]) => runCli([...args, ...keys], { env: env() });

  /** Signs in with a browser that finds the library. */
  async function signIn() {
    const target = ['--site', site.front.baseUrl, '--client-id', site.service.clientId, '--browser', 'none', '--json'];
    const started = startCli(['sign-in', ...target, ...keys], { env: env() });
    const opened = started.record<string>('open').then(async (url) => {
      const browser = new FormBrowser();
      let page = await browser.open(url.replace(site.front.baseUrl, site.service.baseUrl));
      page = await browser.submit(page, 'email_address', { ...site.service.admin });
      page = await browser.submit(page, 'decision', { decision: 'approve' });
      get(page.response.headers.get('location') ?? '', (answer) => answer.resume());
    });
    await Promise.race([opened, started.ended]);
    opened.catch(() => undefined);
    return started.ended;
  }

  it('says which proxy, and then which authority, is missing for a sign-in, with the command to run', async () => {
    const set = await run('settings', 'proxy-mode=manual', `proxy=${site.proxy.name}`, 'proxy-exceptions=a.example');
    expect(set.stdout).toMatch(new RegExp(`proxy +${site.proxy.name}`));
    expect(errorOf(await signIn())).toMatchObject({
      code: 'network.proxy-sign-in',
      message: `The proxy ${site.proxy.name} asks for a user name and password.`,
      nextStep: expect.stringContaining('--ask-proxy-password'),
    });
    const password = ['--proxy-password-file', site.put('password', `${USER.password}\n`)];
    const stored = await run('settings', 'proxy-user=ann', ...password);
    expect(stored.stdout).toMatch(/proxy-password +stored/);
    expect(errorOf(await signIn())).toMatchObject({
      code: 'network.tls',
      message: expect.stringContaining('(Example University CA)'),
      nextStep: expect.stringContaining('mediadesk certificates import FILE'),
    });
  });

  it('signs in and uploads through the proxy after the authority was imported, and its doctor names both', async () => {
    const imported = await run('certificates', 'import', site.authority.file, '--json');
    expect(imported.records).toMatchObject([{ certificate: { subject: 'Example University CA' } }]);
    expect(await signIn()).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await run(
      'upload',
      site.put('Lecture.bin', 'lecture'),
      '--collection',
      'Library',
      '--wait',
    );
    expect({ code, stderr }, stdout).toMatchObject({ code: 0 });

    const doctor = await run('doctor', '--json');
    const findings = doctor.records.flatMap(({ doctor: report }) => (report as { findings: Finding[] }).findings);
    const messageOf = (name: string) => findings.find((finding) => finding.code === name)?.message;
    expect(messageOf('network.route')).toBe(
      `${site.front.baseUrl}: Mediadesk connects through the proxy ${site.proxy.name}.`,
    );
    expect(messageOf('network.trust')).toContain('1 imported one');
    expect(messageOf('network.certificate-expires')).toContain('Example University CA expires soon');
    expect(messageOf('service.signed-in')).toBeDefined();
  });

  it('uses the proxy of HTTPS_PROXY in the mode “system”, and says that it evaluates no PAC script', async () => {
    await run('settings', 'proxy-mode=system', 'proxy=none', 'proxy-user=none', '--forget-proxy-password');
    const proxy = { HTTPS_PROXY: `http://${USER.name}:${USER.password}@${site.proxy.name}` };
    const shown = await runCli(['settings', ...keys], { env: env(proxy) });
    expect(shown.stdout).toMatch(new RegExp(`proxy-mode +system \\(environment: ${site.proxy.name}\\)`));
    expect(shown.stdout).not.toContain(USER.password);
    const listed = await runCli(['collections', ...keys], { env: env(proxy) });
    expect({ code: listed.code, stderr: listed.stderr }).toEqual({ code: 0, stderr: '' });
    const excepted = await runCli(['collections', '--json', ...keys], { env: env({ ...proxy, NO_PROXY: '.test' }) });
    expect(errorOf(excepted).code).toBe('network.unreachable');

    const pac = await run('settings', 'proxy-mode=pac', 'pac=https://example.org/proxy.pac');
    expect(pac.stdout).toMatch(/proxy-mode +pac \(not evaluated on the command line: direct\)/);
    const { stdout } = await runCli(['doctor', ...keys], { env: env(proxy) });
    expect(stdout).toContain('The command line doesn’t evaluate the PAC script.');
    expect(stdout).toContain(`through the proxy ${site.proxy.name}`);
  });

  it('trusts the authorities of the system, and those of NODE_EXTRA_CA_CERTS, without an import', async () => {
    await run('settings', 'proxy-mode=system', 'pac=none');
    const proxy = { HTTPS_PROXY: `http://${USER.name}:${USER.password}@${site.proxy.name}` };
    const profile = ['--profile', join(folder, 'other'), '--keychain', 'memory'];
    const target = ['--site', site.front.baseUrl, '--client-id', 'unknown', '--browser', 'none', '--paste', '--json'];
    const codeWith = async (more: NodeJS.ProcessEnv) =>
      errorOf(await runCli(['sign-in', ...target, ...profile], { env: env({ ...proxy, ...more }) })).code;
    expect(await codeWith({})).toBe('network.tls');
    // The library answers, and the sign-in ends because nobody pastes a code.
    expect(await codeWith({ SSL_CERT_FILE: site.authority.file })).toBe('sign-in.cancelled');
    expect(await codeWith({ NODE_EXTRA_CA_CERTS: site.authority.file })).toBe('sign-in.cancelled');
  });

  it('removes an authority by the beginning of its fingerprint', async () => {
    const { records } = await run('certificates', 'list', '--json');
    const [fingerprint = ''] = records.map(({ certificate }) => (certificate as TrustedCertificate).fingerprint);
    expect(await run('certificates', 'remove', '00:11')).toMatchObject({ code: 2 });
    expect(await run('certificates', 'remove', fingerprint.slice(0, 8).toLowerCase())).toMatchObject({ code: 0 });
    expect((await run('certificates', 'list', '--json')).records).toEqual([]);
  });

  it.each([
    ['proxy=somewhere', 'Use a host and a port'],
    ['proxy-mode=always', 'Use system, none, manual, pac'],
    ['pac=file:///x', 'Use a web address'],
  ])('refuses %s', async (word, words) => {
    expect(await run('settings', word)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});
