import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../../electron/engine/api/network-zones.ts';
import { Redirected, redirectTarget } from '../../../../electron/engine/uploads/delivery/sender/redirects.ts';
import { readForm } from '../../../helpers/sender/form-reading.ts';
import { failToSend, makeFile, sendFile, serve, startSending } from '../../../helpers/sender/form-sending.ts';
import { takeAll } from '../../../helpers/sender/form-taker.ts';
import type { RawPeer } from '../../../helpers/wire/raw-server.ts';

const MIB = 1024 * 1024;

/** A destination that redirects the form to a configured address. */
function movedTo(location: string, status: number, when: 'at once' | 'half-way' | 'after all') {
  return serve(async (peer: RawPeer) => {
    const head = await peer.readHead();
    if (when === 'at once') return peer.answer(status, '', { Location: location, Connection: 'close' });
    if (head.headers.has('expect')) peer.goAhead();
    if (when === 'after all') await peer.readBody(head);
    else await peer.readExactly(MIB);
    peer.answer(status, '', { Location: location, Connection: 'close' });
    if (when === 'half-way') await peer.readToEnd();
  });
}

describe('a form with a redirected destination', () => {
  it.each(
    ([307, 308] as const).flatMap((status) =>
      (['at once', 'half-way', 'after all'] as const).map((when) => [status, when] as const),
    ),
  )('is sent again to the new address when the answer %i arrives %s', async (status, when) => {
    const { server: there, got } = await takeAll();
    const server = await movedTo(there.url.href.replace('//', '//user:secret@'), status, when);
    const file = await makeFile(8 * MIB);
    const sending = await startSending(server.url, file.path);
    expect(await sending.ended).toEqual({ status: 204, sha256: file.sha256 });
    const parts = readForm(got.body(), got.boundary);
    expect(parts.map(({ name }) => name)).toEqual(['ticket', 'file']);
    expect(parts.at(-1)?.content.equals(file.content)).toBe(true);
    // The progress starts again at zero and ends with the complete file.
    expect(sending.progress).toContain(0);
    expect(sending.progress.at(-1)).toBe(file.content.length);
    expect(sending.leftovers()).toEqual({ listeners: 0, connections: 0 });
    await server.scriptsEnded();
  });

  it('is sent again to a relative new address, also with an empty file', async () => {
    const seen: string[] = [];
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      await peer.readBody(head);
      seen.push(head.requestLine);
      if (seen.length === 1) peer.answer(308, '', { Location: '../next?again=1', Connection: 'close' });
      else peer.answer(201);
    });
    const file = await makeFile(0);
    expect(await sendFile(server.url, file.path)).toMatchObject({ status: 201 });
    expect(seen).toEqual(['POST /drop/here?ticket=1 HTTP/1.1', 'POST /next?again=1 HTTP/1.1']);
  });

  it('is sent again without the credentials that the new address contains', async () => {
    const heads: ReadonlyMap<string, string>[] = [];
    const there = await serve(async (peer) => {
      const head = await peer.readHead();
      heads.push(head.headers);
      await peer.readBody(head);
      peer.answer(204);
    });
    const server = await movedTo(there.url.href.replace('//', '//user:secret@'), 307, 'after all');
    await sendFile(server.url, (await makeFile(10)).path);
    expect(heads[0]?.has('authorization')).toBe(false);
    expect(heads[0]?.has('cookie')).toBe(false);
  });

  it('fails as refused after five redirects', async () => {
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      await peer.readBody(head);
      peer.answer(307, '', { Location: '/again', Connection: 'close' });
    });
    const error = await failToSend(server.url, (await makeFile(10)).path);
    expect(error).toMatchObject({
      code: 'upload.refused',
      details: { status: 307, reason: 'redirect: more than 5 redirects', allSent: true },
    });
    expect(server.peers).toHaveLength(6);
  });

  it.each(['', 'ftp://files.example/x', 'javascript:alert(1)', 'http://', 'file:///etc/passwd'])(
    'fails as refused when the new address is %j',
    async (location) => {
      const server = await movedTo(location, 307, 'after all');
      const error = await failToSend(server.url, (await makeFile(10)).path);
      expect(error).toMatchObject({ code: 'upload.refused', details: { status: 307 } });
      expect(String(error.details?.reason)).toMatch(/^redirect: /);
      expect(server.peers).toHaveLength(1);
    },
  );
});

describe('a redirect', () => {
  const facts = { sentBytes: 0, allSent: false };
  const targetOf = (location: string, from: string, fromAddress: string) =>
    redirectTarget(new Redirected(307, location, fromAddress, facts), new URL(from), 0);

  it.each([
    ['http://store.example/x', 'https://library.example/u', '93.184.216.34', 'from https to http'],
    ['https://127.0.0.1/x', 'https://store.example/u', '93.184.216.34', 'into a private network'],
    ['https://[::1]/x', 'https://store.example/u', '93.184.216.34', 'into a private network'],
    ['https://[::ffff:10.0.0.1]/x', 'https://store.example/u', '93.184.216.34', 'into a private network'],
    ['http://169.254.169.254/latest', 'http://10.0.0.7/u', '10.0.0.7', 'into a private network'],
    ['http://2130706433/', 'http://store.example/u', '93.184.216.34', 'into a private network'],
    ['http://0x7f.1/', 'http://store.example/u', '192.168.1.5', 'into a private network'],
    ['http://0.0.0.0:22/', 'http://store.example/u', '192.168.1.5', 'into a private network'],
    ['https://192.168.1.1/x', 'https://store.example/u', '', 'into a private network'],
  ])('to %s is not followed from %s (%s)', (location, from, fromAddress, reason) => {
    expect(() => targetOf(location, from, fromAddress)).toThrow(
      expect.objectContaining({
        code: 'upload.refused',
        details: expect.objectContaining({ reason: `redirect: ${reason}` }),
      }),
    );
  });

  it.each([
    ['http://10.0.0.8/x', 'http://store.lan/u', '10.0.0.7'],
    ['https://store.example/x', 'http://127.0.0.1/u', '127.0.0.1'],
    ['https://93.184.216.35:8443/x', 'https://store.example/u', '93.184.216.34'],
    ['//store2.example/x', 'https://store.example/u', '93.184.216.34'],
  ])('to %s is followed from %s (%s)', (location, from, fromAddress) => {
    expect(targetOf(location, from, fromAddress).url.protocol).toMatch(/^https?:$/);
  });

  it('to a name that resolves to this computer is refused for a store on the internet when it connects', async () => {
    const { lookup } = targetOf('http://localhost/x', 'http://store.example/u', '93.184.216.34');
    const error = await new Promise((resolve) => lookup('localhost', { all: true }, resolve));
    expect(error).toMatchObject({ code: 'upload.refused', details: { reason: 'redirect: into a private network' } });
  });

  it('to a name that resolves to this computer is followed for a store on this computer', async () => {
    const { lookup } = targetOf('http://localhost/x', 'http://127.0.0.1/u', '127.0.0.1');
    const addresses = await new Promise((resolve) => lookup('localhost', { all: true }, (_, found) => resolve(found)));
    expect((addresses as LookupAddress[]).length).toBeGreaterThan(0);
  });
});

it.each([
  ['127.255.0.1', 0],
  ['::1', 0],
  ['fe80::1', 0],
  ['::ffff:127.0.0.1', 0],
  ['172.31.255.255', 1],
  ['172.32.0.0', 2],
  ['100.64.0.1', 1],
  ['fd00::1', 1],
  ['8.8.8.8', 2],
  ['2606:4700::1', 2],
  ['no address', 2],
])('the zone of %s is %i (0: this computer, 1: a private network, 2: the internet)', (address, zone) => {
  expect(zoneOf(address)).toBe(zone);
});
