import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseInstant, timestamp } from '../../../../service/wire/query.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';

const service = await serviceOfFile();
const admin = await clientFor(service);

describe('read-only mode', () => {
  beforeAll(() => service.control('PATCH', '/settings', { read_only: true }));
  afterAll(() => service.control('PATCH', '/settings', { read_only: false }));

  test('answers every write with 503 and a message, and changes nothing', async () => {
    const writes: [string, string][] = [
      ['POST', '/api2/media'],
      ['POST', '/api2/media/1'],
      ['POST', '/api2/media/1/publish'],
      ['POST', '/api2/media/1/files'],
      ['POST', '/api2/collections'],
      ['POST', '/api2/collections/1'],
      ['POST', '/api2/collections/1/thumbs'],
      ['DELETE', '/api2/media/1'],
      ['DELETE', '/api2/collections/1'],
      ...['users', 'groups', 'tags', 'roles', 'memberships'].flatMap((name): [string, string][] => [
        ['POST', `/api2/${name}`],
        ['POST', `/api2/${name}/1`],
        ['DELETE', `/api2/${name}/1`],
      ]),
      ['POST', '/api2/users/1/add-groups'],
      ['POST', '/api2/groups/1/remove-users'],
      ['POST', '/api2/roles/1/add-permissions'],
      ['DELETE', '/api2/users/bulk-delete'],
    ];
    for (const [method, path] of writes) {
      const answer = await admin.request(
        method,
        path,
        method === 'POST' ? { title: 'x', collection_id: '1' } : undefined,
      );
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.body.message).toContain('read-only');
    }
    expect((await admin.get('/api2/media/count')).body.count).toBe(0);
  });

  test('answers 503 also to writes without a route', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await admin.request(method, '/api2/collections', { display_name: 'x' });
      expect([method, answer.status]).toEqual([method, 503]);
      expect(answer.body.message).toContain('read-only');
    }
    expect((await admin.get('/api2/nothing')).status).toBe(404);
  });

  test('still answers a wrong token with 401', async () => {
    expect((await admin.request('POST', '/api2/media', {}, { authorization: 'Bearer x' })).status).toBe(401);
  });
});

describe('bodies and paths', () => {
  test('a request without a body has no fields', async () => {
    expect((await admin.post('/api2/media')).status).toBe(422);
  });

  test('a body that is not UTF-8 is 400', async () => {
    const response = await fetch(`${service.baseUrl}/api2/media`, {
      method: 'POST',
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      headers: { authorization: `Bearer ${admin.tokens.access_token}`, 'content-type': 'application/json' },
    });
    expect(response.status).toBe(400);
  });

  test.each(['[]', '"x"', '7', 'true'])('a body %s that is no object is 400', async (body) => {
    expect((await admin.request('POST', '/api2/media', body)).status).toBe(400);
  });

  test('a body above one mebibyte is 413', async () => {
    const answer = await admin.request('POST', '/api2/media', JSON.stringify({ title: 'x'.repeat(1024 * 1024) }));
    expect(answer.status).toBe(413);
  });

  test('an unknown path is 404 with a message', async () => {
    for (const path of ['/nothing', '/api2', '/api2/nothing', '/api2/media/1/nothing']) {
      const answer = await admin.get(path);
      expect(answer.status).toBe(404);
      expect(answer.body.message).toBeTruthy();
    }
  });
});

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.999Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05+01:30', '2026-01-02T01:34:05Z'],
  ['2026-01-02T03:04:05-0130', '2026-01-02T04:34:05Z'],
  ['2026-01-02 03:04', '2026-01-02T03:04:00Z'],
  ['2026-01-02', '2026-01-02T00:00:00Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-01-02T24:00:00Z', undefined],
  ['2026-1-2', undefined],
  ['now', undefined],
  ['1767322800', undefined],
  ['2026-01-02T03:04:05ZZ', undefined],
])('the instant %j is read as %j', (text, expected) => {
  const seconds = parseInstant(text);
  expect(seconds === undefined ? undefined : timestamp(seconds)).toBe(expected);
});
