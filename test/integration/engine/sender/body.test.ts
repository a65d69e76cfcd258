import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';
import { buildFormParts } from '../../../../electron/engine/uploads/delivery/sender/form-parts.ts';
import { Prng } from '../../../helpers/data/prng.ts';
import { boundaryOf, readForm } from '../../../helpers/sender/form-reading.ts';
import { failToSend, makeFile, sendFile, serve, sha256Of, startSending } from '../../../helpers/sender/form-sending.ts';
import type { RequestHead } from '../../../helpers/wire/raw-server.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** A server that reads and accepts every form, and sends “100 Continue” if it is requested. `got`: the forms, in order. */
async function receive() {
  const got: { head: RequestHead; body: Buffer }[] = [];
  const server = await serve(async (peer) => {
    for (;;) {
      const head = await peer.readHead().catch(() => null);
      if (head === null) return;
      if (head.headers.has('expect')) peer.goAhead();
      got.push({ head, body: await peer.readBody(head) });
      peer.answer(204);
    }
  });
  return { url: server.url, got };
}

describe('the bytes of a form', () => {
  it('are sent in a POST to the complete address, with their exact length and without credentials', async () => {
    const { url, got } = await receive();
    const file = await makeFile(5);
    const result = await sendFile(url, file.path);
    expect(result).toEqual({ status: 204, sha256: file.sha256 });
    const [{ head, body }] = got as [{ head: RequestHead; body: Buffer }];
    expect(head.requestLine).toBe('POST /drop/here?ticket=1 HTTP/1.1');
    expect(head.headers.get('host')).toBe(url.host);
    expect(head.headers.has('authorization')).toBe(false);
    expect(head.headers.has('cookie')).toBe(false);
    expect(head.headers.has('transfer-encoding')).toBe(false);
    expect(head.headers.get('content-length')).toBe(String(body.length));
    const boundary = boundaryOf(head.headers.get('content-type'));
    expect(body.toString('latin1')).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="ticket"\r\n\r\nabc\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="recording.bin"\r\n` +
        `Content-Type: application/octet-stream\r\n\r\n${file.content.toString('latin1')}\r\n--${boundary}--\r\n`,
    );
  });

  it('are sent without the credentials that the address contains', async () => {
    const { url, got } = await receive();
    url.username = 'someone';
    url.password = 'secret';
    const file = await makeFile(5);
    await sendFile(url, file.path);
    expect(got[0]?.head.headers.has('authorization')).toBe(false);
  });

  it('contain all fields in their order, and the file last', async () => {
    const { url, got } = await receive();
    const file = await makeFile(10);
    const fields = { policy: 'p', 'x-date': '2026', empty: '', key: 'k' };
    await sendFile(url, file.path, { fields: Object.entries(fields), fileParam: 'upload' });
    const parts = readForm(got[0]?.body as Buffer, boundaryOf(got[0]?.head.headers.get('content-type')));
    expect(parts.map(({ name, fileName }) => [name, fileName])).toEqual([
      ['policy', null],
      ['x-date', null],
      ['empty', null],
      ['key', null],
      ['upload', 'recording.bin'],
    ]);
    expect(parts.slice(0, -1).map(({ content }) => content.toString())).toEqual(Object.values(fields));
  });

  it('contain only the file when there are no fields', async () => {
    const { url, got } = await receive();
    const file = await makeFile(3);
    await sendFile(url, file.path, { fields: [] });
    const parts = readForm(got[0]?.body as Buffer, boundaryOf(got[0]?.head.headers.get('content-type')));
    expect(parts.map(({ name }) => name)).toEqual(['file']);
  });

  it.each([0, 1, 255, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB + 7])(
    'contain a file of %i bytes unchanged, and the result has its SHA-256',
    async (sizeBytes) => {
      const { url, got } = await receive();
      const file = await makeFile(sizeBytes);
      const { sha256 } = await sendFile(url, file.path);
      const parts = readForm(got[0]?.body as Buffer, boundaryOf(got[0]?.head.headers.get('content-type')));
      expect(parts.at(-1)?.content.equals(file.content)).toBe(true);
      expect(sha256).toBe(file.sha256);
    },
  );

  it('are correct when the receiver reads irregularly', async () => {
    let body = Buffer.alloc(0);
    let boundary = '';
    const prng = new Prng(1);
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      boundary = boundaryOf(head.headers.get('content-type'));
      peer.goAhead();
      const chunks: Buffer[] = [];
      let missing = Number(head.headers.get('content-length'));
      while (missing > 0) {
        const chunk = await peer.read(prng.int(1, 300 * KIB));
        if (chunk === null) return;
        chunks.push(chunk);
        missing -= chunk.length;
        // The receiver is busy at random times.
        for (let turns = prng.int(0, 40); turns > 0; turns -= 1) await new Promise(setImmediate);
      }
      body = Buffer.concat(chunks);
      peer.answer(204);
    });
    const file = await makeFile(5 * MIB);
    const { sha256 } = await sendFile(server.url, file.path);
    expect(sha256Of(readForm(body, boundary).at(-1)?.content as Buffer)).toBe(file.sha256);
    expect(sha256).toBe(file.sha256);
  });

  it('are hashed only on request', async () => {
    const { url } = await receive();
    const file = await makeFile(3);
    expect(await sendFile(url, file.path, { hash: false })).toEqual({ status: 204, sha256: null });
  });

  it('are counted when they are sent: progress grows up to the size', async () => {
    const { url } = await receive();
    const file = await makeFile(3 * MIB + 7);
    const sending = await startSending(url, file.path);
    expect(await sending.ended).toMatchObject({ status: 204 });
    const reported = sending.progress;
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(new Set(reported).size).toBe(reported.length);
    expect(reported.at(-1)).toBe(file.content.length);
  });
});

describe('the boundary', () => {
  it('is new for each form, with 24 bytes of the random source', async () => {
    const { url, got } = await receive();
    const file = await makeFile(1);
    const asked: number[] = [];
    const random = {
      ...nodeRandom,
      bytes: (length: number) => {
        asked.push(length);
        return nodeRandom.bytes(length);
      },
    };
    await sendFile(url, file.path, { random });
    await sendFile(url, file.path, { random });
    const boundaries = got.map(({ head }) => boundaryOf(head.headers.get('content-type')));
    expect(new Set(boundaries).size).toBe(2);
    expect(asked).toEqual([24, 24]);
    for (const boundary of boundaries) expect(boundary).toMatch(/^-*mediadesk[0-9a-f]{48}$/);
  });

  it('is never contained in the name or value of a field', () => {
    const draws = ['aaaa', 'bbbb', 'cccc'];
    const form = { fileParam: 'file', fileName: 'a', contentType: 'video/mp4' };
    const fields = { 'x----mediadeskbbbb': '1', note: 'see ----mediadeskaaaa' };
    const { boundary } = buildFormParts(
      { ...form, fields: Object.entries(fields) },
      () => draws.shift() ?? 'none left',
    );
    expect(boundary).toBe('----mediadeskcccc');
  });

  it('cannot be forged by a file that contains boundaries of other forms', async () => {
    const { url, got } = await receive();
    const file = await makeFile(0);
    const forged = '\r\n------mediadesk0000--\r\n\r\n--\r\n';
    await writeFile(file.path, forged);
    await sendFile(url, file.path);
    const parts = readForm(got[0]?.body as Buffer, boundaryOf(got[0]?.head.headers.get('content-type')));
    expect(parts).toHaveLength(2);
    expect(parts[1]?.content.toString()).toBe(forged);
  });
});

describe('names and values', () => {
  const names = [
    'plain.mp4',
    'Vorlesung Ü – Größe, Öl & Ähren.mp4',
    'Å\u0308 nfd a\u0308.mp4',
    'recording 🎬👩🏽‍🏫.mp4',
    'say "hello".mp4',
    'line\r\nX-Evil: 1\r\n\r\nbreak.mp4',
    'back\\slash\\".mp4',
    "semi; filename=other.mp4; a='b'",
    '../../etc/passwd',
    ' leading and trailing ',
    '-dash',
    'right-to-left \u202Egpj.exe',
    `${'ü'.repeat(125)}.mp4x`,
  ];

  it.each(names)('reach the receiver unchanged: %j', async (name) => {
    const { url, got } = await receive();
    const file = await makeFile(4);
    const fields = { [name]: 'value', note: name.replaceAll('\r\n', '') };
    await sendFile(url, file.path, { fileName: name, fields: Object.entries(fields) });
    const parts = readForm(got[0]?.body as Buffer, boundaryOf(got[0]?.head.headers.get('content-type')));
    expect(parts.map((part) => [part.name, part.fileName])).toEqual([
      [name, null],
      ['note', null],
      ['file', name],
    ]);
    expect(parts[1]?.content.toString()).toBe(fields.note);
    expect(parts[2]?.content.equals(file.content)).toBe(true);
  });

  it('are sent with CR LF for each line break in a value, as browsers do it', async () => {
    const { url, got } = await receive();
    const file = await makeFile(1);
    await sendFile(url, file.path, { fields: [['note', 'a\nb\rc\r\nd']] });
    const parts = readForm(got[0]?.body as Buffer, boundaryOf(got[0]?.head.headers.get('content-type')));
    expect(parts[0]?.content.toString()).toBe('a\r\nb\r\nc\r\nd');
  });
});

describe('a destination', () => {
  it('is reported as unreachable, with nothing sent, when its port is closed', async () => {
    const server = await serve(() => {});
    await server.close();
    const file = await makeFile(10);
    const error = await failToSend(server.url, file.path);
    expect(error).toMatchObject({ code: 'network.unreachable', details: { sentBytes: 0, reason: 'ECONNREFUSED' } });
  });
});
