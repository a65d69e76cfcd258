import { beforeAll, describe, expect, test } from 'vitest';
import { parseRange } from '../../../../service/cdn/byte-range.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { wav } from '../../../helpers/service/service-samples.ts';

const service = await serviceOfFile({ env: { ...process.env, PATH: '/nowhere' } });
const admin = await clientFor(service);
const item = await admin.createItem('Content');

describe('content', () => {
  let file: string;
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = wav(2);
    file = await admin.upload(item, 'Größe "x"; 1.wav', bytes);
    await admin.processed(file);
  });
  const location = async (query = '') => (await admin.get(`${file}/content?json${query}`)).body.location as string;

  test('is a redirect that must not be cached, or the same URL in JSON', async () => {
    const answer = await admin.get(`${file}/content`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('location')).toMatch(/\/cdn\//);
    expect(Buffer.from(await (await fetch(await location())).arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('is refused when its ttl has passed, and when its URL was changed', async () => {
    const url = await location('&ttl=60');
    await service.control('PATCH', '/settings', { clock_offset_ms: 59_000 });
    expect((await fetch(url)).status).toBe(200);
    await service.control('PATCH', '/settings', { clock_offset_ms: 61_000 });
    expect((await fetch(url)).status).toBe(403);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    expect((await fetch(url.replace(/(\/cdn\/.{20})./, '$1~'))).status).toBe(403);
  });

  test('of a file without bytes is 409', async () => {
    const { location: path } = await admin.post(`${item}/files`, { upload_name: 'a.wav', upload_size: 10 });
    expect((await admin.get(`${path}/content`)).status).toBe(409);
  });

  test('has a safe file name and a type', async () => {
    const { headers } = await fetch(await location());
    expect(headers.get('content-type')).toBe('audio/wav');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="Gr__e _x__ 1.wav"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22%3B%201.wav`,
    );
  });

  test('of a blob, or of a type that a browser might run, is only a download', async () => {
    const html = await admin.upload(item, 'page.html', Buffer.from('<script>alert(1)</script>'));
    await admin.processed(html);
    const { headers } = await fetch((await admin.get(`${html}/content?json`)).body.location);
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });

  test('is served in ranges', async () => {
    const url = await location();
    const part = async (range: string) => {
      const answer = await fetch(url, { headers: { range } });
      return {
        status: answer.status,
        range: answer.headers.get('content-range'),
        body: Buffer.from(await answer.arrayBuffer()),
      };
    };
    const end = bytes.length - 1;
    expect(await part('bytes=0-0')).toEqual({
      status: 206,
      range: `bytes 0-0/${bytes.length}`,
      body: bytes.subarray(0, 1),
    });
    expect(await part('bytes=100-199')).toMatchObject({ status: 206, body: bytes.subarray(100, 200) });
    expect(await part('bytes=-10')).toMatchObject({
      range: `bytes ${end - 9}-${end}/${bytes.length}`,
      body: bytes.subarray(-10),
    });
    expect(await part('bytes=100-')).toMatchObject({ body: bytes.subarray(100) });
    expect(await part('bytes=0-99999999')).toMatchObject({ status: 206, body: bytes });
    expect(await part(`bytes=${bytes.length}-`)).toMatchObject({ status: 416, range: `bytes */${bytes.length}` });
    expect(await part('lines=1-2')).toMatchObject({ status: 200, body: bytes });
  });

  test('honors If-Range: a range for the same content, all of it for other content', async () => {
    const url = await location();
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? '';
    const ask = async (tag: string) => (await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': tag } })).status;
    expect([await ask(etag), await ask('"other"')]).toEqual([206, 200]);
  });

  test('answers HEAD with the size and no body', async () => {
    const answer = await fetch(await location(), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      String(bytes.length),
      '',
    ]);
  });

  test('is empty for an empty file', async () => {
    const empty = await admin.upload(item, 'empty.bin', Buffer.alloc(0));
    await admin.processed(empty);
    const answer = await fetch((await admin.get(`${empty}/content?json`)).body.location);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '0']);
  });
});

test.each([
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=3-5', { start: 3, end: 5 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=5-3', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  [undefined, undefined],
])('the range %j of ten bytes is %j', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range);
});
