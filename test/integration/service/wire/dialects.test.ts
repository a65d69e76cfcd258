import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectionSchema } from '../../../../shared/api/collections.ts';
import { createdFileSchema, mediaFileSchema } from '../../../../shared/api/files.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';
import { clientFor, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { wav } from '../../../helpers/service/service-samples.ts';

/** The visible behavior of each dialect. */
const EXPECTED = {
  reference: {
    creation: expect.stringContaining('"title"'),
    update: [200, expect.stringContaining('"title"')],
    forbidden: [403, 'application/json; charset=utf-8'],
    unknown: [404, expect.stringContaining('"message"')],
    errors: [{ field: 'title', message: expect.any(String) }],
    status: 'draft',
    page: 50,
    second: 204,
    thumbs: { items: [], links: expect.any(Object) },
    tokenError: [400, 'invalid_grant'],
    location: /^\/api2\/media\/\d+$/,
    upload: 204,
  },
  lean: {
    creation: '',
    update: [204, ''],
    forbidden: [404, 'application/json; charset=utf-8'],
    unknown: [404, ''],
    errors: [expect.stringMatching(/^title: /)],
    status: 'draft',
    page: 10,
    second: 409,
    thumbs: {},
    tokenError: [401, undefined],
    location: /^http:\/\/127\.0\.0\.1:\d+\/api2\/media\/\d+$/,
    upload: 200,
  },
  strict: {
    creation: '{}',
    update: [200, '{"message":"ok"}'],
    forbidden: [403, 'text/html; charset=utf-8'],
    unknown: [404, expect.stringContaining('<p>')],
    errors: [{ title: [expect.any(String)] }],
    status: 'published',
    page: 100,
    second: 403,
    thumbs: [],
    tokenError: [400, 'invalid_grant'],
    location: /^\/api2\/media\/\d+$/,
    upload: 303,
  },
} as const;

describe.each(Object.keys(EXPECTED) as (keyof typeof EXPECTED)[])('the %s dialect', (dialect) => {
  const expected = EXPECTED[dialect];
  let service: ServiceProcess;
  let admin: ServiceClient;
  beforeAll(async () => {
    service = await startService({ dialect, seed: 'demo', env: { ...process.env, PATH: '/nowhere' } });
    admin = await clientFor(service);
  });
  afterAll(() => service.stop());

  test('answers creations and updates in its own form', async () => {
    const created = await admin.post('/api2/media', { title: 'T', collection_id: '1' });
    expect(created.status).toBe(201);
    expect(created.text).toEqual(expected.creation);
    expect(created.headers.get('location')).toMatch(expected.location);
    const item = await admin.get(created.location);
    expect(item.body.status).toBe(expected.status);
    const updated = await admin.post(created.location, { title: 'U' });
    expect([updated.status, updated.text]).toEqual(expected.update);
    expect((await admin.get(created.location)).body.title).toBe('U');
    const published = await admin.post(`${created.location}/publish`, {});
    expect(published.status).toBe(expected.update[0]);
  });

  test('answers errors in its own form', async () => {
    const viewer = await clientFor(service, 'viewer');
    const forbidden = await viewer.post('/api2/media', { title: 'x', collection_id: '1' });
    expect([forbidden.status, forbidden.headers.get('content-type')]).toEqual(expected.forbidden);
    const unknown = await admin.get('/api2/media/99999');
    expect([unknown.status, unknown.text]).toEqual(expected.unknown);
    const invalid = await admin.post('/api2/media', { title: '', collection_id: '1' });
    expect([invalid.status, invalid.body.errors]).toEqual([422, expected.errors]);
    const tokens = await fetch(`${service.baseUrl}/api2/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: 'x', client_id: service.clientId }),
    });
    expect([tokens.status, (await tokens.json()).error]).toEqual(expected.tokenError);
  });

  test('has its own page size', async () => {
    expect((await admin.get('/api2/media')).body.items).toHaveLength(expected.page);
    expect((await admin.get('/api2/media?per_page=1000')).body.items.length).toBe(
      { 50: 200, 10: 10, 100: 100 }[expected.page],
    );
  });

  test('completes an upload in its own way', async () => {
    const item = await admin.createItem('Upload');
    const { body, location } = await admin.post(`${item}/files`, { upload_name: 'a.wav', upload_size: wav().length });
    const { postprocess_url } = body.upload.protocols.form_data;
    expect((await sendForm(body.upload, 'a.wav', wav())).status).toBe(expected.upload);
    if (dialect === 'lean') {
      expect(postprocess_url).toBeUndefined();
    } else {
      expect((await admin.get(location)).body.status).toBe('uploading');
      const json = await fetch(postprocess_url, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      expect(json.status).toBe(dialect === 'strict' ? 400 : 204);
      expect((await fetch(postprocess_url, { method: 'POST', body: new URLSearchParams() })).status).toBe(204);
    }
    expect((await admin.processed(location)).status).toBe('complete');
    expect((await admin.get(`${item}/thumbs`)).body).toEqual(expected.thumbs);
  });

  test('answers a second form for the same file with its own status', async () => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 500 } });
    const item = await admin.createItem('Twice');
    const { body } = await admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 1 });
    await sendForm(body.upload, 'a', Buffer.from('a'));
    expect((await sendForm(body.upload, 'a', Buffer.from('b'))).status).toBe(expected.second);
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
  });

  test('counts the thirty minutes of an abandoned upload from the time that the dialect uses', async () => {
    const item = await admin.createItem('Slow');
    const { body, location } = await admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 1 });
    if (dialect !== 'lean') {
      await service.control('PATCH', '/settings', { clock_offset_ms: 20 * 60_000 });
      await sendForm(body.upload, 'a', Buffer.from('a'));
    }
    await service.control('PATCH', '/settings', { clock_offset_ms: 40 * 60_000 });
    expect((await admin.get(location)).body.status).toBe(dialect === 'reference' ? 'uploading' : 'aborted');
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  test('has lists and files that match the wire types', async () => {
    expect(() => listEnvelope(mediaItemSchema).parse(null)).toThrow();
    const lists = await Promise.all([admin.get('/api2/media'), admin.get('/api2/collections')]);
    listEnvelope(mediaItemSchema).parse(lists[0].body);
    listEnvelope(collectionSchema).parse(lists[1].body);
    const item = await admin.createItem('Types');
    const file = await admin.post(`${item}/files`, { upload_name: 'a.wav', upload_size: 1 });
    expect(createdFileSchema.parse(file.body).upload).not.toBeNull();
    mediaFileSchema.parse((await admin.get(file.location)).body);
  });

  test('is in the settings of the control port, also after a start that names no dialect', async () => {
    const { dataDir } = service;
    const dialectOf = async (each: ServiceProcess) =>
      (await each.control<{ dialect: string }>('GET', '/settings')).dialect;
    expect(await dialectOf(service)).toBe(dialect);
    await service.kill9();
    const again = await startService({ dataDir, env: { ...process.env, PATH: '/nowhere' } });
    try {
      expect(await dialectOf(again)).toBe(dialect);
      const created = await (await clientFor(again)).post('/api2/media', { title: 'Again', collection_id: '1' });
      expect([created.status, created.text]).toEqual([201, expected.creation]);
    } finally {
      await again.stop();
    }
  });
});
