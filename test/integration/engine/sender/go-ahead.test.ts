import { describe, expect, it } from 'vitest';
import { boundaryOf, readForm } from '../../../helpers/sender/form-reading.ts';
import {
  failToSend,
  failureOf,
  makeFile,
  sendFile,
  serve,
  startSending,
} from '../../../helpers/sender/form-sending.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const ASKED_FROM = 256 * 1024;

describe('the go-ahead “100 Continue”', () => {
  it.each([
    [ASKED_FROM - 1, undefined],
    [ASKED_FROM, '100-continue'],
    [ASKED_FROM + 1, '100-continue'],
  ])(
    'is requested from 256 KiB on: the head for a file of %i bytes has the Expect header %s',
    async (sizeBytes, expected) => {
      let asked: string | undefined;
      const server = await serve(async (peer) => {
        const head = await peer.readHead();
        asked = head.headers.get('expect');
        peer.goAhead();
        await peer.readBody(head);
        peer.answer(204);
      });
      const file = await makeFile(sizeBytes);
      await sendFile(server.url, file.path);
      expect(asked).toBe(expected);
    },
  );

  it('is awaited before any byte of the body is sent', async () => {
    const clock = new ManualClock();
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      // Half a second without an answer is within the timeout; bytes sent by then would have arrived.
      clock.advance(500);
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      expect(peer.socket.readableLength).toBe(0);
      peer.goAhead();
      await peer.readBody(head);
      peer.answer(204);
    });
    const file = await makeFile(ASKED_FROM);
    await sendFile(server.url, file.path, { clock });
    await server.scriptsEnded();
  });

  it('is awaited for one second, then the body is sent without it', async () => {
    const clock = new ManualClock();
    let got = false;
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      clock.advance(999);
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      expect(peer.socket.readableLength).toBe(0);
      clock.advance(1);
      const body = await peer.readBody(head);
      got = readForm(body, boundaryOf(head.headers.get('content-type')))[1]?.content.equals(file.content) ?? false;
      peer.answer(204);
    });
    const file = await makeFile(ASKED_FROM);
    await sendFile(server.url, file.path, { clock });
    await server.scriptsEnded();
    expect(got).toBe(true);
  });

  it('may arrive late, after the start of the body', async () => {
    const clock = new ManualClock();
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      clock.advance(1000);
      await peer.readExactly(1000);
      peer.goAhead();
      await peer.readExactly(Number(head.headers.get('content-length')) - 1000);
      peer.answer(204);
    });
    const file = await makeFile(ASKED_FROM);
    expect(await sendFile(server.url, file.path, { clock })).toEqual({ status: 204, sha256: file.sha256 });
  });

  it.each([
    [413, 'close'],
    [403, 'close'],
    [413, 'keep'],
    [403, 'keep'],
  ])(
    'is reported as refused when the answer is %i (%s), with status and text, and no byte of the file is sent',
    async (status, connection) => {
      let arrived = -1;
      const server = await serve(async (peer) => {
        await peer.readHead();
        peer.answer(status, '<html><style>p{}</style><p>Too large:\n  quota   is <b>2 GB</b></p></html>', {
          Connection: connection === 'close' ? 'close' : 'keep-alive',
        });
        if (connection === 'close') peer.halfClose();
        arrived = (await peer.readToEnd()).length;
      });
      const file = await makeFile(3 * 1024 * 1024);
      const sending = await startSending(server.url, file.path);
      const error = await failureOf(sending);
      expect(error.code).toBe('upload.refused');
      expect(error.message).toContain(String(status));
      expect(error.details).toEqual({ status, answer: 'Too large: quota is 2 GB', sentBytes: 0, allSent: false });
      expect(sending.progress).toEqual([]);
      await server.scriptsEnded();
      expect(arrived).toBe(0);
    },
  );

  it('is not replaced by an early status 200: the upload fails, because the file was not sent', async () => {
    const server = await serve(async (peer) => {
      await peer.readHead();
      peer.answer(200, 'Log in to this network');
    });
    const file = await makeFile(ASKED_FROM);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code: 'upload.not-received', details: { status: 200, sentBytes: 0 } });
  });

  it('is not requested in the second request, which follows an answer 417', async () => {
    const heads: (string | undefined)[] = [];
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      heads.push(head.headers.get('expect'));
      if (head.headers.has('expect')) {
        peer.answer(417);
        return;
      }
      await peer.readBody(head);
      peer.answer(201);
    });
    const file = await makeFile(ASKED_FROM);
    expect(await sendFile(server.url, file.path)).toEqual({ status: 201, sha256: file.sha256 });
    expect(heads).toEqual(['100-continue', undefined]);
  });

  it('is not requested in the second request when the 417 arrives after everything was sent', async () => {
    const clock = new ManualClock();
    let requests = 0;
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      requests += 1;
      clock.advance(1000);
      await peer.readBody(head);
      peer.answer(head.headers.has('expect') ? 417 : 204);
    });
    const file = await makeFile(ASKED_FROM);
    expect(await sendFile(server.url, file.path, { clock })).toMatchObject({ status: 204 });
    expect(requests).toBe(2);
  });

  it('counts as refused when the second request, without an Expect header, gets 417, too', async () => {
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      if (!head.headers.has('expect')) await peer.readExactly(ASKED_FROM);
      peer.answer(417, 'no');
      await peer.readToEnd();
    });
    const file = await makeFile(2 * 1024 * 1024);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code: 'upload.refused', details: { status: 417, answer: 'no' } });
  });
});
