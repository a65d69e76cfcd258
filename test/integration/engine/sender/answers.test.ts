import { describe, expect, it } from 'vitest';
import {
  failToSend,
  failureOf,
  makeFile,
  sendFile,
  serve,
  startSending,
} from '../../../helpers/sender/form-sending.ts';
import { turns } from '../../../helpers/sender/form-turns.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';
import type { RawPeer } from '../../../helpers/wire/raw-server.ts';

const MIB = 1024 * 1024;

/** Returns a receiver that reads the complete form, then answers as configured. */
function afterTheForm(answer: (peer: RawPeer) => void | Promise<void>) {
  return serve(async (peer) => {
    const head = await peer.readHead();
    if (head.headers.has('expect')) peer.goAhead();
    await peer.readBody(head);
    await answer(peer);
  });
}

describe('an answer after the complete form', () => {
  it.each([
    [200, '<html>Thank you</html>', {}],
    [200, '', {}],
    [201, '', {}],
    [202, '', {}],
    [203, '', {}],
    [204, '', {}],
    [226, '', {}],
    [302, '', {}],
    [303, '', { Location: '/elsewhere' }],
  ])('is an acceptance with status %i and the text %j', async (status, body, headers) => {
    const server = await afterTheForm((peer) => peer.answer(status, body, headers));
    const file = await makeFile(10);
    expect(await sendFile(server.url, file.path)).toEqual({ status, sha256: file.sha256 });
    expect(server.peers).toHaveLength(1);
  });

  it.each([301, 302, 303])('is an acceptance with status %i, and the named page is not fetched', async (status) => {
    const elsewhere = await serve(() => {});
    const server = await afterTheForm((peer) => peer.answer(status, 'moved', { Location: elsewhere.url.href }));
    const file = await makeFile(300 * 1024);
    expect(await sendFile(server.url, file.path)).toEqual({ status, sha256: file.sha256 });
    expect(elsewhere.peers).toHaveLength(0);
    expect(server.peers).toHaveLength(1);
  });

  it.each([
    [400, 'upload.refused'],
    [401, 'upload.refused'],
    [403, 'upload.refused'],
    [409, 'upload.refused'],
    [413, 'upload.refused'],
    [404, 'upload.destination-lost'],
    [410, 'upload.destination-lost'],
    [408, 'api.server-error'],
    [429, 'api.server-error'],
    [500, 'api.server-error'],
    [502, 'api.server-error'],
    [503, 'api.server-error'],
    [504, 'api.server-error'],
    [507, 'api.server-error'],
    [520, 'api.server-error'],
    [501, 'upload.refused'],
    [499, 'upload.connection-lost'],
  ])('with status %i means %s, and the error has the status and the text', async (status, code) => {
    for (const connection of ['keep-alive', 'close']) {
      const server = await afterTheForm((peer) => {
        peer.answer(status, 'the words', { Connection: connection });
        if (connection === 'close') peer.halfClose();
      });
      const file = await makeFile(10);
      const error = await failToSend(server.url, file.path);
      expect(error).toMatchObject({ code, details: { status, answer: 'the words', sentBytes: 10 } });
    }
  });

  it('is classified by its status when its text is truncated', async () => {
    const server = await afterTheForm((peer) => {
      peer.write('HTTP/1.1 403 No\r\nContent-Length: 1000\r\n\r\nquota');
      peer.halfClose();
    });
    const file = await makeFile(10);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code: 'upload.refused', details: { status: 403, answer: 'quota' } });
  });

  it('is classified by its status when it is longer than announced, and the connection is not reused', async () => {
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      await peer.readBody(head);
      peer.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and much more than that');
    });
    const file = await makeFile(10);
    const outcome = await (await startSending(server.url, file.path)).ended;
    expect(outcome).toMatchObject({ status: 200 });
    await server.peers[0]?.untilGone();
  });

  it('counts as a lost connection when it breaks off within its head', async () => {
    const server = await afterTheForm((peer) => {
      peer.write('HTTP/1.1 200 OK\r\nContent-Len');
      peer.halfClose();
    });
    const file = await makeFile(10);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code: 'upload.connection-lost', details: { allSent: true, sentBytes: 10 } });
  });

  it.each([
    ['control characters', '\u0000\u0001\u0002 what is this\r\n\r\n'],
    ['the greeting of SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['headers without an end', `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(100_000)}`],
  ])('counts as a lost connection when it is not HTTP (%s)', async (_kind, text) => {
    const server = await afterTheForm((peer) => peer.write(text));
    const file = await makeFile(10);
    const error = await failToSend(server.url, file.path);
    expect(error.code).toBe('upload.connection-lost');
    expect(error.details?.reason).toMatch(/^HPE_/);
    await server.peers[0]?.untilGone();
  });

  it('counts as a lost connection when it switches protocols', async () => {
    const server = await afterTheForm((peer) =>
      peer.write('HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    );
    const file = await makeFile(10);
    const error = await failToSend(server.url, file.path);
    expect(error.code).toBe('upload.connection-lost');
  });

  it('is awaited after interim responses', async () => {
    const server = await afterTheForm((peer) => {
      peer.write('HTTP/1.1 102 Processing\r\n\r\n');
      peer.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
      peer.answer(201);
    });
    const file = await makeFile(10);
    expect(await sendFile(server.url, file.path)).toMatchObject({ status: 201 });
  });

  it.each([
    [200, { status: 200 }],
    [403, { error: { code: 'upload.refused', details: { status: 403 } } }],
  ])('is read only in part when it is endless, and is classified by its status %i', async (status, expected) => {
    let wroteBytes = 0;
    const server = await afterTheForm(async (peer) => {
      peer.write(`HTTP/1.1 ${status} Status\r\nTransfer-Encoding: chunked\r\n\r\n`);
      const chunk = Buffer.alloc(16 * 1024, 'x');
      while (!peer.socket.destroyed) {
        peer.write(`${chunk.length.toString(16)}\r\n`);
        wroteBytes += chunk.length;
        const goesOn = peer.socket.write(Buffer.concat([chunk, Buffer.from('\r\n')]));
        if (!goesOn) {
          await Promise.race(['drain', 'close'].map((event) => new Promise((next) => peer.socket.once(event, next))));
        }
        await new Promise(setImmediate);
      }
    });
    const file = await makeFile(10);
    const outcome = await (await startSending(server.url, file.path)).ended;
    expect(outcome).toMatchObject(expected);
    await server.peers[0]?.untilGone();
    await server.scriptsEnded();
    // The kernel buffers on both sides hold bytes in addition to those that were read.
    expect(wroteBytes).toBeLessThan(32 * MIB);
  });

  it.each([
    [200, { status: 200 }],
    [403, { error: { code: 'upload.refused', details: { status: 403 } } }],
  ])('is read up to 64 KiB, not less and not more, when it is longer (status %i)', async (status, expected) => {
    let goOn = () => {};
    const isLast = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const server = await afterTheForm(async (peer) => {
      peer.write(`HTTP/1.1 ${status} Status\r\nTransfer-Encoding: chunked\r\n\r\n`);
      // The chunk has one byte more, which never follows.
      peer.write(`10001\r\n${'x'.repeat(64 * 1024 - 1)}`);
      await isLast;
      peer.write('x');
      await peer.untilGone();
    });
    const file = await makeFile(10);
    const sending = await startSending(server.url, file.path);
    while ((server.peers[0]?.socket.bytesWritten ?? 0) < 64 * 1024) await turns(1);
    await turns(200);
    expect(sending.hasEnded()).toBe(false);
    goOn();
    expect(await sending.ended).toMatchObject(expected);
    await server.scriptsEnded();
  });

  it('that does not arrive within five minutes ends the transfer as stalled', async () => {
    const clock = new ManualClock();
    let sent = () => {};
    const allSent = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const server = await afterTheForm(() => {});
    const file = await makeFile(10);
    const sending = await startSending(server.url, file.path, { clock, onAllSent: () => sent() });
    await allSent;
    clock.advance(60_000); // Longer than a stall timeout: waiting for an answer is not a stall.
    clock.advance(239_000);
    expect(await Promise.race([sending.ended, new Promise((next) => setImmediate(next, 'waiting'))])).toBe('waiting');
    clock.advance(80_000);
    const error = await failureOf(sending);
    expect(error).toMatchObject({ code: 'upload.stalled', details: { sentBytes: 10, idleMs: 300_000 } });
    await server.peers[0]?.untilGone();
  });

  it('with status 403 ends the transfer as refused or stalled when its text never ends', async () => {
    const clock = new ManualClock();
    let trickling = () => {};
    const trickles = new Promise<void>((resolve) => {
      trickling = resolve;
    });
    const server = await afterTheForm((peer) => {
      peer.write('HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nq\r\n');
      trickling();
    });
    const file = await makeFile(10);
    const sending = await startSending(server.url, file.path, { clock });
    await trickles;
    let ended = false;
    void sending.ended.then(() => {
      ended = true;
    });
    while (!ended) {
      clock.advance(100_000);
      await new Promise(setImmediate);
    }
    const error = await failureOf(sending);
    expect(error.code === 'upload.refused' || error.code === 'upload.stalled').toBe(true);
    await server.peers[0]?.untilGone();
  });
});

describe('an answer in the middle of the form', () => {
  it.each([413, 403])('is reported with status %i while the destination still reads', async (status) => {
    const server = await serve(async (peer) => {
      await peer.readHead();
      peer.goAhead();
      await peer.readExactly(MIB);
      peer.answer(status, 'quota is used up');
      await peer.readToEnd();
    });
    const file = await makeFile(16 * MIB);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code: 'upload.refused', details: { status, answer: 'quota is used up' } });
    expect(error.details?.sentBytes).toBeLessThan(file.content.length);
    await server.scriptsEnded(); // The connection was closed, because the form was incomplete.
  });

  it('is reported when the destination stops reading, answers and closes', async () => {
    const server = await serve(async (peer) => {
      await peer.readHead();
      peer.goAhead();
      await peer.readExactly(MIB);
      peer.answer(413, 'quota is used up', { Connection: 'close' });
      peer.halfClose();
    });
    const file = await makeFile(16 * MIB);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code: 'upload.refused', details: { status: 413, answer: 'quota is used up' } });
  });

  it.each([
    [404, 'upload.destination-lost'],
    [410, 'upload.destination-lost'],
    [500, 'api.server-error'],
    [503, 'api.server-error'],
    [302, 'upload.not-received'],
    [499, 'upload.connection-lost'],
    [200, 'upload.not-received'],
    [204, 'upload.not-received'],
    [303, 'upload.not-received'],
  ])('with status %i means %s', async (status, code) => {
    const server = await serve(async (peer) => {
      await peer.readHead();
      peer.goAhead();
      await peer.readExactly(MIB);
      peer.answer(status);
      await peer.readToEnd();
    });
    const file = await makeFile(16 * MIB);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code, details: { status } });
  });
});
