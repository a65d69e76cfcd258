import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { itemsOf, pagesOf } from '../../../../electron/engine/api/pages.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';
import { clientOf } from './site-client.ts';

const entry = z.object({ id: z.string() });
const path = '/api2/media';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Serves pages with these links to the next page, by path and query. */
async function serverOf(next: Record<string, string | null>) {
  return startSmallServer(({ url }, response) =>
    sendJson(response, 200, { items: [{ id: url }], links: { self: url, next: next[url] ?? null } }),
  );
}

describe('a list', () => {
  it('is read through the links to the next page, with the query on the first one only', async () => {
    const server = await serverOf({ '/api2/media?tag=a': '/api2/media?_p=x%20y', '/api2/media?_p=x%20y': '?_p=3' });
    const items = await all(itemsOf(pagesOf(clientOf(server.url), entry, path, { tag: 'a', type: '' })));
    expect(items.map(({ id }) => id)).toEqual(['/api2/media?tag=a', '/api2/media?_p=x%20y', '/api2/media?_p=3']);
  });

  it('is fetched page by page on demand', async () => {
    const server = await serverOf({ '/api2/media': '/api2/media?_p=2' });
    for await (const item of itemsOf(pagesOf(clientOf(server.url), entry, path))) {
      expect(item).toEqual({ id: '/api2/media' });
      break;
    }
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['the second page itself', { '/api2/media': '/api2/media?_p=2', '/api2/media?_p=2': '/api2/media?_p=2' }],
    [
      'a third page that leads back to the second',
      {
        '/api2/media': '/api2/media?_p=2',
        '/api2/media?_p=2': '/api2/media?_p=3',
        '/api2/media?_p=3': '/api2/media?_p=2',
      },
    ],
  ])('is damaged when the next page of its second page is %s', async (_, next) => {
    const server = await serverOf(next);
    await expect(all(pagesOf(clientOf(server.url), entry, path))).rejects.toMatchObject({ code: 'api.malformed' });
    expect(server.seen.length).toBeLessThanOrEqual(3);
  });

  it.each(['https://evil.example/api2/media', '//evil.example/api2/media', 'javascript:alert(1)', 'http://'])(
    'is damaged, and nothing is sent there, when its next page is %s',
    async (next) => {
      const server = await serverOf({ '/api2/media': next });
      await expect(all(pagesOf(clientOf(server.url), entry, path))).rejects.toMatchObject({ code: 'api.malformed' });
      expect(server.seen).toHaveLength(1);
    },
  );

  it('continues with the same page after a failure', async () => {
    let isDown = false;
    const server = await startSmallServer(({ url }, response) => {
      if (isDown) return void response.writeHead(502).end();
      const next = url === '/api2/media?_p=3' ? null : url === path ? '/api2/media?_p=2' : '/api2/media?_p=3';
      sendJson(response, 200, { items: [{ id: url }], links: { next } });
    });
    const pages = pagesOf(clientOf(server.url), entry, path);
    await pages.next();
    isDown = true;
    await expect(pages.next()).rejects.toMatchObject({ code: 'api.server-error' });
    isDown = false;
    const rest = await all(itemsOf(pages));
    expect(rest.map(({ id }) => id)).toEqual(['/api2/media?_p=2', '/api2/media?_p=3']);
  });

  it('returns its valid entries, and counts and logs the invalid ones', async () => {
    const logger = captureLogger();
    const server = await startSmallServer((_, response) =>
      sendJson(response, 200, { items: [{ id: 'a' }, null, { id: 7 }, 'x', { id: 'b', more: true }] }),
    );
    const pages = await all(pagesOf(clientOf(server.url, { logger }), entry, path));
    expect(pages).toEqual([{ items: [{ id: 'a' }, { id: 'b' }], hasNext: false, damaged: 3 }]);
    expect(logger.lines.filter(({ event }) => event === 'api.entry-damaged')).toHaveLength(3);
  });
});
