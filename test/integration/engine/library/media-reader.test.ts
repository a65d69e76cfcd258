import { describe, expect, it } from 'vitest';
import { createMediaReader } from '../../../../electron/engine/library/items/media-reader.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';
import { clientOf } from '../api/site-client.ts';

const item = (id: number | string) => ({ id: String(id), status: 'draft', title: `Item ${id}`, collection_id: '1' });

interface Behavior {
  items?: number;
  pageSize?: number;
  count?: number | null;
  refusesPerPage?: boolean;
}

/** Starts a server with a list of this number of items, in pages. */
async function listServer({ items = 25, pageSize = 10, count = items, refusesPerPage = false }: Behavior = {}) {
  const state = { isDown: false };
  const server = await startSmallServer((request, response) => {
    const url = new URL(request.url, 'http://x');
    if (state.isDown) return sendJson(response, 502, {});
    if (url.pathname.endsWith('/count')) return sendJson(response, count === null ? 404 : 200, { count });
    if (refusesPerPage && url.searchParams.has('per_page')) return sendJson(response, 400, { message: 'per_page?' });
    const page = Number(url.searchParams.get('_p') ?? 0);
    const from = page * pageSize;
    const slice = Array.from({ length: Math.max(0, Math.min(pageSize, items - from)) }, (_, at) => item(from + at));
    const next = from + pageSize < items ? `/api2/media?_p=${page + 1}` : null;
    sendJson(response, 200, { items: slice, links: { next } });
  });
  const pages = () => server.seen.filter(({ url }) => !url.includes('/count')).length;
  return { server, state, pages, reader: createMediaReader(clientOf(server.url), {}) };
}

describe('a window into a media list', () => {
  it('fetches only the pages that it needs', async () => {
    const { reader, pages } = await listServer();
    const { total, offset, rows } = await reader.window(0, 5);
    expect({ total, offset, ids: rows.map(({ id }) => id) }).toEqual({
      total: 25,
      offset: 0,
      ids: ['0', '1', '2', '3', '4'],
    });
    expect(pages()).toBe(1);
    expect((await reader.window(5, 5)).rows[0]?.id).toBe('5');
    expect(pages()).toBe(1);
    expect((await reader.window(8, 5)).rows.map(({ id }) => id)).toEqual(['8', '9', '10', '11', '12']);
    expect(pages()).toBe(2);
  });

  it('is shorter at the end of the list, and empty beyond it', async () => {
    const { reader, pages } = await listServer();
    expect((await reader.window(20, 50)).rows).toHaveLength(5);
    expect(await reader.window(100, 50)).toEqual({ total: 25, offset: 100, rows: [] });
    expect(pages()).toBe(3);
  });

  it('shares its pages with other windows of the same list', async () => {
    const { reader, pages } = await listServer();
    const windows = await Promise.all([reader.window(0, 10), reader.window(15, 10), reader.window(5, 10)]);
    expect(windows.map(({ rows }) => rows[0]?.id)).toEqual(['0', '15', '5']);
    expect(pages()).toBe(3);
  });

  it('has the total of the pages read so far when there is no count, and the exact one at the end of the list', async () => {
    const { reader } = await listServer({ count: null });
    expect((await reader.window(0, 5)).total).toBe(11);
    expect((await reader.window(20, 5)).total).toBe(25);
  });

  it.each([[7], [400]])('corrects a wrong count of %i when it reaches the end of the list', async (count) => {
    const { reader } = await listServer({ count });
    expect((await reader.window(0, 5)).total).toBe(Math.max(count, 11));
    expect((await reader.window(20, 10)).total).toBe(25);
  });

  it('is empty for an empty list', async () => {
    const { reader } = await listServer({ items: 0 });
    expect(await reader.window(0, 50)).toEqual({ total: 0, offset: 0, rows: [] });
  });

  it('continues after a failure with the page that failed', async () => {
    const { reader, state, pages } = await listServer();
    await reader.window(0, 10);
    state.isDown = true;
    await expect(reader.window(10, 10)).rejects.toMatchObject({ code: 'api.server-error' });
    expect((await reader.window(0, 10)).rows).toHaveLength(10);
    state.isDown = false;
    expect((await reader.window(10, 10)).rows.map(({ id }) => id)[0]).toBe('10');
    expect(pages()).toBe(3);
  });

  it('uses the page size of a service that refuses the requested one', async () => {
    const { reader, pages } = await listServer({ refusesPerPage: true });
    expect((await reader.window(0, 25)).rows).toHaveLength(25);
    expect(pages()).toBe(4);
  });

  it('shows an item once when it moved to the next page in the meantime', async () => {
    const pages = [
      { items: [item('c'), item('b')], links: { next: '/api2/media?_p=1' } },
      { items: [item('b'), item('a')], links: { next: null } },
    ];
    const server = await startSmallServer(({ url }, response) => {
      if (url.includes('/count')) sendJson(response, 200, { count: 3 });
      else sendJson(response, 200, pages[url.includes('_p=1') ? 1 : 0]);
    });
    const { rows, total } = await createMediaReader(clientOf(server.url), {}).window(0, 10);
    expect({ ids: rows.map(({ id }) => id), total }).toEqual({ ids: ['c', 'b', 'a'], total: 3 });
  });
});
