import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientFor, type Descriptor, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { expectContinue, formParts, startUpload } from '../../../helpers/service/service-raw.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
const item = await admin.createItem('Uploads');

interface Placeholder {
  path: string;
  id: string;
  upload: Descriptor;
}

async function placeholder(size: number, name = 'bytes.bin'): Promise<Placeholder> {
  const { location, body } = await admin.post(`${item}/files`, { upload_name: name, upload_size: size });
  return { path: location, id: body.id, upload: body.upload };
}

const complete = (upload: Descriptor) => fetch(upload.protocols.form_data.postprocess_url ?? '', { method: 'POST' });
const statusOf = async (path: string): Promise<string> => (await admin.get(path)).body.status;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const stored = (id: string) =>
  service.control<{ sha256: string; size: number; received_name: string }>('GET', `/files/${id}/sha256`);
const halfFiles = () => readdirSync(join(service.dataDir, 'incoming'));

describe('a complete upload', () => {
  test.each([0, 1, 4095, 4096, 65_536, 4 * 1024 * 1024, 5_000_001, 20_971_520])(
    'of %i bytes is stored unchanged',
    async (size) => {
      const bytes = randomBytes(size);
      const { id, path, upload } = await placeholder(size);
      expect(await statusOf(path)).toBe('uploading');
      expect((await sendForm(upload, 'bytes.bin', bytes)).status).toBe(204);
      expect(await statusOf(path)).toBe('uploading');
      expect(await stored(id)).toMatchObject({ sha256: sha256(bytes), size });
      expect((await complete(upload)).status).toBe(204);
      expect((await admin.processed(path)).status).toBe('complete');
      expect(halfFiles()).toEqual([]);
    },
  );

  test('that contains text like its own boundary is stored unchanged', async () => {
    const { upload, id } = await placeholder(3_000_000);
    const { head, tail, contentType, url } = formParts(upload, 'a.bin');
    const bytes = Buffer.concat(Array(200_000).fill(Buffer.from('\r\n--x-boundary-'))).subarray(0, 3_000_000);
    const body = Buffer.concat([head, bytes, tail]);
    expect((await fetch(url, { method: 'POST', body, headers: { 'content-type': contentType } })).status).toBe(204);
    expect((await stored(id)).sha256).toBe(sha256(bytes));
  });

  test.each([
    ['a "quoted" name.wav', 'a %22quoted%22 name.wav'],
    ['Größe – 日本語 😀.wav', 'Größe – 日本語 😀.wav'],
    ['back\\slash.wav', 'back\\slash.wav'],
    ['50%25 off.wav', '50%25 off.wav'],
    ['../../etc/passwd', '../../etc/passwd'],
    ['semi;colon=1.wav', 'semi;colon=1.wav'],
  ])('keeps the name %j unchanged', async (name, escaped) => {
    const { upload, id, path } = await placeholder(1, name);
    const { head, tail, contentType, url } = formParts(upload, escaped);
    const body = Buffer.concat([head, Buffer.from('x'), tail]);
    expect((await fetch(url, { method: 'POST', body, headers: { 'content-type': contentType } })).status).toBe(204);
    expect((await stored(id)).received_name).toBe(name);
    expect((await admin.get(path)).body.display_name).toBe(name);
  });

  test('sent without a length, in chunks, is accepted too', async () => {
    const bytes = randomBytes(300_000);
    const { upload, id } = await placeholder(bytes.length);
    const { head, tail, contentType, url } = formParts(upload, 'a.bin');
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers: { 'content-type': contentType } });
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
      for (const part of [head, bytes.subarray(0, 7), bytes.subarray(7), tail]) request.write(part);
      request.end();
    });
    expect(status).toBe(204);
    expect((await stored(id)).sha256).toBe(sha256(bytes));
  });

  test('sent a second time replaces the first one, until the upload is completed', async () => {
    const { upload, id } = await placeholder(3);
    await sendForm(upload, 'a', Buffer.from('one'));
    expect((await sendForm(upload, 'a', Buffer.from('two'))).status).toBe(204);
    expect((await stored(id)).sha256).toBe(sha256(Buffer.from('two')));
    await complete(upload);
    expect((await sendForm(upload, 'a', Buffer.from('six'))).status).toBe(409);
    expect((await stored(id)).sha256).toBe(sha256(Buffer.from('two')));
  });

  test('begun a second time ends the first one with 409 and deletes its bytes, however many begin', async () => {
    const size = 2_000_000;
    const { upload, id } = await placeholder(size);
    const parts = formParts(upload, 'a.bin');
    const length = parts.head.length + size + parts.tail.length;
    const headers = { 'content-type': parts.contentType, 'content-length': length };
    const sending = Array.from({ length: 8 }, () => {
      const request = httpRequest(parts.url, { method: 'POST', headers });
      const status = new Promise<number | undefined>((resolve, reject) => {
        request.on('response', (response) => resolve(response.resume().statusCode));
        request.on('error', reject);
      });
      request.write(parts.head);
      request.write(Buffer.alloc(size / 2));
      return { request, status };
    });
    const open = new Set(sending);
    for (const each of sending) each.status.finally(() => open.delete(each));
    await expect.poll(() => [open.size, halfFiles().length]).toEqual([1, 1]);
    for (const { request } of open) request.end(Buffer.concat([Buffer.alloc(size / 2), parts.tail]));
    const statuses = await Promise.all(sending.map(({ status }) => status));
    for (const { request } of sending) request.destroy();
    expect(statuses.sort()).toEqual([204, ...Array(7).fill(409)]);
    expect((await stored(id)).sha256).toBe(sha256(Buffer.alloc(size)));
    expect(halfFiles()).toEqual([]);
  });

  test('replaces one whose client has lost its connection without a sign of it', async () => {
    const { upload, id } = await placeholder(5_000_000);
    const lost = await startUpload(upload, 5_000_000, Buffer.alloc(3_000_000));
    await expect.poll(() => halfFiles().length).toBe(1);
    const bytes = randomBytes(5_000_000);
    expect((await sendForm(upload, 'a', bytes)).status).toBe(204);
    expect((await stored(id)).sha256).toBe(sha256(bytes));
    expect(halfFiles()).toEqual([]);
    lost.abort();
  });

  test('may be one of many on the same connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 15; round += 1) {
      const { upload } = await placeholder(3);
      const { head, tail, contentType, url } = formParts(upload, 'a.bin');
      const status = await new Promise((resolve, reject) => {
        const request = httpRequest(url, { method: 'POST', agent, headers: { 'content-type': contentType } });
        request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
        request.on('error', reject);
        request.end(Buffer.concat([head, Buffer.from('abc'), tail]));
      });
      expect(status).toBe(204);
    }
    agent.destroy();
    expect(service.log()).not.toContain('Warning');
  });

  test('needs no access token, and its destination is outside of the API', async () => {
    const { upload } = await placeholder(1);
    expect(upload.protocols.form_data.upload_url).not.toContain('/api2');
    expect((await sendForm(upload, 'a', Buffer.from('x'))).status).toBe(204);
  });
});

describe('the completion of an upload', () => {
  test('may be repeated and then changes nothing', async () => {
    const { upload, path } = await placeholder(1);
    await sendForm(upload, 'a', Buffer.from('x'));
    expect((await complete(upload)).status).toBe(204);
    const file = await admin.processed(path);
    expect((await complete(upload)).status).toBe(204);
    expect(await admin.get(path).then(({ body }) => body)).toEqual(file);
  });

  test('is refused before the bytes have arrived', async () => {
    const { upload, path } = await placeholder(1);
    expect((await complete(upload)).status).toBe(409);
    expect(await statusOf(path)).toBe('uploading');
  });

  test('is refused in read-only mode, but the bytes are accepted', async () => {
    const { upload, path } = await placeholder(1);
    await service.control('PATCH', '/settings', { read_only: true });
    expect((await sendForm(upload, 'a', Buffer.from('x'))).status).toBe(204);
    expect((await complete(upload)).status).toBe(503);
    await service.control('PATCH', '/settings', { read_only: false });
    expect((await complete(upload)).status).toBe(204);
    expect((await admin.processed(path)).status).toBe('complete');
  });
});

describe('an invalid upload is refused and leaves nothing behind', () => {
  async function expectRefused(
    status: number,
    send: (upload: Descriptor) => Promise<{ status: number }>,
    size = 10,
  ): Promise<void> {
    const { upload, path, id } = await placeholder(size);
    expect((await send(upload)).status).toBe(status);
    expect(await statusOf(path)).toBe('uploading');
    await expect(stored(id)).rejects.toThrow('404');
    await expect.poll(halfFiles).toEqual([]);
    // The placeholder is still usable.
    expect((await sendForm(upload, 'a', Buffer.alloc(size))).status).toBe(204);
  }
  const params = (upload: Descriptor) => upload.protocols.form_data;
  const sendFields = (upload: Descriptor, fields: [string, string | Blob][]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return fetch(params(upload).upload_url, { method: 'POST', body: form });
  };
  const file = (size = 10) => new File([Buffer.alloc(size)], 'a.bin');

  test('when it is one byte short', () => expectRefused(400, (upload) => sendForm(upload, 'a', Buffer.alloc(9))));
  test('when it is one byte too long', () => expectRefused(400, (upload) => sendForm(upload, 'a', Buffer.alloc(11))));
  test('when it is far too long', () => expectRefused(413, (upload) => sendForm(upload, 'a', Buffer.alloc(200_000))));
  test('when a large file is one byte too long', () =>
    expectRefused(400, (upload) => sendForm(upload, 'a', Buffer.alloc(6_000_001)), 6_000_000));
  test('when a large file is one byte short', () =>
    expectRefused(400, (upload) => sendForm(upload, 'a', Buffer.alloc(5_999_999)), 6_000_000));
  test('without its fields', () => expectRefused(403, (upload) => sendFields(upload, [['file', file()]])));
  test('with a changed field', () =>
    expectRefused(403, (upload) =>
      sendFields(upload, [...Object.entries({ ...params(upload).upload_post_params, policy: 'x' }), ['file', file()]]),
    ));
  test('with the fields behind the file', () =>
    expectRefused(403, (upload) =>
      sendFields(upload, [['file', file()], ...Object.entries(params(upload).upload_post_params)]),
    ));
  test('with the file in another field', () =>
    expectRefused(400, (upload) =>
      sendFields(upload, [...Object.entries(params(upload).upload_post_params), ['data', file()]]),
    ));
  test('without a file', () =>
    expectRefused(400, (upload) => sendFields(upload, Object.entries(params(upload).upload_post_params))));
  test('with two files', () =>
    expectRefused(400, (upload) =>
      sendFields(upload, [...Object.entries(params(upload).upload_post_params), ['file', file()], ['file', file(3)]]),
    ));
  test('with a field behind the file', () =>
    expectRefused(400, (upload) =>
      sendFields(upload, [...Object.entries(params(upload).upload_post_params), ['file', file()], ['more', 'x']]),
    ));
  test('with hundreds of fields', () =>
    expectRefused(400, (upload) =>
      sendFields(upload, [
        ...Array.from({ length: 300 }, (_, index): [string, string] => [`f${index}`, 'x']),
        ['file', file()],
      ]),
    ));

  const raw = (contentType: string, body: (upload: Descriptor) => Buffer<ArrayBuffer>) => (upload: Descriptor) =>
    fetch(params(upload).upload_url, { method: 'POST', body: body(upload), headers: { 'content-type': contentType } });
  test('when it is no form', () =>
    expectRefused(
      400,
      raw('application/json', () => Buffer.from('{"a": "0123456789"}')),
    ));
  test('when its form has no boundary', () =>
    expectRefused(
      400,
      raw('multipart/form-data', () => Buffer.alloc(300)),
    ));
  test('when its form is random bytes', () =>
    expectRefused(
      400,
      raw('multipart/form-data; boundary=x', () => randomBytes(3000)),
    ));
  test('when its form ends within the file', () =>
    expectRefused(
      400,
      raw('multipart/form-data; boundary=x-boundary-x', (upload) =>
        Buffer.concat([formParts(upload, 'a').head, Buffer.alloc(10)]),
      ),
    ));
  test('when its form ends within the fields', () =>
    expectRefused(
      400,
      raw('multipart/form-data; boundary=x-boundary-x', (upload) => formParts(upload, 'a').head.subarray(0, 200)),
    ));

  test('when the client disconnects during the body', async () => {
    const { upload, path } = await placeholder(8_000_000);
    const sending = await startUpload(upload, 8_000_000, Buffer.alloc(3_000_000));
    await expect.poll(() => halfFiles().length).toBe(1);
    sending.abort();
    await expect.poll(halfFiles).toEqual([]);
    expect(await statusOf(path)).toBe('uploading');
    expect((await sendForm(upload, 'a', Buffer.alloc(8_000_000))).status).toBe(204);
  });

  test('when its URL is invented or changed', async () => {
    const { upload } = await placeholder(1);
    const { upload_url } = params(upload);
    for (const url of [`${service.baseUrl}/upload/x`, `${upload_url.slice(0, -2)}xx`, `${upload_url}.x`]) {
      const form = new FormData();
      form.set('file', file(1));
      expect((await fetch(url, { method: 'POST', body: form })).status).toBe(403);
    }
    expect((await fetch(`${service.baseUrl}/postprocess/x`, { method: 'POST' })).status).toBe(403);
  });
});

describe('with Expect: 100-continue, the service', () => {
  async function ask(upload: Descriptor, size: number) {
    const { head, tail, contentType, url } = formParts(upload, 'a.bin');
    const body = Buffer.concat([head, Buffer.alloc(size), tail]);
    return expectContinue(url, { 'content-type': contentType, 'content-length': String(body.length) }, body);
  }

  test('accepts a valid upload', async () => {
    const { upload } = await placeholder(5000);
    expect(await ask(upload, 5000)).toMatchObject({ status: 204, continued: true });
  });

  test('refuses a form that is too long or too short before its body is sent: 413 and 400', async () => {
    const { upload } = await placeholder(5000);
    const long = await ask(upload, 500_000);
    expect(long).toMatchObject({ status: 413, continued: false });
    expect(JSON.parse(long.text).message).toBeTruthy();
    expect(await ask(upload, 10)).toMatchObject({ status: 400, continued: false });
  });

  test('refuses a wrong signature, and a deleted, complete or abandoned file, without a byte of the body', async () => {
    const { upload } = await placeholder(10);
    const changed = structuredClone(upload);
    changed.protocols.form_data.upload_url = upload.protocols.form_data.upload_url.replace(/.{3}$/, 'xxx');
    expect(await ask(changed, 10)).toMatchObject({ status: 403, continued: false });

    const gone = await placeholder(10);
    await admin.delete(gone.path);
    expect(await ask(gone.upload, 10)).toMatchObject({ status: 404, continued: false });

    const done = await placeholder(10);
    await sendForm(done.upload, 'a', Buffer.alloc(10));
    await complete(done.upload);
    expect(await ask(done.upload, 10)).toMatchObject({ status: 409, continued: false });

    const late = await placeholder(10);
    await service.control('PATCH', '/settings', { clock_offset_ms: 31 * 60_000 });
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    expect(await ask(late.upload, 10)).toMatchObject({ status: 410, continued: false });
  });

  test('requests the body of an API call as well', async () => {
    const headers = { authorization: `Bearer ${admin.tokens.access_token}`, 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify({ title: 'x', collection_id: '1' }));
    const answer = await expectContinue(
      `${service.baseUrl}/api2/media`,
      { ...headers, 'content-length': String(body.length) },
      body,
    );
    expect(answer).toMatchObject({ status: 201, continued: true });
  });
});

describe('an upload that is not completed', () => {
  test('is aborted after more than thirty minutes, and its bytes are deleted', async () => {
    const { path, upload } = await placeholder(10);
    await sendForm(upload, 'a', Buffer.alloc(10));
    await service.control('PATCH', '/settings', { clock_offset_ms: 29 * 60_000 });
    expect(await statusOf(path)).toBe('uploading');
    await service.control('PATCH', '/settings', { clock_offset_ms: 31 * 60_000 });
    expect(await statusOf(path)).toBe('aborted');
    expect((await complete(upload)).status).toBe(410);
    expect((await admin.get(`${path}/content`)).status).toBe(409);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  test('is not aborted when the thirty minutes pass in read-only mode', async () => {
    const { path } = await placeholder(10);
    await service.control('PATCH', '/settings', { read_only: true });
    await service.control('PATCH', '/settings', { clock_offset_ms: 40 * 60_000 });
    await service.control('PATCH', '/settings', { read_only: false });
    expect(await statusOf(path)).toBe('uploading');
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });
});

describe('a kill of the service', () => {
  test('during an upload leaves a placeholder in state uploading, no incomplete file, and no other change', async () => {
    const whole = await placeholder(5_000_000);
    const bytes = randomBytes(5_000_000);
    await sendForm(whole.upload, 'a', bytes);
    const half = await placeholder(50_000_000);
    await startUpload(half.upload, 50_000_000, Buffer.alloc(20_000_000));
    await expect.poll(() => halfFiles().length).toBe(1);
    await service.kill9();
    expect(halfFiles()).toHaveLength(1);
    await service.restart();
    expect(halfFiles()).toEqual([]);
    expect(await statusOf(half.path)).toBe('uploading');
    expect((await stored(whole.id)).sha256).toBe(sha256(bytes));
    expect((await complete(half.upload)).status).toBe(409);
    expect((await sendForm(half.upload, 'a', Buffer.alloc(50_000_000))).status).toBe(204);
  });

  test('during processing leaves the file in processing, and a later start completes it', async () => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 60_000 } });
    const { path, upload } = await placeholder(10);
    await sendForm(upload, 'a', Buffer.alloc(10));
    await complete(upload);
    expect(await statusOf(path)).toBe('processing');
    await service.kill9();
    await service.restart();
    expect(await statusOf(path)).toBe('processing');
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    await service.restart();
    expect((await admin.processed(path)).status).toBe('complete');
  });
});

/** The latest of the stored files. */
function storedPath(dataDir: string): string {
  const paths = readdirSync(join(dataDir, 'stored'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return paths.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? '';
}

test('none of these tests logged an internal error', () => {
  expect(service.log()).not.toContain('request failed');
});

test('a file of one gibibyte is stored with less than 200 MB of additional memory', {
  timeout: 300_000,
}, async () => {
  const size = 1024 ** 3;
  const peakKb = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]);
  await service.restart();
  await admin.get(item);
  const before = peakKb();
  const { upload, path } = await placeholder(size);
  const { head, tail, contentType, url } = formParts(upload, 'large.bin');
  const chunk = randomBytes(4 * 1024 * 1024);
  const status = await new Promise((resolve, reject) => {
    const headers = { 'content-type': contentType, 'content-length': head.length + size + tail.length };
    const request = httpRequest(url, { method: 'POST', headers });
    request.on('response', (response) => resolve(response.resume().statusCode));
    request.on('error', reject);
    request.write(head);
    let left = size / chunk.length;
    const send = () => {
      while (left > 0) {
        left -= 1;
        if (!request.write(chunk)) return void request.once('drain', send);
      }
      request.end(tail);
    };
    send();
  });
  expect(status).toBe(204);
  expect(peakKb() - before).toBeLessThan(200_000);
  expect(statSync(storedPath(service.dataDir)).size).toBe(size);
  await admin.delete(path);
});
