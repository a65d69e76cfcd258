import { describe, expect, it } from 'vitest';
import { boundaryOf, readForm } from '../../../helpers/sender/form-reading.ts';
import { failToSend, keptConnections, makeFile, sendFile, serve } from '../../../helpers/sender/form-sending.ts';

const MIB = 1024 * 1024;

describe('a connection', () => {
  it('is reused for the next file when the exchange was complete', async () => {
    let forms = 0;
    const server = await serve(async (peer) => {
      for (;;) {
        const head = await peer.readHead().catch(() => null);
        if (head === null) return;
        if (head.headers.has('expect')) peer.goAhead();
        readForm(await peer.readBody(head), boundaryOf(head.headers.get('content-type')));
        forms += 1;
        peer.answer(200, 'thank you');
      }
    });
    const agent = keptConnections();
    for (const size of [10, 300 * 1024, 0, 2 * MIB]) {
      const file = await makeFile(size);
      expect(await sendFile(server.url, file.path, { agent })).toEqual({ status: 200, sha256: file.sha256 });
    }
    expect(forms).toBe(4);
    expect(server.peers).toHaveLength(1);
  });

  it('is not reused after a refusal in the middle of a form', async () => {
    const server = await serve(async (peer, index) => {
      const head = await peer.readHead();
      if (index === 0) {
        peer.answer(403, 'no');
        await peer.untilGone();
        return;
      }
      peer.goAhead();
      await peer.readBody(head);
      peer.answer(204);
    });
    const agent = keptConnections();
    const file = await makeFile(MIB);
    await failToSend(server.url, file.path, { agent });
    expect(await sendFile(server.url, file.path, { agent })).toMatchObject({ status: 204 });
    expect(server.peers).toHaveLength(2);
    await server.scriptsEnded();
  });

  it('that the destination closed while it was idle costs no attempt: the file is sent over a new connection', async () => {
    const requests: number[] = [];
    const server = await serve(async (peer, index) => {
      const head = await peer.readHead();
      requests.push(index);
      if (head.headers.has('expect')) peer.goAhead();
      await peer.readBody(head);
      peer.answer(204);
      // The destination closes the connection as idle just when the next request is sent.
      await peer.read(1);
      peer.reset();
    });
    const agent = keptConnections();
    const file = await makeFile(MIB);
    for (let count = 0; count < 3; count += 1) {
      expect(await sendFile(server.url, file.path, { agent })).toEqual({ status: 204, sha256: file.sha256 });
    }
    expect(requests).toEqual([0, 1, 2]);
  });

  it('is reported as lost when it breaks after bytes of the file were sent', async () => {
    const server = await serve(async (peer) => {
      for (;;) {
        const head = await peer.readHead();
        peer.goAhead();
        if (peer.takenBytes > MIB) break;
        await peer.readBody(head);
        peer.answer(204);
      }
      await peer.readExactly(4 * MIB);
      peer.reset();
    });
    const agent = keptConnections();
    const small = await makeFile(MIB);
    const big = await makeFile(24 * MIB);
    await sendFile(server.url, small.path, { agent });
    const error = await failToSend(server.url, big.path, { agent });
    expect(error).toMatchObject({ code: 'upload.connection-lost', details: { allSent: false } });
    expect(server.peers).toHaveLength(1);
  });
});
