// Tags that are merged on the items of a real library, with failures and with other people who change the same items.
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { openEngineAs, openSharedEngineAs } from '../../../helpers/engine/library-people.ts';
import { clearJournal, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

let service: ServiceProcess;
let client: ServiceClient;
let engine: Engine;
let siteId: string;
let close: () => Promise<void>;
let serial = 0;

beforeAll(async () => {
  service = await startService();
  client = await clientFor(service);
  ({ engine, siteId, close } = await openSharedEngineAs(service, 'admin'));
});
afterEach(() => service.control('DELETE', '/faults'));
afterAll(async () => {
  await close();
  await service.stop();
});

interface Library {
  /** The names of the tags: the kept one and two others. */
  names: readonly [string, string, string];
  ids: readonly [string, string, string];
  /** The paths of the items. */
  items: readonly string[];
}

/** Creates items: each has one of two tags, every fourth both of them, every fifth the kept one as well, and all have one of their own. */
async function library(count: number): Promise<Library> {
  serial += 1;
  const names = [`Kept ${serial}`, `other ${serial}`, `Others ${serial}`] as const;
  const items: string[] = [];
  for (let index = 0; index < count; index++) {
    const tags = [`own ${index}`, names[1 + (index % 2)], ...(index % 4 === 0 ? [names[2]] : [])];
    items.push(await client.createItem(`Item ${index}`, { tags: index % 5 === 0 ? [...tags, names[0]] : tags }));
  }
  const tags = await engine.call('admin.tags', { siteId });
  const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id ?? '';
  return { names, ids: [idOf(names[0]), idOf(names[1]), idOf(names[2])], items };
}

const tagsOf = async (path: string): Promise<string[]> => (await client.get(path)).body.tags.toSorted();
const merge = ({ ids }: Library) =>
  engine.call('admin.mergeTags', { siteId, keptId: ids[0], tagIds: [ids[1], ids[2]] });
const tagIds = async () => (await engine.call('admin.tags', { siteId })).map(({ id }) => id);
const fault = (more: object) => service.control('POST', '/faults', { method: 'POST', times: 1, ...more });

/** Expects that each item has its own tag and the kept one, and that the other tags are gone. */
async function expectMerged({ items, names, ids }: Library): Promise<void> {
  for (const [index, path] of items.entries())
    expect(await tagsOf(path)).toEqual([names[0], `own ${index}`].toSorted());
  const left = await tagIds();
  expect(left).toContain(ids[0]);
  expect(left).not.toContain(ids[1]);
  expect(left).not.toContain(ids[2]);
}

/** Sends requests of another client while this process waits: the engine does nothing in between. */
function meanwhile(requests: readonly (readonly [path: string, body: object])[]): void {
  const script = `(async () => {
    for (const [path, body] of ${JSON.stringify(requests)}) {
      const headers = { authorization: ${JSON.stringify(`Bearer ${client.tokens.access_token}`)}, 'content-type': 'application/json' };
      const answer = await fetch(new URL(path, ${JSON.stringify(service.baseUrl)}), { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) process.exitCode = 1;
    }
  })()`;
  expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0);
}

describe('a merge of tags', { timeout: 120_000 }, () => {
  it('replaces the others by the kept one on all items, deletes them, and has one log entry for each', async () => {
    const made = await library(40);
    const steps: { done: number; items: number }[] = [];
    const end = engine.on('onDidProgressTagMerge', ({ done, items }) => steps.push({ done, items }));
    const outcome = await merge(made);
    end();
    expect(outcome).toEqual({ changed: 40, failed: [], deleted: [made.ids[1], made.ids[2]], left: [] });
    expect(steps.at(-1)).toEqual({ done: 40, items: 40 });
    await expectMerged(made);
    const { entries } = await engine.call('admin.log', { siteId, offset: 0, limit: 100 });
    const logged = entries.filter(({ action }) => action === 'mergeTag');
    expect(logged.map(({ before, after, outcome: how }) => [before, after, how]).toSorted()).toEqual([
      [made.names[2], made.names[0], 'done'],
      [made.names[1], made.names[0], 'done'],
    ]);
  });

  it('keeps what another client does meanwhile: new tags stay, and a removed tag is not replaced', async () => {
    const made = await library(40);
    const [first = '', second = ''] = made.items.slice(38);
    let isBegun = false;
    const end = engine.on('onDidProgressTagMerge', () => {
      if (isBegun) return;
      isBegun = true;
      meanwhile([
        [`${first}/add-tags`, { tags: ['live'] }],
        [`${second}/remove-tags`, { tags: [made.names[1], made.names[2]] }],
      ]);
    });
    expect(await merge(made)).toMatchObject({ changed: 39, failed: [], left: [] });
    end();
    expect(await tagsOf(first)).toEqual([made.names[0], 'live', 'own 38']);
    expect(await tagsOf(second)).toEqual(['own 39']);
  });

  it('loses no tag when it fails half-way, and is completed when it runs again', async () => {
    const made = await library(40);
    const tagged = async () => {
      const tags = await Promise.all(made.items.map(tagsOf));
      return tags.every((names) => made.names.some((name) => names.includes(name)));
    };
    await fault({ path: '/remove-tags$', nth: 9, action: { kind: 'status', status: 500 } });
    const outcome = await merge(made);
    expect(outcome.left.map(({ id }) => id)).toEqual([made.ids[1], made.ids[2]]);
    expect(outcome).toMatchObject({ failed: [], deleted: [] });
    expect(outcome.changed).toBeLessThan(40);
    expect(await tagged()).toBe(true);
    expect(await tagIds()).toEqual(expect.arrayContaining([...made.ids]));
    expect(await merge(made)).toMatchObject({ failed: [], deleted: [made.ids[1], made.ids[2]], left: [] });
    await expectMerged(made);
    // Without any of the others there is nothing left to do.
    await clearJournal(service);
    expect(await merge(made)).toMatchObject({ changed: 0, failed: [], left: [] });
    expect(await requestsOf(service, 'POST', /media/)).toEqual([]);
  });

  it('reports the items that can’t be edited, and keeps their tags', async () => {
    const made = await library(8);
    const [refused = ''] = made.items.slice(3);
    await fault({ path: `${refused}/`, action: { kind: 'status', status: 403 } });
    const outcome = await merge(made);
    expect(outcome).toMatchObject({
      changed: 7,
      failed: [{ id: refused.split('/').at(-1), name: 'Item 3', error: { code: 'api.forbidden' } }],
      deleted: [made.ids[1]],
      left: [{ id: made.ids[2], name: made.names[2], error: { code: 'admin.tag-in-use' } }],
    });
    expect(await tagsOf(refused)).toContain(made.names[2]);
    expect(await merge(made)).toMatchObject({ changed: 1, failed: [], left: [] });
    await expectMerged(made);
  });

  it('keeps a tag whose items can’t all be read', async () => {
    const made = await library(4);
    const body = { ...(await client.get('/api2/media?per_page=1')).body, items: [{ id: {} }], links: {} };
    const answer = (path: string, json: object) =>
      fault({ method: 'GET', path, times: null, action: { kind: 'status', status: 200, body: json } });
    await answer('^/api2/media$', body);
    await answer('^/api2/media/count$', { count: 0 });
    const outcome = await merge(made);
    expect(outcome.left.map(({ error }) => error.code)).toEqual(['admin.tag-in-use', 'admin.tag-in-use']);
    expect(await tagIds()).toEqual(expect.arrayContaining([...made.ids]));
    await service.control('DELETE', '/faults');
    expect(await merge(made)).toMatchObject({ failed: [], left: [] });
    await expectMerged(made);
  });

  it('keeps a tag of more items than the library lists', async () => {
    const made = await library(4);
    const action = { kind: 'status', status: 200, body: { count: 3 } };
    await fault({ method: 'GET', path: '/api2/media/count', times: null, action });
    const outcome = await merge(made);
    expect(outcome.left.map(({ error }) => error.code)).toEqual(['admin.tag-in-use', 'admin.tag-in-use']);
    expect(await tagIds()).toEqual(expect.arrayContaining([...made.ids]));
  });

  it('uses the new name of the kept tag when somebody renames it meanwhile: the earlier name does not return', async () => {
    const made = await library(24);
    let isBegun = false;
    const end = engine.on('onDidProgressTagMerge', ({ done }) => {
      if (isBegun || done < 3) return;
      isBegun = true;
      meanwhile([[`/api2/tags/${made.ids[0]}`, { display_name: `New ${made.names[0]}` }]]);
    });
    expect(await merge(made)).toMatchObject({ failed: [], left: [] });
    end();
    expect(isBegun).toBe(true);
    await expectMerged({ ...made, names: [`New ${made.names[0]}`, made.names[1], made.names[2]] });
    const names = (await engine.call('admin.tags', { siteId })).map(({ name }) => name);
    expect(names).not.toContain(made.names[0]);
  });

  it('keeps a tag that somebody renames meanwhile, with its items', async () => {
    const made = await library(12);
    let isBegun = false;
    const end = engine.on('onDidProgressTagMerge', ({ done }) => {
      if (isBegun || done < 2) return;
      isBegun = true;
      meanwhile([[`/api2/tags/${made.ids[1]}`, { display_name: `Own ${made.names[1]}` }]]);
    });
    const { left } = await merge(made);
    end();
    expect(left).toMatchObject([{ id: made.ids[1], error: { code: 'admin.tag-renamed' } }]);
    expect(await tagIds()).toContain(made.ids[1]);
  });

  it('ends when somebody deletes the kept tag meanwhile: the others stay', async () => {
    const made = await library(12);
    let isBegun = false;
    const end = engine.on('onDidProgressTagMerge', ({ done }) => {
      if (isBegun || done < 2) return;
      isBegun = true;
      meanwhile([[`/api2/tags/${made.ids[1]}`, { display_name: made.names[1] }]]);
      const headers = { authorization: `Bearer ${client.tokens.access_token}` };
      const url = JSON.stringify(new URL(`/api2/tags/${made.ids[0]}`, service.baseUrl).href);
      spawnSync(process.execPath, ['-e', `fetch(${url}, { method: 'DELETE', headers: ${JSON.stringify(headers)} })`]);
    });
    const { left } = await merge(made);
    end();
    expect(left.map(({ error }) => error.code)).toEqual(['admin.tag-gone', 'admin.tag-gone']);
    expect(await tagIds()).not.toContain(made.ids[0]);
    expect(await tagIds()).toEqual(expect.arrayContaining([made.ids[1], made.ids[2]]));
  });

  it('stops between two items, and says which tags stay', async () => {
    const made = await library(24);
    const end = engine.on('onDidProgressTagMerge', ({ done }) => {
      if (done === 3) void engine.call('admin.stopJobs', { siteId, kind: 'mergeTags' });
    });
    const outcome = await merge(made);
    end();
    expect(outcome.left.map(({ error }) => error.code)).toEqual(['admin.stopped', 'admin.stopped']);
    expect(outcome.changed).toBeLessThan(12);
    expect(await merge(made)).toMatchObject({ failed: [], left: [] });
    await expectMerged(made);
  });

  it('replaces a name that differs only in letter case', async () => {
    const item = await client.createItem('Cased', { tags: ['élan', 'own'] });
    await client.createItem('Other case', { tags: ['Élan'] });
    const tags = await engine.call('admin.tags', { siteId });
    const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id ?? '';
    await engine.call('admin.mergeTags', { siteId, keptId: idOf('Élan'), tagIds: [idOf('élan')] });
    expect(await tagsOf(item)).toEqual(['own', 'Élan']);
  });

  it('is refused to other accounts and without the kept tag', async () => {
    const other = await openEngineAs(service, 'editor');
    const call = { siteId: other.siteId, keptId: '1', tagIds: ['2'] };
    await expect(other.engine.call('admin.mergeTags', call)).rejects.toMatchObject({ code: 'admin.only' });
    const unknown = engine.call('admin.mergeTags', { siteId, keptId: 'no-such', tagIds: ['1'] });
    await expect(unknown).rejects.toMatchObject({ code: 'api.not-found' });
  });
});
