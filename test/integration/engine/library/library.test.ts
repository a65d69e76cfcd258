import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLibrary, type Library } from '../../../../electron/engine/library/create-library.ts';
import type { LibraryChange } from '../../../../electron/engine/library/library-changes.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { editsInTest } from '../../../helpers/engine/edits-in-test.ts';
import { noMirrors } from '../../../helpers/engine/no-mirrors.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';
import { accountsInTest } from '../account/accounts-in-test.ts';
import { person } from '../account/person.ts';

async function open(service: ServiceProcess, email?: string, clock: ManualClock | typeof nodeClock = nodeClock) {
  const { accounts } = accountsInTest(person(service.admin, email === undefined ? {} : { email }));
  const { baseUrl, clientId } = service;
  const { id: siteId } = await accounts.signIn({ baseUrl, clientId, browser: 'embedded' });
  const edits = await editsInTest(accounts, clock);
  const library = createLibrary({ accounts, clock, ...noMirrors, edits: () => edits.ofLibrary });
  onTestFinished(() => library.stop());
  const changes: LibraryChange[] = [];
  library.onDidChangeLibrary((change) => changes.push(change));
  return { accounts, siteId, library, call: library.handlers, changes };
}

function queryOf(siteId: string, over: Partial<MediaQuery> = {}): MediaQuery {
  return { siteId, collectionId: null, search: '', type: null, status: null, sort: 'title', order: 'asc', ...over };
}

async function titles(library: Library, query: MediaQuery): Promise<string[]> {
  const { rows } = await library.handlers['library.mediaWindow']({ query, offset: 0, limit: 200 });
  return rows.map(({ title }) => title);
}

describe.each(['reference', 'lean', 'strict'] as const)('a library with the dialect %s', (dialect) => {
  let service: ServiceProcess;
  let direct: ServiceClient;
  beforeAll(async () => {
    service = await startService({ dialect });
    direct = await clientFor(service);
  });
  afterAll(() => service.stop());

  const journal = async (path: string) =>
    (await journalOf(service)).filter((entry) => entry.method === 'GET' && entry.path === path).length;

  it('shows its collections level by level, with one request before a change and one after it', async () => {
    const { call, siteId } = await open(service);
    await clearJournal(service);
    const [root, ...others] = await call['library.collections']({ siteId, parentId: null });
    expect(others).toEqual([]);
    expect(root).toMatchObject({ displayName: 'Library', parentId: null });
    const parentId = root?.id ?? '';
    const made = await call['library.createCollection']({
      siteId,
      parentId,
      displayName: 'Physics 1',
      isPodcast: false,
    });
    expect(made).toMatchObject({ display_name: 'Physics 1', parent_id: parentId });
    const [children] = await Promise.all([
      call['library.collections']({ siteId, parentId }),
      call['library.collections']({ siteId, parentId: null }),
      call['library.findCollections']({ siteId, text: 'phys', limit: 5 }),
    ]);
    expect(children).toMatchObject([{ id: made.id, displayName: 'Physics 1', parentId, mediaCount: 0 }]);
    // The tree was requested once before the change and once after it.
    expect(await journal('/api2/collections/tree')).toBe(2);
  });

  it('returns a collection with its path, also one that is newer than the cache', async () => {
    const { call, siteId } = await open(service);
    const [root] = await call['library.collections']({ siteId, parentId: null });
    const answer = await direct.post('/api2/collections', { display_name: 'Young', parent_id: root?.id });
    const collectionId = answer.location.split('/').at(-1) ?? '';
    expect(await call['library.collection']({ siteId, collectionId })).toMatchObject({
      collection: { id: collectionId, displayName: 'Young', parentId: root?.id },
      path: ['Library', 'Young'],
    });
    await expect(call['library.collection']({ siteId, collectionId: '99999' })).rejects.toMatchObject({
      code: 'api.not-found',
    });
  });

  it('lists, filters, searches and sorts media, and loads pages on demand', async () => {
    const { call, siteId, library } = await open(service);
    const [root] = await call['library.collections']({ siteId, parentId: null });
    const { id } = await call['library.createCollection']({
      siteId,
      parentId: root?.id ?? '',
      displayName: 'Many',
      isPodcast: false,
    });
    for (let n = 10; n < 35; n++) await direct.createItem(`Lecture ${n}`, { collection_id: id, tags: ['a'] });
    const query = queryOf(siteId, { collectionId: id });
    const window = await call['library.mediaWindow']({ query, offset: 20, limit: 200 });
    expect(window).toMatchObject({ total: 25, offset: 20 });
    expect(window.rows.map(({ title }) => title)).toEqual([30, 31, 32, 33, 34].map((n) => `Lecture ${n}`));
    expect((await titles(library, { ...query, order: 'desc' }))[0]).toBe('Lecture 34');
    expect(await titles(library, { ...query, search: 'Lecture 17', sort: 'relevance' })).toContain('Lecture 17');
    expect(await titles(library, { ...query, status: 'scheduled' })).toEqual([]);
  });

  it('returns a changed item as it is stored, and lists it under its new title', async () => {
    const { call, siteId, library, changes } = await open(service);
    const path = await direct.createItem('Before');
    const mediaId = path.split('/').at(-1) ?? '';
    const query = queryOf(siteId, { search: 'unusualword', sort: 'relevance' });
    expect(await titles(library, query)).toEqual([]);
    const patch = { title: 'After unusualword', tags: ['x', 'y'], byline: 'Ada' };
    const detail = await call['library.updateMedia']({ siteId, mediaId, patch });
    expect(detail.item).toMatchObject({ title: 'After unusualword', byline: 'Ada' });
    expect([...detail.item.tags].sort()).toEqual(['x', 'y']);
    expect(detail).toMatchObject({ collectionName: 'Library', files: [] });
    expect(await titles(library, query)).toEqual(['After unusualword']);
    expect(changes).toEqual([{ siteId, collectionId: null, mediaId }]);
  });

  it('publishes now or later, and unpublishes', async () => {
    const { call, siteId } = await open(service);
    const mediaId = (await direct.createItem('Show')).split('/').at(-1) ?? '';
    const at = '2035-05-06T07:08:09.123+02:00';
    const later = await call['library.publishMedia']({ siteId, mediaId, publishOn: at });
    expect(later.item).toMatchObject({ status: 'scheduled', publish_on: '2035-05-06T05:08:09Z' });
    expect((await call['library.unpublishMedia']({ siteId, mediaId })).item.status).toBe('draft');
    expect(
      (await call['library.publishMedia']({ siteId, mediaId, publishOn: '2020-01-01T00:00:00Z' })).item.status,
    ).toBe('published');
    await expect(call['library.publishMedia']({ siteId, mediaId, publishOn: 'soon' })).rejects.toMatchObject({
      code: 'input.invalid',
    });
  });

  it.each([
    ['right', 0],
    ['an hour ahead of the library', 3_600_000],
    ['an hour behind it', -3_600_000],
  ])('publishes a scheduled item now, with the current date, when the local clock is %s', async (_, offMs) => {
    const { call, siteId, library } = await open(service, undefined, {
      ...nodeClock,
      now: () => nodeClock.now() + offMs,
    });
    const mediaId = (await direct.createItem(`Scheduled ${offMs}`)).split('/').at(-1) ?? '';
    await call['library.publishMedia']({ siteId, mediaId, publishOn: '2035-05-06T07:08:09Z' });
    const before = Date.now();
    const { item } = await call['library.publishMedia']({ siteId, mediaId, publishOn: null });
    expect(item.status).toBe('published');
    const publishedAt = Date.parse(item.publish_on ?? '');
    expect(publishedAt).toBeGreaterThan(before - 2000);
    expect(publishedAt).toBeLessThan(Date.now() + 2000);
    const scheduled = queryOf(siteId, { status: 'scheduled' });
    expect(await titles(library, scheduled)).not.toContain(`Scheduled ${offMs}`);
  });

  it('shows an item with its files and its page', async () => {
    const { call, siteId } = await open(service);
    const path = await direct.createItem('With a file');
    const mediaId = path.split('/').at(-1) ?? '';
    await direct.upload(path, 'notes.bin', new Uint8Array([1, 2, 3]), { upload_type: 'blob' });
    const detail = await call['library.media']({ siteId, mediaId });
    expect(detail.files).toMatchObject([{ display_name: 'notes.bin', size: 3 }]);
    expect(detail.viewUrl).toMatch(/^https?:\/\//);
  });

  it('deletes an item, and accepts a repeated delete', async () => {
    const { call, siteId, changes } = await open(service);
    const mediaId = (await direct.createItem('Gone')).split('/').at(-1) ?? '';
    expect(await call['library.deleteMedia']({ siteId, mediaId })).toBeNull();
    await call['library.deleteMedia']({ siteId, mediaId });
    await expect(call['library.media']({ siteId, mediaId })).rejects.toMatchObject({ code: 'api.not-found' });
    expect(changes).toHaveLength(2);
  });

  it('keeps an item unchanged, and returns an error, when the user may not change it', async () => {
    const { call, siteId } = await open(service, 'viewer@library.example');
    const path = await direct.createItem('Mine');
    const mediaId = path.split('/').at(-1) ?? '';
    await direct.post(`${path}/publish`, {});
    await expect(call['library.updateMedia']({ siteId, mediaId, patch: { title: 'Yours' } })).rejects.toMatchObject({
      code: expect.stringMatching(/^api\.(forbidden|not-found)$/),
    });
    expect((await direct.get(path)).body.title).toBe('Mine');
  });

  it('returns the library’s error when the library refuses a value', async () => {
    const { call, siteId } = await open(service);
    const mediaId = (await direct.createItem('Stays')).split('/').at(-1) ?? '';
    const patch = { collection_id: '424242' };
    const error = await call['library.updateMedia']({ siteId, mediaId, patch }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: expect.stringMatching(/^api\.(invalid|not-found)$/) });
  });
});

describe('the cache of a library', () => {
  let service: ServiceProcess;
  let direct: ServiceClient;
  beforeAll(async () => {
    service = await startService();
    direct = await clientFor(service);
  });
  afterAll(() => service.stop());

  it('is loaded again after a refresh, with an event', async () => {
    const { call, siteId, library, changes } = await open(service);
    const query = queryOf(siteId);
    const before = await titles(library, query);
    await direct.createItem('Added elsewhere');
    expect(await titles(library, query)).toEqual(before);
    await call['library.refresh']({ siteId });
    expect(await titles(library, query)).toContain('Added elsewhere');
    expect(changes).toEqual([{ siteId, collectionId: null, mediaId: null }]);
  });

  it('is reloaded after one minute', async () => {
    const clock = new ManualClock();
    const { siteId, library } = await open(service, undefined, clock);
    const query = queryOf(siteId);
    await titles(library, query);
    await direct.createItem('Added a minute ago');
    clock.advance(61_000);
    expect(await titles(library, query)).toContain('Added a minute ago');
  });

  it('is cleared at the sign-out', async () => {
    const { accounts, siteId, library, call } = await open(service);
    await titles(library, queryOf(siteId));
    await call['library.collections']({ siteId, parentId: null });
    await accounts.signOut(siteId);
    await expect(titles(library, queryOf(siteId))).rejects.toMatchObject({ code: 'sign-in.required' });
    await expect(call['library.collections']({ siteId, parentId: null })).rejects.toMatchObject({
      code: 'sign-in.required',
    });
  });

  it('is reported as changed when uploads complete, with one event for several', async () => {
    const clock = new ManualClock();
    const { siteId, library, changes } = await open(service, undefined, clock);
    for (const mediaId of ['1', '2', '3']) library.noteChange({ siteId, collectionId: '1', mediaId });
    expect(changes).toEqual([]);
    clock.advance(1000);
    expect(changes).toEqual([{ siteId, collectionId: '1', mediaId: null }]);
  });

  it('does not keep a failed fetch', async () => {
    const { siteId, call } = await open(service);
    await service.control('POST', '/faults', {
      path: '/api2/collections',
      times: 2,
      action: { kind: 'status', status: 500 },
    });
    await expect(call['library.collections']({ siteId, parentId: null })).rejects.toMatchObject({
      code: 'api.server-error',
    });
    expect(await call['library.collections']({ siteId, parentId: null })).toHaveLength(1);
  });

  it('is filled from the flat list when the tree can’t be read', async () => {
    const { siteId, call } = await open(service);
    const action = { kind: 'status', status: 200, body: { root: 7 } };
    await service.control('POST', '/faults', { path: '/api2/collections/tree', action });
    expect(await call['library.collections']({ siteId, parentId: null })).toMatchObject([{ displayName: 'Library' }]);
  });

  it('is not used for an unknown site: every call is refused with site.unknown', async () => {
    const { call } = await open(service);
    const siteId = 'nothing';
    for (const asked of [
      () => call['library.collections']({ siteId, parentId: null }),
      () => call['library.refresh']({ siteId }),
      () => call['library.media']({ siteId, mediaId: '1' }),
      () => call['library.mediaWindow']({ query: queryOf(siteId), offset: 0, limit: 1 }),
    ]) {
      await expect(asked()).rejects.toMatchObject({ code: 'site.unknown' });
    }
  });
});
