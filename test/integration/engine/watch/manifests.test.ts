// A manifest in a watched folder describes the files that arrive in it, in whichever order they arrive.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';
import {
  itemOfFile,
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { sound } from '../../../torture/engine/story-files.ts';

const it = deskTest();

it.override({ speed: 40, host: WITHOUT_EVENTS, settings: { processing: { outcome: 'complete' } } });

const MANIFEST = 'file;title;byline;description;tags;publish_on\n';

const station = (desk: Desk) =>
  watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk, { settings: { manifest: true, tags: ['station'] } }));

const done = (desk: Desk, count: number) => whenWatched(desk, ([folder]) => folder?.counts.done === count);

describe('a manifest in a watched folder', () => {
  it('describes files that arrive before it, after it, and in sub-folders, and is never uploaded', async ({ desk }) => {
    startStation(desk);
    desk.put('in/a.wav', sound(20_000));
    const { id } = await station(desk);
    await whenWatched(desk, async () => {
      const [row] = await watchedRows(desk, 'settling');
      return row?.reason?.code === 'watch.waits-for-row';
    });
    expect(await desk.rows()).toEqual([]);
    desk.put(
      'in/manifest.csv',
      `${MANIFEST}a.wav;=Polarization;Ada;<p>Light</p>;light|week 7;2031-05-06T09:00Z\nsub/b.wav;Sound;;;;\n`,
    );
    desk.put('in/sub/b.wav', sound(30_000));
    await sweepNow(desk, id);
    await done(desk, 2);
    await desk.engine.whenUploadsIdle();
    expect(await itemOfFile(desk, 'a.wav')).toMatchObject({
      title: '=Polarization',
      byline: 'Ada',
      description: '<p>Light</p>',
      status: 'scheduled',
      publish_on: '2031-05-06T09:00:00Z',
    });
    expect([...(await itemOfFile(desk, 'a.wav')).tags].sort()).toEqual(['light', 'week 7']);
    expect(await itemOfFile(desk, 'b.wav')).toMatchObject({ title: 'Sound', tags: ['station'], status: 'draft' });
    expect((await desk.rows()).map(({ fileName }) => fileName).sort()).toEqual(['a.wav', 'b.wav']);
    const manifest = (await watchedRows(desk, 'refused')).find(({ path }) => path === 'manifest.csv');
    expect(manifest?.verdict).toMatchObject({ kind: 'skip', clause: { kind: 'manifest' } });
  });

  it('removes the tags that the folder’s settings add where a cell says <clear>', async ({ desk }) => {
    startStation(desk);
    desk.put('in/manifest.csv', `${MANIFEST}a.wav;A;;;<clear>;\nb.wav;B;;;;\n`);
    desk.put('in/a.wav', sound(20_000));
    desk.put('in/b.wav', sound(30_000));
    await station(desk);
    await done(desk, 2);
    await desk.engine.whenUploadsIdle();
    expect((await itemOfFile(desk, 'a.wav')).tags).toEqual([]);
    expect((await itemOfFile(desk, 'b.wav')).tags).toEqual(['station']);
  });

  it('makes a file wait for its row, and for the correction of a row with an error', async ({ desk }) => {
    startStation(desk);
    desk.put('in/manifest.csv', `${MANIFEST}a.wav;A;;;;2001-01-01T00:00Z\n`);
    desk.put('in/a.wav', sound(20_000));
    desk.put('in/b.wav', sound(30_000));
    const { id } = await station(desk);
    const waiting = async () =>
      (await watchedRows(desk, 'settling'))
        .filter(({ reason }) => reason?.code === 'watch.waits-for-row')
        .map(({ path, reason }) => [path, reason?.details?.problem]);
    await whenWatched(desk, async () => (await waiting()).some(([, problem]) => problem === 'manifest.date-passed'));
    await whenWatched(desk, async () => (await waiting()).length === 2);
    writeFileSync(join(desk.dir, 'in/manifest.csv'), `${MANIFEST}a.wav;A;;;;\n`);
    appendFileSync(join(desk.dir, 'in/manifest.csv'), 'b.wav;B;;;;\n');
    await sweepNow(desk, id);
    await done(desk, 2);
    await desk.engine.whenUploadsIdle();
    expect((await itemOfFile(desk, 'a.wav')).title).toBe('A');
    expect((await itemOfFile(desk, 'b.wav')).title).toBe('B');
  });

  it('describes a file that has waited long when both become ready together, as after the sleep of a computer', async ({
    desk,
    clock,
  }) => {
    startStation(desk);
    desk.put('in/a.wav', sound(20_000));
    desk.put('in/manifest.csv', `${MANIFEST}a.wav;Described;;;;\n`);
    const { id } = await station(desk);
    await whenWatched(desk, async () => (await watchedRows(desk, 'settling')).length === 2);
    await desk.engine.call('watch.pause', { folderId: id });
    const asleep = clock.now();
    clock.setSpeed(100_000);
    await expect.poll(() => clock.now() - asleep).toBeGreaterThan(60 * 60_000);
    clock.setSpeed(40);
    await desk.engine.call('watch.resume', { folderId: id });
    await done(desk, 1);
    await desk.engine.whenUploadsIdle();
    await expect.poll(() => itemOfFile(desk, 'a.wav'), { timeout: 60_000 }).toMatchObject({ title: 'Described' });
  });

  it('delays a file for ten minutes when no row describes it', { timeout: 300_000 }, async ({ desk, clock }) => {
    clock.setSpeed(100);
    startStation(desk);
    desk.put('in/a.wav', sound(20_000));
    const begun = clock.now();
    await station(desk);
    await done(desk, 1);
    const waitedMs = clock.now() - begun;
    expect(waitedMs).toBeGreaterThan(10 * 60_000 - 1000);
    // The upload and its steps also take time of this fast clock: a second of the test is almost two minutes.
    expect(waitedMs).toBeLessThan(20 * 60_000);
    expect(await itemOfFile(desk, 'a.wav')).toMatchObject({ title: 'a', tags: ['station'] });
  });

  it('changes uploads and items that were created before it, except values that someone changed', {
    timeout: 300_000,
  }, async ({ desk, clock, service }) => {
    clock.setSpeed(200);
    startStation(desk);
    for (const [index, name] of ['a', 'b', 'c'].entries()) desk.put(`in/${name}.wav`, sound(20_000 + index * 1000));
    const { id } = await station(desk);
    // No row arrives in time.
    await done(desk, 3);
    await desk.engine.whenUploadsIdle();
    const { engine, siteId } = desk;
    const direct = await clientFor(desk.service);
    const [b, c] = [await desk.row('b.wav'), await desk.row('c.wav')];
    await direct.post(`/api2/media/${b.mediaId}`, { title: 'By someone' });
    await engine.call('library.updateMedia', { siteId, mediaId: c.mediaId ?? '', patch: { title: 'By me' } });
    // Two more files whose items can't be created yet; the user describes one of them.
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: null,
      action: { kind: 'status', status: 503 },
    });
    await engine.call('uploads.pause', { kind: 'all' });
    for (const [index, name] of ['d', 'e'].entries()) desk.put(`in/${name}.wav`, sound(30_000 + index * 1000));
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.queued === 2);
    const e = await desk.row('e.wav');
    await engine.call('uploads.describe', { changes: [{ id: e.id, fields: { title: 'Typed' } }] });

    const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.wav;Row ${name};Ada;;x|y;`).join('\n');
    desk.put('in/manifest.csv', `${MANIFEST}${rows}\n`);
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await itemOfFile(desk, 'a.wav')).title === 'Row a');
    await engine.whenEditsIdle();
    expect(await itemOfFile(desk, 'a.wav')).toMatchObject({ title: 'Row a', byline: 'Ada' });
    expect([...(await itemOfFile(desk, 'a.wav')).tags].sort()).toEqual(['x', 'y']);
    // Values are protected field by field: only these two titles were changed after the uploads.
    expect(await itemOfFile(desk, 'b.wav')).toMatchObject({ title: 'By someone', byline: 'Ada' });
    expect(await itemOfFile(desk, 'c.wav')).toMatchObject({ title: 'By me', byline: 'Ada' });
    expect([(await desk.row('d.wav')).title, (await desk.row('e.wav')).title]).toEqual(['Row d', 'Typed']);
    const groups = async () => {
      const page = (isOpen: boolean) => engine.call('edits.groups', { siteId, isOpen, offset: 0, limit: 20 });
      return (await page(true)).total + (await page(false)).total;
    };
    const before = await groups();

    // When the manifest is read again, it changes no further values.
    appendFileSync(join(desk.dir, 'in/manifest.csv'), 'gone.wav;Gone;;;;\n');
    await sweepNow(desk, id);
    await whenWatched(desk, async () =>
      (await watchedRows(desk, 'refused')).some(({ path }) => path === 'manifest.csv'),
    );
    await engine.whenEditsIdle();
    expect(await groups()).toBe(before);
    await service.control('DELETE', '/faults');
    await engine.call('uploads.resume', { kind: 'all' });
    await done(desk, 5);
    expect(await itemOfFile(desk, 'd.wav')).toMatchObject({ title: 'Row d', byline: 'Ada' });
    expect(await itemOfFile(desk, 'e.wav')).toMatchObject({ title: 'Typed', byline: 'Ada' });
  });

  it('moves and schedules items that were created before it, and does not apply a time that has passed', {
    timeout: 300_000,
  }, async ({ desk, clock, service }) => {
    clock.setSpeed(200);
    startStation(desk);
    const { engine, siteId } = desk;
    const [target, other] = [
      await makeCollection(engine, siteId, 'Late rows'),
      await makeCollection(engine, siteId, 'Other'),
    ];
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries())
      desk.put(`in/${name}.wav`, sound(20_000 + index * 1000));
    const { id } = await station(desk);
    await done(desk, 4);
    await engine.whenUploadsIdle();
    const direct = await clientFor(service);
    await direct.post(`/api2/media/${(await desk.row('b.wav')).mediaId}`, { collection_id: other });
    await direct.post(`/api2/media/${(await desk.row('d.wav')).mediaId}/publish`, {});
    await engine.call('uploads.pause', { kind: 'all' });
    desk.put('in/e.wav', sound(30_000));
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.queued === 1);
    const at = '2031-05-06T09:00:00Z';
    desk.put(
      'in/manifest.csv',
      [
        'file;collection;publish_on',
        `a.wav;Late rows;${at}`,
        `b.wav;Late rows;${at}`,
        'c.wav;Nowhere;2001-01-01T00:00Z',
      ]
        .concat([`d.wav;c:${target};${at}`, `e.wav;Late rows;${at}`])
        .join('\n'),
    );
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await itemOfFile(desk, 'a.wav')).collection_id === target);
    await engine.whenEditsIdle();
    const scheduled = { status: 'scheduled', publish_on: at };
    expect(await itemOfFile(desk, 'a.wav')).toMatchObject({ ...scheduled, collection_id: target });
    // What someone else changed stays: the collection of b and the publication of d.
    expect(await itemOfFile(desk, 'b.wav')).toMatchObject({ ...scheduled, collection_id: other });
    expect(await itemOfFile(desk, 'd.wav')).toMatchObject({ status: 'published', collection_id: target });
    expect(await itemOfFile(desk, 'c.wav')).toMatchObject({ status: 'draft', collection_id: desk.collectionId });
    const open = await engine.call('edits.groups', { siteId, isOpen: true, offset: 0, limit: 20 });
    expect(open.groups).toMatchObject([{ label: 'manifest.csv' }]);
    // The user reverts both changes. The rows are applied again when the last upload is complete.
    const a = (await desk.row('a.wav')).mediaId;
    await direct.post(`/api2/media/${a}`, { collection_id: desk.collectionId });
    await direct.post(`/api2/media/${a}/unpublish`, {});
    expect(await itemOfFile(desk, 'a.wav')).toMatchObject({ status: 'draft', collection_id: desk.collectionId });
    await engine.call('uploads.resume', { kind: 'all' });
    await done(desk, 5);
    await whenWatched(desk, async () => (await itemOfFile(desk, 'e.wav')).collection_id === target);
    await engine.whenEditsIdle();
    expect(await itemOfFile(desk, 'e.wav')).toMatchObject(scheduled);
    expect(await itemOfFile(desk, 'a.wav')).toMatchObject({ status: 'draft', collection_id: desk.collectionId });
  });

  it('is uploaded like any other file when the rules do not use manifests', async ({ desk }) => {
    startStation(desk);
    desk.put('in/manifest.csv', MANIFEST);
    await watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk));
    await done(desk, 1);
    expect((await desk.rows()).map(({ fileName }) => fileName)).toEqual(['manifest.csv']);
  });

  it.for(['upload', 'skip'] as const)(
    'describes new files also when it is older than the setting that uses it (existing files: %s)',
    async (existingFiles, { desk }) => {
      startStation(desk);
      desk.put('in/manifest.csv', `${MANIFEST}a.wav;Polarization;;;<clear>;\n`);
      const settings = { manifest: false, tags: ['station'] };
      const { id } = await watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk, { existingFiles, settings }));
      await done(desk, 1);
      await sweepNow(desk, id);
      const rules = rulesFor(desk, { existingFiles, settings: { ...settings, manifest: true } });
      await desk.engine.call('watch.edit', { folderId: id, rules });
      desk.put('in/a.wav', sound(20_000));
      await sweepNow(desk, id);
      await done(desk, 2);
      await desk.engine.whenUploadsIdle();
      expect(await itemOfFile(desk, 'a.wav')).toMatchObject({ title: 'Polarization', tags: [] });
    },
  );
});
