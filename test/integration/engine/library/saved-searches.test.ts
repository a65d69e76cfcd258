import { describe, expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { signInEngine } from '../../../helpers/engine/engine-host.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

const names = (searches: readonly { name: string; preset: string | null }[]) =>
  searches.map(({ name, preset }) => (name === '' ? preset : name));

describe('saved searches', () => {
  it('begin with two presets, and are counted in the copy of the library', async ({ desk }) => {
    const { engine, siteId, service } = desk;
    expect(await engine.call('searches.list', { siteId })).toMatchObject([
      { preset: 'drafts', count: null },
      { preset: 'captions-missing', count: null },
    ]);
    const admin = await clientFor(service);
    for (const title of ['one', 'two']) await admin.createItem(`saved ${title}`);
    await engine.call('library.syncNow', { siteId });
    const { total } = await engine.call('library.mediaWindow', {
      query: {
        siteId,
        collectionId: null,
        search: 'status:draft',
        type: null,
        status: null,
        sort: 'created_on',
        order: 'desc',
      },
      offset: 0,
      limit: 1,
    });
    expect(total).toBeGreaterThanOrEqual(2);
    expect((await engine.call('searches.list', { siteId }))[0]).toMatchObject({ count: total, captionsUnknown: 0 });
    const added = await engine.call('searches.add', {
      siteId,
      name: 'Both',
      search: 'saved',
      collectionId: null,
      includesBelow: false,
    });
    expect(added.at(-1)).toMatchObject({ name: 'Both', preset: null, count: 2 });
  });

  it('keep names, order and deletions over a restart, and are removed at the sign-out', async ({ desk, service }) => {
    const { siteId, collectionId } = desk;
    const call = desk.engine.call;
    const saved = { siteId, search: 'river tag:a', collectionId, includesBelow: true };
    await call('searches.add', { ...saved, name: 'First' });
    const [, , first, second] = await call('searches.add', { ...saved, name: 'Second' });
    await call('searches.rename', { siteId, id: first?.id ?? '', name: 'Rivers' });
    await call('searches.rename', { siteId, id: 'drafts', name: 'To do' });
    await call('searches.move', { siteId, id: second?.id ?? '', to: 0 });
    const before = await call('searches.remove', { siteId, id: 'captions-missing' });
    expect(names(before)).toEqual(['Second', 'To do', 'Rivers']);
    await desk.reopen();
    const after = await desk.engine.call('searches.list', { siteId });
    expect(after).toEqual(before);
    expect(after[0]).toMatchObject({ search: 'river tag:a', collectionId, includesBelow: true });

    await desk.engine.call('sites.signOut', { siteId });
    await expect(desk.engine.call('searches.list', { siteId })).resolves.toHaveLength(2);
    expect(await signInEngine(desk.engine, service)).toBe(siteId);
    expect(names(await desk.engine.call('searches.list', { siteId }))).toEqual(['drafts', 'captions-missing']);
  });

  it('that are left after a crash during the sign-out are removed at the next start', async ({ desk }) => {
    const { siteId } = desk;
    const { engine } = desk;
    await engine.call('searches.add', {
      siteId,
      name: 'Mine',
      search: 'mine',
      collectionId: null,
      includesBelow: false,
    });
    await engine.call('sites.signOut', { siteId });
    // As if the process had ended before the searches were removed.
    await engine.call('searches.add', {
      siteId,
      name: 'Left behind',
      search: 'mine',
      collectionId: null,
      includesBelow: false,
    });
    await desk.reopen();
    expect(names(await desk.engine.call('searches.list', { siteId }))).toEqual(['drafts', 'captions-missing']);
  });

  it('are limited in number, with an error that says what to do', async ({ desk }) => {
    const { engine, siteId } = desk;
    const add = (index: number) =>
      engine.call('searches.add', {
        siteId,
        name: `search ${index}`,
        search: 'x',
        collectionId: null,
        includesBelow: false,
      });
    for (let index = 0; index < 198; index += 1) await add(index);
    await expect(add(200)).rejects.toMatchObject({ code: 'library.too-many-searches' });
    expect(await engine.call('searches.list', { siteId })).toHaveLength(200);
  });
});
