// A library that only a proxy finds, with a certificate of a private authority: the whole way of a recording, and the faults.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Engine, EngineHost } from '../../../../electron/engine/engine.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, type TestProfile } from '../../../helpers/engine/engine-host.ts';
import { type Institution, LIBRARY_NAME, openInstitution } from '../../../helpers/engine/institution.ts';
import { createAuthority } from '../../../helpers/wire/authority.ts';
import { hasOpenssl } from '../../../helpers/wire/certificate.ts';
import { startForwardProxy } from '../../../helpers/wire/forward-proxy.ts';
import { startPacServer } from '../../../helpers/wire/pac-server.ts';

if (!hasOpenssl) console.warn('The openssl command is not here: private authorities are not tested.');

describe.skipIf(!hasOpenssl)('an institution', () => {
  let site: Institution;
  beforeAll(async () => {
    site = await openInstitution();
  });
  afterAll(() => site?.close());
  beforeEach(() => {
    site.proxy.change({});
    site.proxy.seen.length = 0;
  });

  async function openEngine(profile: TestProfile = site.profile(), changes: Partial<EngineHost> = {}): Promise<Engine> {
    const engine = await site.open(profile, changes);
    onTestFinished(() => engine.stop());
    return engine;
  }
  const codeOf = async (engine: Engine) =>
    (await engine.call('network.test', { baseUrl: site.front.baseUrl })).problem?.code ?? null;
  const trust = (engine: Engine) => engine.call('network.importCertificates', { path: site.authority.file });
  const useProxy = (engine: Engine) => engine.call('network.set', { patch: site.manual });

  it('carries a recording from the sign-in to the download through the proxy, and trusts the imported authority', async () => {
    const engine = await openEngine();
    await trust(engine);
    await useProxy(engine);
    const { id: siteId } = await engine.call('sites.signIn', site.input);
    const [top] = await engine.call('library.collections', { siteId, parentId: null });
    const contents = randomBytes(600_000);
    const path = site.put('Lecture.bin', contents.toString('hex'));
    engine.startUploads();
    const defaults = batchDefaultsSchema.parse({});
    await engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths: [path], defaults });
    await engine.whenUploadsIdle();
    const [row] = await allRows(engine);
    expect({ state: row?.state, error: row?.error }).toEqual({ state: 'complete', error: null });
    const stored = await site.service.control<{ sha256: string }>('GET', `/files/${row?.fileId}/sha256`);
    expect(stored.sha256).toBe(row?.sha256);

    const folder = site.put('saved', '').replace(/saved$/, '');
    const files = [{ mediaId: row?.mediaId ?? '', fileId: null }];
    await engine.call('downloads.start', { siteId, files, folder: join(folder) });
    const ended = async () => (await engine.call('downloads.list', null)).find(({ state }) => state === 'complete');
    await expect.poll(ended, { timeout: 60_000 }).toBeDefined();
    expect(readFileSync((await ended())?.path ?? '').equals(readFileSync(path))).toBe(true);
    // Everything went through the proxy, and nothing else: the name exists only there.
    const { port } = new URL(site.front.baseUrl);
    expect(new Set(site.proxy.seen)).toEqual(new Set([`CONNECT ${LIBRARY_NAME}:${port}`]));
  });

  it('is refused with the name of the issuer until its authority is imported, and again after its removal', async () => {
    const profile = site.profile();
    const engine = await openEngine(profile);
    await useProxy(engine);
    await expect(engine.call('sites.signIn', site.input)).rejects.toMatchObject({
      code: 'network.tls',
      message: expect.stringContaining('(Example University CA)'),
      details: { issuer: 'Example University CA' },
    });
    const [certificate] = (await trust(engine)).certificates;
    expect(certificate).toMatchObject({
      subject: 'Example University CA',
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });
    expect(await codeOf(engine)).toBeNull();
    // The trust is part of the profile.
    await engine.stop();
    const next = await openEngine(profile);
    expect(await codeOf(next)).toBeNull();
    const { fingerprint = '' } = certificate ?? {};
    expect((await next.call('network.removeCertificate', { fingerprint })).certificates).toEqual([]);
    expect(await codeOf(next)).toBe('network.tls');
  });

  it('is refused also when the environment tells Node to accept every certificate', async () => {
    const engine = await openEngine();
    await useProxy(engine);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await codeOf(engine)).toBe('network.tls');
  });

  it('is refused when another authority with the same name issued the certificate of the same host', async () => {
    const engine = await openEngine();
    await useProxy(engine);
    await trust(engine);
    const other = createAuthority('Example University CA');
    onTestFinished(() => other.remove());
    site.front.present(other.issue(LIBRARY_NAME));
    onTestFinished(() => site.front.present(site.authority.issue(LIBRARY_NAME)));
    expect(await codeOf(engine)).toBe('network.tls');
  });

  it.each([
    ['has expired', () => site.authority.issue(LIBRARY_NAME, true), 'has expired'],
    ['is for another host', () => site.authority.issue('elsewhere.test'), 'is for another address'],
  ])('is refused when its certificate %s', async (_, identity, words) => {
    const engine = await openEngine();
    await useProxy(engine);
    await trust(engine);
    site.front.present(identity());
    onTestFinished(() => site.front.present(site.authority.issue(LIBRARY_NAME)));
    const { problem } = await engine.call('network.test', { baseUrl: site.front.baseUrl });
    expect(problem).toMatchObject({ code: 'network.tls', message: expect.stringContaining(words) });
  });

  it.each([
    [
      'asks for a sign-in',
      { user: { name: 'ann', password: 'right' } },
      undefined,
      'network.proxy-sign-in',
      'asks for',
    ],
    [
      'refuses the password',
      { user: { name: 'ann', password: 'right' } },
      'wrong',
      'network.proxy-sign-in',
      'refused the',
    ],
    [
      'knows only another kind of sign-in',
      { user: { name: 'ann', password: 'right' }, scheme: 'Negotiate' },
      undefined,
      'network.proxy-sign-in',
      'doesn’t support (Negotiate)',
    ],
    ['refuses the host', { refusal: 403 }, undefined, 'network.proxy-refused', 'refused to connect to library.test:'],
    ['does not reach the library', { refusal: 503 }, undefined, 'site.unreachable', 'can’t reach library.test:'],
  ])('is not reached, with the name of the proxy, when the proxy %s', async (_, proxy, password, code, words) => {
    const engine = await openEngine();
    await trust(engine);
    site.proxy.change(proxy);
    const user = password === undefined ? {} : { proxyUser: 'ann' };
    await engine.call('network.set', { patch: { ...site.manual, ...user }, ...(password && { password }) });
    const { problem } = await engine.call('network.test', { baseUrl: site.front.baseUrl });
    expect(problem).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(problem?.message).toContain(site.proxy.name);
  });

  it('does not send a refused password again until the settings change', async () => {
    const engine = await openEngine();
    await trust(engine);
    site.proxy.change({ user: { name: 'ann', password: 'right' } });
    await engine.call('network.set', { patch: { ...site.manual, proxyUser: 'ann' }, password: 'wrong' });
    const before = site.proxy.refusals;
    for (let times = 0; times < 3; times += 1) expect(await codeOf(engine)).toBe('network.proxy-sign-in');
    expect(site.proxy.refusals).toBe(before + 1);
    const { hasPassword } = await engine.call('network.set', { patch: {}, password: 'right' });
    expect(hasPassword).toBe(true);
    expect(await codeOf(engine)).toBeNull();
  });

  it('needs no keychain for a proxy that asks for no sign-in', async () => {
    const refuse = async () => {
      throw appError('keychain.unavailable');
    };
    const keychain = { kind: 'system', get: refuse, set: refuse, delete: refuse } as const;
    const engine = await openEngine(site.profile(), { keychain });
    await trust(engine);
    await engine.call('network.set', { patch: site.manual, password: null });
    expect(await codeOf(engine)).toBeNull();
    await expect(engine.call('network.set', { patch: { proxyUser: 'ann' }, password: 'right' })).rejects.toMatchObject({
      code: 'keychain.unavailable',
    });
  });

  it('gives the password to its own proxy only', async () => {
    const engine = await openEngine();
    await trust(engine);
    const user = { name: 'ann', password: 'right' };
    site.proxy.change({ user });
    await engine.call('network.set', { patch: { ...site.manual, proxyUser: 'ann' }, password: 'right' });
    expect(await codeOf(engine)).toBeNull();
    const other = await startForwardProxy({ user });
    const { hasPassword } = await engine.call('network.set', { patch: { proxy: other.name } });
    expect(hasPassword).toBe(false);
    expect(await codeOf(engine)).toBe('network.proxy-sign-in');
  });

  it('is not reached when the proxy is down, and the error names the proxy', async () => {
    const engine = await openEngine();
    await trust(engine);
    await useProxy(engine);
    await site.proxy.refuse();
    onTestFinished(() => site.proxy.listen());
    const { problem, proxy } = await engine.call('network.test', { baseUrl: site.front.baseUrl });
    expect(problem).toMatchObject({
      code: 'network.proxy-unreachable',
      message: `Mediadesk can’t reach the proxy ${site.proxy.name}.`,
    });
    expect(proxy).toBe(site.proxy.name);
  });

  it('makes uploads wait without a retry while the proxy asks for a sign-in, and continues after the password is set', async () => {
    const engine = await openEngine();
    await trust(engine);
    await useProxy(engine);
    const { id: siteId } = await engine.call('sites.signIn', site.input);
    const [top] = await engine.call('library.collections', { siteId, parentId: null });
    site.proxy.change({ user: { name: 'ann', password: 'right' } });
    engine.startUploads();
    const paths = [site.put('Waits.bin', 'waits')];
    const defaults = batchDefaultsSchema.parse({});
    await engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths, defaults });
    const blockedBy = async () => (await engine.call('uploads.totals', null)).blockedBy?.code;
    await expect.poll(blockedBy, { timeout: 60_000 }).toBe('network.proxy-sign-in');
    await engine.call('network.set', { patch: { proxyUser: 'ann' }, password: 'right' });
    await engine.whenUploadsIdle();
    const [row] = await allRows(engine);
    expect({ state: row?.state, attempts: row?.attempts }).toEqual({ state: 'complete', attempts: 0 });
  });

  it('uses the proxy of the environment in the mode “system”, except for hosts in NO_PROXY', async () => {
    const environment = { HTTPS_PROXY: `http://ann:right@${site.proxy.name}` };
    site.proxy.change({ user: { name: 'ann', password: 'right' } });
    const engine = await openEngine(site.profile(), { environment });
    await trust(engine);
    expect((await engine.call('network.get', null)).environmentProxy).toBe(site.proxy.name);
    expect(await codeOf(engine)).toBeNull();
    await engine.call('network.set', { patch: { proxyMode: 'none' } });
    expect(await codeOf(engine)).toBe('site.unreachable');

    const excepted = await openEngine(site.profile(), { environment: { ...environment, NO_PROXY: 'library.test' } });
    site.proxy.seen.length = 0;
    expect(await codeOf(excepted)).toBe('site.unreachable');
    expect(site.proxy.seen).toEqual([]);
  });

  it('has a doctor that loads the PAC script, and reports one that is missing or no script', async () => {
    const proxyResolver = { resolve: async () => `PROXY ${site.proxy.name}`, reload: async () => {} };
    const engine = await openEngine(site.profile(), { proxyResolver });
    const pac = await startPacServer('function FindProxyForURL() { return "DIRECT" }');
    onTestFinished(() => pac.close());
    await engine.call('network.set', { patch: { proxyMode: 'pac', pacAddress: pac.url } });
    const found = async () => {
      const { findings } = await engine.call('app.doctor', null);
      return findings
        .filter(({ code }) => code.startsWith('network.pac'))
        .map(({ code, message }) => `${code} ${message}`);
    };
    expect(await found()).toEqual([`network.pac The PAC script at ${pac.url} can be loaded.`]);
    pac.serve('<html>no script</html>');
    expect(await found()).toEqual([`network.pac-unusable The file at ${pac.url} isn’t a PAC script.`]);
    await pac.close();
    expect(await found()).toEqual([expect.stringContaining('network.pac-unusable The PAC script can’t be loaded')]);
  });

  it('reaches this computer directly, whatever the settings are', async () => {
    const engine = await openEngine();
    await useProxy(engine);
    const { problem, proxy } = await engine.call('network.test', { baseUrl: site.service.baseUrl });
    expect({ problem, proxy, seen: site.proxy.seen }).toEqual({ problem: null, proxy: null, seen: [] });
  });
});
