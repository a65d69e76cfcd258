import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestProfile, signInEngine } from '../../../helpers/engine/engine-host.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { certificate, hasOpenssl } from '../../../helpers/wire/certificate.ts';
import { startWireProxy } from '../../../helpers/wire/wire-proxy.ts';
import { CUTS, DAMAGED_REPLIES, EARLY_ANSWERS, FILE_BYTES, GO_AHEADS, type WireCase } from './wire-cases.ts';
import { openWireWorld, type WireWorld } from './wire-world.ts';

if (!hasOpenssl) console.warn('The openssl command is not here: a broken wire under TLS is not tested.');

const NAMES = [
  'a cut at start, by reset',
  'a cut at half, by reset',
  'a cut at half, by close',
  'a cut at lastByte, by reset',
  'a cut at end, by reset',
  '413 Too Large at start of the form, connection: close',
  '413 Too Large at half of the form, connection: reset',
  '403 Forbidden at half of the form, connection: keep',
  'the reply is cut in the headers',
  'the reply is lost by a reset',
  'the go-ahead is never sent',
];
const ALL = [...CUTS, ...EARLY_ANSWERS, ...DAMAGED_REPLIES, ...GO_AHEADS];
const CASES = NAMES.map((name) => {
  const found = ALL.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no case “${name}”.`);
  return found;
});

describe.skipIf(!hasOpenssl)('an upload over TLS', () => {
  let world: WireWorld;
  const before = tls.getCACertificates('default');
  beforeAll(async () => {
    const identity = certificate('127.0.0.1');
    tls.setDefaultCACertificates([...before, identity.cert]);
    world = await openWireWorld({ proxy: { tls: identity } });
  });
  afterAll(async () => {
    await world?.close();
    tls.setDefaultCACertificates(before);
  });
  beforeEach(() => world.proxy.reset());

  it.each(CASES)('has the same result as without TLS: $name', (wireCase: WireCase) => world.expectEnd(wireCase));

  it('uses at most one retry for each handshake that is cut', async () => {
    const uploading = world.upload(world.put('Handshake.bin', FILE_BYTES));
    while (!world.proxy.seen.some(({ path }) => path === '/api2/media')) await new Promise(setImmediate);
    world.proxy.breakConnections('reset', 3);
    const journey = await uploading;
    await world.expectThereOnce(journey);
    expect(world.proxy.connectionsToBreak).toBe(0);
    expect(journey.row.attempts).toBeLessThanOrEqual(3);
  });
});

describe.skipIf(!hasOpenssl)('a certificate that is not trusted', () => {
  const before = tls.getCACertificates('default');
  afterEach(() => tls.setDefaultCACertificates(before));

  it.each([
    ['a certificate of no known authority', '127.0.0.1', false, /from an authority that Mediadesk doesn’t know/],
    ['a certificate of another host', 'elsewhere.example', true, /is for another address/],
  ])(
    'fault 16: prevents the sign-in, with the reason and without an override: %s',
    async (_, name, isKnown, message) => {
      const service = await startService();
      const identity = certificate(name);
      if (isKnown) tls.setDefaultCACertificates([...before, identity.cert]);
      const proxy = await startWireProxy(service.baseUrl, { tls: identity });
      const profile = createTestProfile(service);
      const engine = await profile.open();
      try {
        await expect(signInEngine(engine, { ...service, baseUrl: proxy.baseUrl })).rejects.toMatchObject({
          code: 'network.tls',
          message: expect.stringMatching(message),
        });
        expect(await engine.call('sites.list', null)).toEqual([]);
        expect(proxy.seen).toEqual([]);
      } finally {
        await engine.stop();
        await proxy.close();
        await service.stop();
        profile.remove();
      }
    },
  );

  it('fault 16: makes all uploads wait, without using a retry, until a trusted one replaces it', async () => {
    const identity = certificate('127.0.0.1');
    tls.setDefaultCACertificates([...before, identity.cert]);
    const world = await openWireWorld({ proxy: { tls: identity } });
    try {
      world.proxy.break({ method: 'POST', path: /^\/upload\//, break: { kind: 'stall', at: () => 1 } });
      const uploading = world.upload(world.put('Lecture.bin', FILE_BYTES));
      while (!world.proxy.seen.some(({ path }) => path.startsWith('/upload/'))) await new Promise(setImmediate);
      // From now on the certificate is not trusted.
      world.proxy.present(certificate('127.0.0.1'));
      for (;;) {
        const { blockedBy, counts } = await world.engine.call('uploads.totals', null);
        expect(counts.failed).toBe(0);
        if (blockedBy?.code === 'network.tls') break;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      world.proxy.present(identity);
      const journey = await uploading;
      expect(journey.row.attempts).toBe(0);
      await world.expectThereOnce(journey);
    } finally {
      await world.close();
    }
  });
});
