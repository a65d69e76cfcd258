// Items that are selected by id, as the rows of a spreadsheet do, without a copy of the library: which of them exist is asked
// with few requests, and no item that exists is reported as missing, however the library reads the filter.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Desk } from '../../../helpers/engine/desk.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { type ChangingProxy, type PassedReply, startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

const ITEMS = 300;
const UNKNOWN = Array.from({ length: 1000 }, (_, at) => String(7_000_000 + at));

let service: ServiceProcess;
let proxy: ChangingProxy;
let desk: Desk;
/** All items of the library. */
let ids: string[];

beforeAll(async () => {
  service = await startService({ seed: `bulk:${ITEMS}:3` });
  proxy = await startChangingProxy(service.baseUrl);
  desk = await Desk.open(service, {}, { ...service, baseUrl: proxy.baseUrl });
  const token = proxy.seen.at(-1)?.headers.authorization ?? '';
  const list = await fetch(`${service.baseUrl}/api2/media?per_page=200&sort=created_on&order=desc`, {
    headers: { authorization: token },
  });
  ids = ((await list.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
}, 600_000);
afterAll(async () => {
  await desk?.close();
  await proxy?.close();
  await service?.stop();
});

let selections = 0;
/** Selects items of the library, and returns how many it has. Each selection has one more id, because equal ones are not read again. */
async function planned(selected: readonly string[]): Promise<{ items: number; missing: number }> {
  selections += 1;
  const ids = [...selected, String(6_000_000 + selections)];
  const { items, missing } = await desk.engine.call('edits.plan', {
    selection: { siteId: desk.siteId, ids },
    change: {},
    planId: null,
    offset: 0,
    limit: 1,
  });
  return { items, missing: missing - 1 };
}

const isCount = (url: string) => url.startsWith('/api2/media/count');

describe('items that are selected by id', { timeout: 300_000 }, () => {
  it('are reported as missing with at most 20 requests when 1,000 of them do not exist', async () => {
    proxy.change({});
    expect(await planned(UNKNOWN)).toEqual({ items: 0, missing: UNKNOWN.length });
    expect(proxy.seen.length).toBeLessThanOrEqual(20);
  });

  it('are found with at most 60 requests when 3 of 1,000 exist', async () => {
    proxy.change({});
    const mixed = [...UNKNOWN.slice(0, 5), ...ids.slice(0, 2), ...UNKNOWN.slice(5), ...ids.slice(70, 71)];
    expect(await planned(mixed)).toEqual({ items: 3, missing: UNKNOWN.length });
    expect(proxy.seen.length).toBeLessThanOrEqual(60);
  });

  it('are found when the lists and counts of the library leave them out', async () => {
    const hidden = new Set(ids.slice(100, 150));
    proxy.change({
      request: (request) => ({
        ...request,
        url: request.url.replace(/exclude_ids=([^&]*)/, (_, list: string) => {
          const counted = list.split('%2C').filter((id) => !hidden.has(id));
          return `exclude_ids=${counted.join('%2C')}`;
        }),
      }),
    });
    expect(await planned([...hidden, ...UNKNOWN.slice(0, 30)])).toEqual({ items: hidden.size, missing: 30 });
  });

  it('are read as a list when many of them exist', async () => {
    proxy.change({});
    const mixed = [...ids, ...UNKNOWN.slice(0, 50)];
    expect(await planned(mixed)).toEqual({ items: ids.length, missing: 50 });
    expect(proxy.seen.length).toBeLessThanOrEqual(30);
  });

  const withoutFilter = (url: string) => url.replace(/exclude_ids=[^&]*/, '');
  const cutFilter = (url: string) =>
    url.replace(
      /exclude_ids=([^&]*)/,
      (_, list: string) => `exclude_ids=${list.split('%2C').slice(0, 40).join('%2C')}`,
    );
  let requests = 0;
  const always = (reply: PassedReply, count: () => number): PassedReply => ({
    ...reply,
    body: JSON.stringify({ count: count() }),
  });
  it.each([
    ['ignores the filter', { request: (r) => ({ ...r, url: withoutFilter(r.url) }) }],
    ['reads only a part of the filter', { request: (r) => ({ ...r, url: cutFilter(r.url) }) }],
    ['has no counts', { reply: (reply, { url }) => (isCount(url) ? { ...reply, status: 404, body: '' } : reply) }],
    [
      'refuses the filter',
      { reply: (reply, { url }) => (url.includes('exclude_ids') ? { ...reply, status: 414 } : reply) },
    ],
    [
      'changes all the time',
      { reply: (reply, { url }) => (isCount(url) ? always(reply, () => ITEMS + ++requests) : reply) },
    ],
    [
      'lists nothing',
      {
        reply: (reply, { url }) =>
          /^\/api2\/media(\?|$)/.test(url) ? { ...reply, body: '{"items":[],"links":{"self":"/"}}' } : reply,
      },
    ],
  ] as [string, Parameters<ChangingProxy['change']>[0]][])('are all found when the library %s', async (_, changes) => {
    proxy.change(changes);
    const mixed = [...UNKNOWN.slice(0, 60), ...ids.slice(10, 12), ...UNKNOWN.slice(60, 90), ...ids.slice(0, 1)];
    expect(await planned(mixed)).toEqual({ items: 3, missing: 90 });
  });
});
