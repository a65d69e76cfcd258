import { afterEach, describe, expect, test } from 'vitest';
import { type JournalEntry, redactPath } from '../../../../service/site/journal.ts';
import { clientFor, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);
afterEach(() => service.control('DELETE', '/faults'));

const journal = async (after = 0) =>
  (await service.control<{ items: JournalEntry[] }>('GET', `/journal?after=${after}`)).items;
const fault = (rule: Record<string, unknown>) => service.control('POST', '/faults', rule);
const count = async () => (await admin.get('/api2/media/count')).body.count as number;

describe('the control port', () => {
  test('refuses requests without its token', async () => {
    for (const authorization of ['', 'Bearer x', `Bearer ${admin.tokens.access_token}`]) {
      expect((await fetch(`${service.controlUrl}/settings`, { headers: { authorization } })).status).toBe(401);
      expect(
        (await fetch(`${service.controlUrl}/faults`, { method: 'POST', body: '{}', headers: { authorization } }))
          .status,
      ).toBe(401);
    }
  });

  test('listens on loopback and on a port of its own', () => {
    expect(service.controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(service.controlUrl).not.toBe(service.baseUrl);
  });

  test('keeps settings after a restart, and refuses unknown ones', async () => {
    await service.control('PATCH', '/settings', { page_size: { default: 7 }, access_token_s: 1234 });
    await service.restart();
    expect(await service.control('GET', '/settings')).toMatchObject({
      page_size: { default: 7, max: null },
      access_token_s: 1234,
    });
    await expect(service.control('PATCH', '/settings', { colour: 'red' })).rejects.toThrow('422');
    await expect(service.control('PATCH', '/settings', { access_token_s: -1 })).rejects.toThrow('422');
    await service.control('PATCH', '/settings', { page_size: { default: null }, access_token_s: 3600 });
  });
});

describe('a fault', () => {
  test('of kind status answers as often as its rule says, and these requests have no effect', async () => {
    const before = await count();
    await fault({
      method: 'POST',
      path: '^/api2/media$',
      times: 2,
      action: { kind: 'status', status: 502, body: 'Bad gateway' },
    });
    for (let round = 0; round < 2; round += 1) {
      const answer = await admin.post('/api2/media', { title: 'x', collection_id: '1' });
      expect([answer.status, answer.text]).toEqual([502, 'Bad gateway']);
    }
    expect(await count()).toBe(before);
    expect((await admin.post('/api2/media', { title: 'x', collection_id: '1' })).status).toBe(201);
  });

  test('can begin at the nth match and continue without end', async () => {
    await fault({ path: '^/api2/collections$', nth: 2, times: null, action: { kind: 'status', status: 500 } });
    const statuses = [];
    for (let round = 0; round < 4; round += 1) statuses.push((await admin.get('/api2/collections')).status);
    expect(statuses).toEqual([200, 500, 500, 500]);
  });

  test('of kind delay sends the normal answer later', async () => {
    await fault({ path: '^/api2/collections$', action: { kind: 'delay', ms: 300 } });
    const startedAt = performance.now();
    expect((await admin.get('/api2/collections')).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(290);
  });

  test('of kind reset closes the connection in the middle of the request body, and nothing is stored', async () => {
    const item = await admin.createItem('Reset');
    const { body, location } = await admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 9_000_000 });
    await fault({ method: 'POST', path: '^/upload/', action: { kind: 'reset', afterBytes: 5_000_000 } });
    const after = (await journal()).at(-1)?.seq;
    await expect(sendForm(body.upload, 'a', Buffer.alloc(9_000_000))).rejects.toThrow();
    expect((await admin.get(location)).body.status).toBe('uploading');
    const entry = (await journal(after)).find(({ path }) => path?.startsWith('/upload'));
    expect(entry).toMatchObject({ status: null, fault: 'reset', effects: [] });
    // Bytes that arrived at the socket but were not yet passed on when the reset came are not counted.
    expect(entry?.received_bytes).toBeGreaterThan(4_500_000);
    expect(entry?.received_bytes).toBeLessThan(9_000_000);
    expect((await sendForm(body.upload, 'a', Buffer.alloc(9_000_000))).status).toBe(204);
  });

  test('of kind lose-reply carries out the request and closes the connection without an answer', async () => {
    const before = await count();
    const after = (await journal()).at(-1)?.seq;
    await fault({ method: 'POST', path: '^/api2/media$', action: { kind: 'lose-reply' } });
    await expect(admin.post('/api2/media', { title: 'Lost', collection_id: '1' })).rejects.toThrow();
    expect(await count()).toBe(before + 1);
    const entry = (await journal(after)).find(({ fault: kind }) => kind === 'lose-reply');
    expect(entry).toMatchObject({ status: null, effects: [{ name: 'media-created' }] });
  });

  test('of kind lose-reply on an upload keeps the bytes', async () => {
    const item = await admin.createItem('Lost upload');
    const { body } = await admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 5 });
    await fault({ path: '^/upload/', action: { kind: 'lose-reply' } });
    await expect(sendForm(body.upload, 'a', Buffer.from('bytes'))).rejects.toThrow();
    expect(await service.control('GET', `/files/${body.id}/sha256`)).toMatchObject({ size: 5 });
  });

  test('of kind stall reads the given number of bytes, never answers, and stores nothing', async () => {
    const item = await admin.createItem('Stall');
    const { body, location } = await admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 9_000_000 });
    await fault({ method: 'POST', path: '^/upload/', action: { kind: 'stall', afterBytes: 1_000_000 } });
    await fault({ path: '^/api2/media/count$', action: { kind: 'stall' } });
    const { upload_url, upload_file_param, upload_post_params } = body.upload.protocols.form_data;
    const form = new FormData();
    for (const [name, value] of Object.entries(upload_post_params)) form.set(name, value as string);
    form.set(upload_file_param, new File([Buffer.alloc(9_000_000)], 'a'));
    const soon = () => AbortSignal.timeout(700);
    await expect(fetch(upload_url, { method: 'POST', body: form, signal: soon() })).rejects.toThrow('timeout');
    await expect(fetch(`${service.baseUrl}/api2/media/count`, { signal: soon() })).rejects.toThrow('timeout');
    expect((await admin.get(location)).body.status).toBe('uploading');
    expect((await sendForm(body.upload, 'a', Buffer.alloc(9_000_000))).status).toBe(204);
  });

  test.each([0, 10])(
    'of kind truncate carries out the request and closes the connection after %i bytes of the answer’s body',
    async (afterBytes) => {
      const before = await count();
      await fault({ method: 'POST', path: '^/api2/media$', action: { kind: 'truncate', afterBytes } });
      const response = await fetch(`${service.baseUrl}/api2/media`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.tokens.access_token}` },
        body: JSON.stringify({ title: 'Truncated', collection_id: '1' }),
      });
      expect(response.status).toBe(201);
      let read = 0;
      const reading = async () => {
        for await (const chunk of response.body ?? []) read += chunk.length;
      };
      await expect(reading()).rejects.toThrow();
      expect(read).toBe(afterBytes);
      expect(await count()).toBe(before + 1);
    },
  );

  test('of kind garble replaces the body of the answer with unreadable bytes of the same length', async () => {
    const whole = (await admin.get('/api2/collections')).text;
    await fault({ path: '^/api2/collections$', action: { kind: 'garble' } });
    const response = await fetch(`${service.baseUrl}/api2/collections`, {
      headers: { authorization: `Bearer ${admin.tokens.access_token}` },
    });
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(Buffer.byteLength(whole));
    expect(() => JSON.parse(bytes.toString())).toThrow();
    expect((await admin.get('/api2/collections')).text).toBe(whole);
  });

  test('never acts with a probability of 0, and only sometimes with 0.5', async () => {
    const action = { kind: 'status', status: 500 };
    await fault({ path: '^/api2/collections$', times: null, probability: 0, action });
    await fault({ path: '^/api2/media/count$', times: null, probability: 0.5, action });
    const statuses = new Set<number>();
    for (let round = 0; round < 60; round += 1) {
      statuses.add((await admin.get('/api2/media/count')).status);
      expect((await admin.get('/api2/collections')).status).toBe(200);
    }
    expect([...statuses].sort()).toEqual([200, 500]);
  });

  test('is refused when its rule is invalid', async () => {
    for (const rule of [
      {},
      { path: '(', action: { kind: 'delay', ms: 1 } },
      { path: 'x', action: { kind: 'explode' } },
    ]) {
      await expect(fault(rule)).rejects.toThrow('422');
    }
  });
});

describe('the journal', () => {
  test('contains reads and writes with their status and their effects', async () => {
    await service.control('DELETE', '/journal');
    const item = await admin.createItem('Noted');
    await admin.get(item);
    await admin.get('/api2/media/99999?secret=x');
    expect(await journal()).toMatchObject([
      {
        method: 'POST',
        path: '/api2/media',
        status: 201,
        effects: [{ name: 'media-created', media_id: Number(item.split('/').at(-1)) }],
      },
      { method: 'GET', path: item, status: 200, effects: [] },
      { method: 'GET', path: '/api2/media/99999', status: 404, effects: [] },
    ]);
  });

  test('contains no signed part of a URL of an upload or a download, and neither does the log', async () => {
    const logged = service.log().length;
    await service.control('DELETE', '/journal');
    const item = await admin.createItem('Signed');
    const { body, location } = await admin.post(`${item}/files`, {
      upload_name: 'a.bin',
      upload_size: 5,
      upload_type: 'blob',
    });
    const { upload_url, postprocess_url } = body.upload.protocols.form_data;
    expect((await sendForm(body.upload, 'a.bin', Buffer.from('bytes'))).status).toBe(204);
    expect((await fetch(postprocess_url, { method: 'POST', body: new URLSearchParams() })).status).toBe(204);
    const { links } = await admin.processed(location);
    const cdn_url = (await admin.get(`${links.content}?json`)).body.location;
    expect(await (await fetch(cdn_url)).text()).toBe('bytes');
    // A second upload, and signatures that are not valid.
    expect((await sendForm(body.upload, 'a.bin', Buffer.from('again'))).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(`${postprocess_url}x`, { method: 'POST' })).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(cdn_url.replace('/a.bin', 'x/a.bin'))).status).toBeGreaterThanOrEqual(400);

    const entries = await journal();
    const paths = entries.map(({ path }) => path).filter((path) => path?.includes('…'));
    const [sent, completed, read] = ['/upload/…', '/postprocess/…', '/cdn/…/a.bin'];
    expect(paths).toEqual([sent, completed, read, sent, completed, read]);
    const written = JSON.stringify(entries) + service.log().slice(logged);
    for (const url of [upload_url, postprocess_url, cdn_url]) {
      const [, , signed = ''] = new URL(url).pathname.split('/');
      expect(signed.length).toBeGreaterThan(20);
      // Neither the whole part nor its signature alone.
      for (const secret of [signed, signed.split('.').at(-1) ?? '']) expect(written).not.toContain(secret);
    }
  });

  test('contains each path without its signature and its query', () => {
    expect(redactPath('/upload/abc.def?x=1')).toBe('/upload/…');
    expect(redactPath('/cdn/abc.def/name.wav')).toBe('/cdn/…/name.wav');
    expect(redactPath('/postprocess/abc.def')).toBe('/postprocess/…');
    expect(redactPath('/api2/media/1?search=x')).toBe('/api2/media/1');
  });
});
