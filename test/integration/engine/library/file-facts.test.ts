import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileFactsReader } from '../../../../electron/engine/library/items/file-facts-reader.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';
import { clientOf } from '../api/site-client.ts';

describe.each(['reference', 'lean', 'strict'] as const)('a library with the dialect %s', (dialect) => {
  let service: ServiceProcess;
  let direct: ServiceClient;
  beforeAll(async () => {
    service = await startService({ dialect });
    direct = await clientFor(service);
  });
  afterAll(() => service.stop());

  it('reports the size of all originals of an item, and that it has no captions', async () => {
    const item = await direct.createItem('Two pictures');
    const [one, other] = [png(320, 180), png(64, 64)];
    await direct.processed(await direct.upload(item, 'one.png', one, { upload_type: 'image' }));
    await direct.processed(await direct.upload(item, 'other.png', other, { upload_type: 'image' }));
    const tokens = { accessToken: async () => direct.tokens.access_token, renew: async () => '' };
    const client = clientOf(service.baseUrl, { tokens });
    const reader = createFileFactsReader();
    expect(await reader.read(client, item.split('/').at(-1) ?? '')).toEqual({
      sizeBytes: one.length + other.length,
      hasCaptions: false,
    });
    const empty = await direct.createItem('No file');
    expect(await reader.read(client, empty.split('/').at(-1) ?? '')).toEqual({ sizeBytes: null, hasCaptions: false });
  });
});

describe('reading the files of an item', () => {
  const file = (over: object) => ({ id: '1', status: 'complete', type: 'video', size: 100, encodings: null, ...over });

  it('counts captions beside the recording and among its encodings, and excludes captions from the size', async () => {
    const lists = [
      [file({}), file({ id: '2', type: 'captions', size: 7 })],
      [file({ encodings: [file({ id: '2', type: 'captions', size: 7 })] })],
    ];
    for (const items of lists) {
      const server = await startSmallServer((_request, response) => sendJson(response, 200, { items, links: {} }));
      const facts = await createFileFactsReader().read(clientOf(server.url), '9');
      expect(facts).toEqual({ sizeBytes: 100, hasCaptions: true });
    }
  });

  it('reads the latest requested items first, four at a time, and skips the oldest when more than 100 wait', async () => {
    const open: (() => void)[] = [];
    const requested: number[] = [];
    let most = 0;
    const server = await startSmallServer((request, response) => {
      requested.push(Number(/media\/(\d+)/.exec(request.url ?? '')?.[1]));
      open.push(() => sendJson(response, 200, { items: [], links: {} }));
      most = Math.max(most, open.length);
    });
    const reader = createFileFactsReader();
    const client = clientOf(server.url);
    const all = Array.from({ length: 150 }, (_, index) => reader.read(client, String(index)));
    let left = all.length;
    for (const each of all) void each.finally(() => (left -= 1));
    while (left > 0) {
      open.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(most).toBeLessThanOrEqual(4);
    const found = await Promise.all(all);
    const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
    expect(found.flatMap((facts, index) => (facts === null ? [index] : []))).toEqual(range(4, 49));
    // The first four begin at once. Of those that wait, the latest begin first; four requests can arrive in any order.
    expect(requested.toSorted((one, other) => one - other)).toEqual([...range(0, 3), ...range(50, 149)]);
    expect(requested.indexOf(149)).toBeLessThan(8);
    expect(requested.indexOf(50)).toBeGreaterThanOrEqual(requested.length - 8);
  });

  it('throws the error of the library', async () => {
    const server = await startSmallServer((_request, response) => sendJson(response, 403, { message: 'no' }));
    await expect(createFileFactsReader().read(clientOf(server.url), '1')).rejects.toMatchObject({
      code: 'api.forbidden',
    });
  });
});
