import { Agent } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundaryOf, readForm } from '../../../helpers/sender/form-reading.ts';
import { failToSend, makeFile, sendFile, serve } from '../../../helpers/sender/form-sending.ts';
import { certificate, hasOpenssl } from '../../../helpers/wire/certificate.ts';
import { type RawScript, startRawServer } from '../../../helpers/wire/raw-server.ts';

if (!hasOpenssl) console.warn('The openssl command is not here: transfers over TLS are not tested.');

async function serveTls(script: RawScript, identity: { key: string; cert: string }) {
  const server = await startRawServer(script, identity);
  onTestFinished(() => server.close());
  return server;
}

function trusting(ca?: string): Agent {
  const agent = new Agent(ca === undefined ? {} : { ca });
  onTestFinished(() => agent.destroy());
  return agent;
}

describe.skipIf(!hasOpenssl)('a transfer over TLS', () => {
  it('delivers a form byte for byte', async () => {
    const identity = certificate('127.0.0.1');
    let content: Buffer = Buffer.alloc(0);
    const server = await serveTls(async (peer) => {
      const head = await peer.readHead();
      peer.goAhead();
      const parts = readForm(await peer.readBody(head), boundaryOf(head.headers.get('content-type')));
      content = parts.at(-1)?.content ?? content;
      peer.answer(204);
    }, identity);
    const file = await makeFile(5 * 1024 * 1024 + 1);
    const result = await sendFile(server.url, file.path, { agent: trusting(identity.cert) });
    expect(result).toEqual({ status: 204, sha256: file.sha256 });
    expect(content.equals(file.content)).toBe(true);
  });

  it('ends before a byte is sent when the certificate has no trusted issuer', async () => {
    const server = await serveTls(() => {}, certificate('127.0.0.1'));
    const file = await makeFile(10);
    const error = await failToSend(server.url, file.path, { agent: trusting() });
    expect(error).toMatchObject({
      code: 'network.tls',
      details: { sentBytes: 0, allSent: false, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(server.peers.every((peer) => peer.takenBytes === 0)).toBe(true);
  });

  it('ends before a byte is sent when the certificate is for another name', async () => {
    const identity = certificate('elsewhere.example');
    const server = await serveTls(() => {}, identity);
    const file = await makeFile(10);
    const error = await failToSend(server.url, file.path, { agent: trusting(identity.cert) });
    expect(error).toMatchObject({
      code: 'network.tls',
      details: { sentBytes: 0, reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });

  it('fails as a TLS error when the destination does not use TLS', async () => {
    const server = await serve(async (peer) => {
      await peer.read();
      peer.answer(400, 'plain HTTP here');
    });
    const url = new URL(server.url);
    url.protocol = 'https:';
    const file = await makeFile(10);
    const error = await failToSend(url, file.path, { agent: trusting() });
    expect(error).toMatchObject({ code: 'network.tls', details: { sentBytes: 0 } });
  });

  it('is reported as lost, with nothing sent, when the connection breaks during the handshake', async () => {
    const server = await serve(async (peer) => {
      await peer.read();
      peer.cut();
    });
    const url = new URL(server.url);
    url.protocol = 'https:';
    const file = await makeFile(10);
    const error = await failToSend(url, file.path, { agent: trusting() });
    expect(error).toMatchObject({ code: 'upload.connection-lost', details: { sentBytes: 0, allSent: false } });
  });
});
