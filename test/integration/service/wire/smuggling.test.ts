import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { exchange, formParts } from '../../../helpers/service/service-raw.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
const item = await admin.createItem('Pipeline');

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n';
const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

async function upload(size: number) {
  const { body } = await admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: size });
  const { head, tail, contentType, url } = formParts(body.upload, 'a.bin');
  return { head, tail, contentType, path: new URL(url).pathname };
}

async function reached(): Promise<boolean> {
  const { items } = await service.control<{ items: { path: string }[] }>('GET', '/journal');
  return items.some(({ path }) => path === '/hidden');
}

describe('a request that is hidden in another one', () => {
  test.each([
    ['two different lengths', ['Content-Length: 4', `Content-Length: ${HIDDEN.length}`]],
    ['a length and chunks', [`Content-Length: ${HIDDEN.length + 5}`, 'Transfer-Encoding: chunked']],
    ['chunks and a length', ['Transfer-Encoding: chunked', `Content-Length: ${HIDDEN.length + 5}`]],
    ['chunks that are not the last encoding', ['Transfer-Encoding: chunked, identity']],
    ['an unknown encoding', ['Transfer-Encoding: xchunked']],
    ['a blank before the colon', ['Transfer-Encoding : chunked']],
    ['a folded header', ['Transfer-Encoding:\r\n chunked']],
    ['a bare line feed', ['X: y\nTransfer-Encoding: chunked']],
    ['a signed length', ['Content-Length: +5']],
    ['a length in hexadecimal', ['Content-Length: 0x5']],
  ])('by %s is not served, at the upload destination or elsewhere', async (_what, lines) => {
    const { path } = await upload(3);
    await service.control('DELETE', '/journal');
    for (const target of [path, '/api2/media', '/api2/oauth/access_token']) {
      const request = [`POST ${target} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');
      const answer = await exchange(service.baseUrl, `${request}0\r\n\r\n${HIDDEN}`, 500);
      expect(statuses(answer).filter((status) => status < 400)).toEqual([]);
    }
    expect(await reached()).toBe(false);
  });

  test('in the body of a refused upload is read as that body', async () => {
    const { path } = await upload(3);
    await service.control('DELETE', '/journal');
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`;
    expect(statuses(await exchange(service.baseUrl, head + HIDDEN, 500))).toEqual([400]);
    expect(await reached()).toBe(false);
  });

  test.each(['/upload/wrong', '/api2/media', '/nothing'])(
    'after a refused Expect: 100-continue at %s is never read as a body or as a request',
    async (target) => {
      await service.control('DELETE', '/journal');
      const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n`;
      const answer = await exchange(service.baseUrl, head + HIDDEN, 1000);
      expect(statuses(answer)).toHaveLength(1);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(await reached()).toBe(false);
    },
  );

  test('after an upload with 100-continue is served as the next request', async () => {
    const { path, head, tail, contentType } = await upload(3);
    const body = Buffer.concat([head, Buffer.from('abc'), tail]);
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Expect: 100-continue',
      `Content-Type: ${contentType}`,
      `Content-Length: ${body.length}`,
    ];
    const next = 'GET /api2/media/embed-template HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body, Buffer.from(next)]);
    const { hostname, port } = new URL(service.baseUrl);
    // The socket stays open for writing: the service treats a half-closed one as a disconnected client.
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      let text = '';
      socket.on('data', (part) => {
        text += part.toString('latin1');
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
    expect(statuses(answer)).toEqual([100, 204, 200]);
  });
});
