import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { Desk } from '../../../helpers/engine/desk.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { fastClock } from '../../../helpers/time/fast-clock.ts';
import { type ChangingProxy, startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

let service: Awaited<ReturnType<typeof startService>>;
let proxy: ChangingProxy;
let client: ServiceClient;
let desk: Desk;
/** By how much the computer's clock was set forward since the start of the test. */
let wallAheadMs = 0;

beforeAll(async () => {
  service = await startService();
  // The files are not real recordings; the service accepts any bytes.
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  proxy = await startChangingProxy(service.baseUrl);
  client = await clientFor(service);
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
});
beforeEach(async (context) => {
  proxy.change({});
  const clock = fastClock(1);
  wallAheadMs = 0;
  desk = await Desk.open(
    service,
    { clock: { ...clock, now: () => clock.now() + wallAheadMs } },
    { ...service, baseUrl: proxy.baseUrl },
  );
  clock.setSpeed(20);
  context.onTestFinished(() => desk.close());
});

const add = (
  files: FileChoice[],
  more: { addsOthers?: boolean; tags?: string[]; titleTemplate?: string; duplicates?: 'upload' } = {},
) => {
  const { addsOthers = true, ...defaults } = more;
  return desk.engine.call('uploads.add', {
    siteId: desk.siteId,
    collectionId: desk.collectionId,
    paths: [desk.dir],
    files,
    addsOthers,
    defaults: batchDefaultsSchema.parse(defaults),
  });
};
const list = async (sidecars = true) => {
  const preview = await desk.engine.call('uploads.preview', {
    paths: [desk.dir],
    siteId: desk.siteId,
    collectionId: desk.collectionId,
    sidecars,
    lists: true,
  });
  return preview.list?.files ?? [];
};
/** Bodies of the requests that create items, by title. */
const creations = () => {
  const bodies = proxy.seen.filter(({ method, url }) => method === 'POST' && url === '/api2/media');
  return bodies.map(({ body }) => JSON.parse(body) as Record<string, unknown>).sort(byTitle);
};
const byTitle = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a.title).localeCompare(String(b.title));
const updates = () =>
  proxy.seen.filter(({ method, url }) => method === 'POST' && /^\/api2\/media\/[^/]+(\/(add|remove)-tags)?$/.test(url));
const itemsNow = async () =>
  (await client.get(`/api2/media?collection_id=${desk.collectionId}&per_page=200`)).body.items.sort(byTitle);
const titles = async () => (await desk.rows()).map(({ title }) => title).sort();

describe('values of single files', () => {
  it('are sent when the item is created, exactly once, and fields without a value are not sent', async () => {
    const paths = ['a.bin', 'b.bin', 'c.bin'].map((name) => desk.put(name));
    await add(
      [
        {
          path: paths[0] ?? '',
          fields: {
            title: ' Optics  ',
            byline: 'Ada',
            description: '<p>Light</p>',
            tags: ['week 1', 'Week 1', 'light'],
          },
        },
        { path: paths[1] ?? '', fields: { tags: [] } },
      ],
      { tags: ['all'] },
    );
    await desk.run();
    expect((await desk.rows()).map(({ state }) => state)).toEqual(['complete', 'complete', 'complete']);
    const { collectionId: collection_id } = desk;
    expect(creations()).toEqual([
      { title: 'b', collection_id },
      { title: 'c', collection_id, tags: ['all'] },
      { title: 'Optics', collection_id, byline: 'Ada', description: '<p>Light</p>', tags: ['week 1', 'light'] },
    ]);
    expect(updates()).toEqual([]);
    expect(
      (await itemsNow()).map(({ title, byline }: { title: string; byline: string | null }) => [title, byline]),
    ).toEqual([
      ['b', null],
      ['c', null],
      ['Optics', 'Ada'],
    ]);
  });

  it('are kept when the program is killed after it confirmed them', async () => {
    const path = desk.put('a.bin');
    await add([{ path, fields: { title: 'Optics', byline: 'Ada', description: '<p>Light</p>' } }]);
    const [row] = await desk.rows();
    const changes = [{ id: row?.id ?? '', fields: { byline: 'Ada Lovelace', tags: ['light'] } }];
    await desk.engine.call('uploads.describe', { changes });
    // The profile that a process killed at this moment leaves.
    const copy = `${desk.profile.dir}-killed`;
    cpSync(desk.profile.dir, copy, { recursive: true });
    await desk.engine.call('uploads.describe', { changes: [{ id: row?.id ?? '', fields: { title: 'Not stored' } }] });
    await desk.engine.stop();
    rmSync(desk.profile.dir, { recursive: true });
    cpSync(copy, desk.profile.dir, { recursive: true });
    rmSync(copy, { recursive: true });
    await desk.reopen();
    await desk.run();
    expect(creations()).toEqual([
      {
        title: 'Optics',
        collection_id: desk.collectionId,
        byline: 'Ada Lovelace',
        description: '<p>Light</p>',
        tags: ['light'],
      },
    ]);
  });

  it('are refused as a whole when one of them is not valid, and nothing is added', async () => {
    const path = desk.put('a.bin');
    for (const fields of [
      { title: ' \u0007 ' },
      { title: 'x'.repeat(1001) },
      { byline: 'x'.repeat(1001) },
      { tags: [' '] },
    ]) {
      await expect(add([{ path, fields }])).rejects.toMatchObject({ code: 'input.invalid' });
    }
    expect(await desk.rows()).toEqual([]);
  });
});

describe('files that the user left out', () => {
  it('get no row, and the others are numbered without them', async () => {
    const paths = ['a.bin', 'b.bin', 'c.bin'].map((name) => desk.put(name));
    const added = await add([{ path: paths[0] ?? '', isExcluded: true }], { titleTemplate: '{n} {name}' });
    expect(added).toMatchObject({ added: 2, skippedCount: 0 });
    expect(await titles()).toEqual(['1 b', '2 c']);
    const receipt = await desk.engine.call('uploads.receipt', { batchId: added.batchId });
    expect(receipt.totals.added).toBe(2);
  });

  it('are left out together with their captions, which are not uploaded as files of their own', async () => {
    const path = desk.put('lecture.mp4');
    desk.put('lecture.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    expect(await add([{ path, isExcluded: true }])).toMatchObject({ added: 0, skippedCount: 0, sidecars: 0 });
  });

  it('include files that arrived after the list was shown, when the user added only the listed files', async () => {
    desk.put('a.bin');
    const files = (await list()).map(({ path }) => ({ path }));
    desk.put('b.bin');
    expect(await add(files, { addsOthers: false })).toMatchObject({ added: 1 });
    expect(await titles()).toEqual(['a']);
  });
});

it('captions that were listed are added once, with their recording, when sidecars are turned on after the list was shown', async () => {
  desk.put('lecture.mp4');
  const path = desk.put('lecture.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
  const files = (await list(false)).map((file) => ({ path: file.path }));
  expect(files).toContainEqual({ path });
  for (const addsOthers of [false, true]) {
    expect(await add(files, { addsOthers })).toMatchObject({ added: 1, skippedCount: 0, sidecars: 1 });
  }
  const named = [{ path, fields: { title: 'Captions' } }];
  expect(await add(named)).toMatchObject({ added: 1, skippedCount: 0, sidecars: 1 });
});

it('the receipt names a listed file that was deleted, with the reason', async () => {
  const gone = desk.put('a.bin');
  desk.put('b.bin');
  const files = (await list()).map(({ path }) => ({ path }));
  rmSync(gone);
  const added = await add(files, { addsOthers: false });
  expect(added).toMatchObject({ added: 1, skippedCount: 1 });
  expect(added.skipped.map(({ path, error }) => [path, error.code])).toEqual([[gone, 'file.missing']]);
});

describe('the list of files before they are added', () => {
  it('has each file in queue order with its facts, its captions, or why it can’t be uploaded', async () => {
    desk.put('10.bin', 'ten');
    desk.put('2.bin', 'two');
    desk.put('empty.bin', '');
    desk.put('sub/lecture.mp4');
    desk.put('sub/lecture.vtt', 'WEBVTT\n');
    const files = await list();
    expect(
      files.map(({ fileName, folderName, sizeBytes, problem, sidecars }) => ({
        fileName,
        folderName,
        sizeBytes,
        problem: problem?.code ?? null,
        sidecars,
      })),
    ).toEqual([
      { fileName: '2.bin', folderName: basename(desk.dir), sizeBytes: 3, problem: null, sidecars: [] },
      { fileName: '10.bin', folderName: basename(desk.dir), sizeBytes: 3, problem: null, sidecars: [] },
      { fileName: 'empty.bin', folderName: basename(desk.dir), sizeBytes: 0, problem: 'file.empty', sidecars: [] },
      { fileName: 'lecture.mp4', folderName: 'sub', sizeBytes: 15, problem: null, sidecars: ['lecture.vtt'] },
    ]);
    const day = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
    expect(files.map(({ date }) => date)).toEqual([day, day, null, day]);
  });

  it('is part of the preview only on request', async () => {
    desk.put('a.bin');
    const preview = await desk.engine.call('uploads.preview', {
      paths: [join(desk.dir, 'a.bin')],
      siteId: null,
      collectionId: null,
      sidecars: true,
    });
    expect(preview).not.toHaveProperty('list');
  });
});

describe('values of queued uploads', () => {
  const ids = async () => (await desk.rows()).map(({ id }) => id);
  const describeOne = (id: string, fields: NonNullable<FileChoice['fields']>) =>
    desk.engine.call('uploads.describe', { changes: [{ id, fields }] });

  it('are shown and can be changed until the item is created, each field alone', async () => {
    const path = desk.put('a.bin');
    await add([{ path, fields: { byline: 'Ada', tags: ['light'] } }]);
    const [id = ''] = await ids();
    expect(await desk.engine.call('uploads.details', { ids: [id, 'unknown'] })).toEqual([
      {
        id,
        siteId: desk.siteId,
        fileName: 'a.bin',
        place: 'row',
        mediaId: null,
        fields: { title: 'a', byline: 'Ada', description: '', tags: ['light'] },
      },
    ]);
    expect(await describeOne(id, { title: 'Optics' })).toEqual({ changed: 1, items: [], refused: [] });
    expect((await desk.row('a.bin')).title).toBe('Optics');
    await desk.run();
    expect(creations()).toEqual([
      { title: 'Optics', collection_id: desk.collectionId, byline: 'Ada', tags: ['light'] },
    ]);
  });

  it('belong to the item as soon as it exists: the row is not changed, and the answer names the item', async () => {
    desk.put('a.bin');
    await add([]);
    await desk.run();
    const row = await desk.row('a.bin');
    expect(await describeOne(row.id, { title: 'Late' })).toEqual({
      changed: 0,
      items: [{ id: row.id, siteId: desk.siteId, mediaId: row.mediaId }],
      refused: [],
    });
    expect((await desk.row('a.bin')).title).toBe('a');
  });

  it('can’t change while the library has not confirmed the item', async () => {
    desk.put('a.bin');
    await add([]);
    const isCreation = (request: { method: string; url: string }) =>
      request.method === 'POST' && request.url === '/api2/media';
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    proxy.change({
      async reply(reply, request) {
        if (!isCreation(request)) return reply;
        ask();
        await released;
        return reply;
      },
    });
    desk.engine.startUploads();
    await asked;
    const [id = ''] = await ids();
    const answer = await describeOne(id, { title: 'Late' });
    expect(answer).toMatchObject({
      changed: 0,
      items: [],
      refused: [{ id, error: { code: 'upload.item-unconfirmed' } }],
    });
    expect((await desk.engine.call('uploads.details', { ids: [id] }))[0]?.place).toBe('unconfirmed');
    release();
    await desk.engine.whenUploadsIdle();
    expect((await itemsNow()).map(({ title }: { title: string }) => title)).toEqual(['a']);
  });

  it('are sent as they were changed while the library’s clock was read', async () => {
    desk.put('a.bin');
    await add([], { duplicates: 'upload' });
    const [id = ''] = await ids();
    proxy.change({
      async reply(reply, { url }) {
        if (url.startsWith('/api2/media/count')) await describeOne(id, { title: 'In time', tags: ['light'] });
        return reply;
      },
    });
    wallAheadMs = 60_000;
    await desk.run();
    expect(creations()).toEqual([{ title: 'In time', collection_id: desk.collectionId, tags: ['light'] }]);
  });

  it('are all changed, or none when an upload is unknown', async () => {
    desk.put('a.bin');
    await add([]);
    const [id = ''] = await ids();
    const changes = [
      { id, fields: { title: 'One' } },
      { id: 'nobody', fields: { title: 'Two' } },
    ];
    await expect(desk.engine.call('uploads.describe', { changes })).rejects.toMatchObject({ code: 'upload.unknown' });
    expect(await titles()).toEqual(['a']);
  });
});
