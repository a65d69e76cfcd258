// A JSON, XML or text file beside a recording of a watched folder describes it, whenever it arrives.
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  itemOfFile,
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenCounted,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { sound } from '../../../torture/engine/story-files.ts';

const it = deskTest();

it.override({ speed: 40, host: WITHOUT_EVENTS, settings: { processing: { outcome: 'complete' } } });

const station = (desk: Desk, settings: Record<string, unknown> = {}) =>
  watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk, { settings: { tags: ['station'], ...settings } }));
const json = (fields: Record<string, unknown>) => JSON.stringify(fields);

const names = async (desk: Desk) => (await desk.rows()).map(({ fileName }) => fileName).sort();
const refused = async (desk: Desk) =>
  (await watchedRows(desk, 'refused')).map(({ path, reason }) => [path, reason?.code]).sort();

describe('a file that describes a recording', () => {
  it('fills the fields of the recording’s item when it arrives before the recording, or together with it', async ({
    desk,
  }) => {
    startStation(desk);
    desk.put('in/early.json', json({ title: 'Early', author: 'Ada', keywords: ['a', 'b'] }));
    desk.put('in/sub/same.wav', sound(20_000));
    desk.put('in/sub/same.txt', 'Same time\nAll about it');
    const { id } = await station(desk);
    await whenWatched(desk, async () =>
      (await watchedRows(desk, 'settling')).some(({ reason }) => reason?.code === 'watch.waits-for-recording'),
    );
    desk.put('in/early.wav', sound(30_000));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 2);
    await desk.engine.whenUploadsIdle();
    expect(await names(desk)).toEqual(['early.wav', 'same.wav']);
    const early = await itemOfFile(desk, 'early.wav');
    expect(early).toMatchObject({ title: 'Early', byline: 'Ada' });
    expect([...early.tags].sort()).toEqual(['a', 'b']);
    expect(await itemOfFile(desk, 'same.wav')).toMatchObject({
      title: 'Same time',
      description: '<p>All about it</p>',
      tags: ['station'],
    });
    const row = (await desk.rows()).find(({ fileName }) => fileName === 'early.wav');
    expect(row?.followUps).toMatchObject([
      { kind: 'tags' },
      { kind: 'details', fileName: 'early.json', state: 'done' },
    ]);
  });

  it('edits the item when it arrives later or changes, and keeps values that someone changed in the library', async ({
    desk,
    service,
  }) => {
    startStation(desk);
    for (const [index, name] of ['a', 'b'].entries()) desk.put(`in/${name}.wav`, sound(20_000 + index * 1000));
    const { id } = await station(desk);
    await whenCounted(desk, 'done', 2);
    await desk.engine.whenUploadsIdle();
    const direct = await clientFor(service);
    await direct.post(`/api2/media/${(await desk.row('b.wav')).mediaId}`, { title: 'By someone' });
    for (const name of ['a', 'b']) desk.put(`in/${name}.json`, json({ title: `Late ${name}`, byline: 'Ada' }));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 4);
    await desk.engine.whenEditsIdle();
    expect(await itemOfFile(desk, 'a.wav')).toMatchObject({ title: 'Late a', byline: 'Ada', tags: ['station'] });
    expect(await itemOfFile(desk, 'b.wav')).toMatchObject({ title: 'By someone', byline: 'Ada' });
    const history = await desk.engine.call('edits.groups', {
      siteId: desk.siteId,
      isOpen: false,
      offset: 0,
      limit: 20,
    });
    expect(history.groups.flatMap(({ label }) => (label.endsWith('.json') ? [label] : [])).sort()).toEqual([
      'a.json',
      'b.json',
    ]);

    // Another version of the file replaces the values of the first, and a restart applies none again.
    desk.put('in/a.json', json({ title: 'Corrected', byline: 'Ada', tags: 'x; y' }));
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await itemOfFile(desk, 'a.wav')).title === 'Corrected');
    await desk.engine.whenEditsIdle();
    expect([...(await itemOfFile(desk, 'a.wav')).tags].sort()).toEqual(['x', 'y']);
    await direct.post(`/api2/media/${(await desk.row('a.wav')).mediaId}`, { title: 'By someone' });
    await desk.reopen();
    startStation(desk);
    await sweepNow(desk, id);
    await desk.engine.whenEditsIdle();
    expect((await itemOfFile(desk, 'a.wav')).title).toBe('By someone');
    expect(await names(desk)).toEqual(['a.wav', 'b.wav']);
  });

  it('fills the fields when it and its recording are found complete together, long after they arrived', async ({
    desk,
    clock,
  }) => {
    clock.setSpeed(400);
    // Each check takes longer than a recording waits for its companions.
    const slow = () => new Promise<boolean>((resolve) => clock.schedule(7 * 60_000, () => resolve(false)));
    await desk.reopen({ openFiles: { isOpenForWriting: slow } });
    startStation(desk);
    desk.put('in/talk.wav', sound(20_000));
    desk.put('in/talk.json', json({ title: 'Polarization' }));
    await station(desk);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1 && folder.counts.settling === 0);
    await desk.engine.whenUploadsIdle();
    expect(await itemOfFile(desk, 'talk.wav')).toMatchObject({ title: 'Polarization' });
  });

  it('fills the fields of an upload whose item is not created yet, also across a restart', async ({
    desk,
    service,
  }) => {
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: null,
      action: { kind: 'status', status: 503 },
    });
    startStation(desk);
    desk.put('in/talk.wav', sound(20_000));
    const { id } = await station(desk);
    await whenCounted(desk, 'queued', 1);
    await desk.engine.call('uploads.pause', { kind: 'all' });
    desk.put('in/talk.xml', '<record><dc:title>Polarization</dc:title><dc:creator>Ada</dc:creator></record>');
    await sweepNow(desk, id);
    await desk.reopen();
    await service.control('DELETE', '/faults');
    startStation(desk);
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await desk.row('talk.wav')).title === 'Polarization');
    await desk.engine.call('uploads.resume', { kind: 'all' });
    await whenCounted(desk, 'done', 2);
    await desk.engine.whenUploadsIdle();
    await desk.engine.whenEditsIdle();
    expect(await itemOfFile(desk, 'talk.wav')).toMatchObject({ title: 'Polarization', byline: 'Ada' });
  });

  it('has lower priority than a row of the manifest, whichever arrives first', { timeout: 300_000 }, async ({
    desk,
    clock,
  }) => {
    clock.setSpeed(200);
    startStation(desk);
    const manifest = 'file;title\na.wav;Row a\nb.wav;Row b\nc.wav;Row c\n';
    const details = (name: string) => desk.put(`in/${name}.json`, json({ title: `Details ${name}`, byline: 'Ada' }));
    desk.put('in/a.wav', sound(20_000));
    details('a');
    const { id } = await station(desk, { manifest: true });
    // No row of a manifest has arrived in time, so the details are used.
    await whenCounted(desk, 'done', 1);
    await desk.engine.whenUploadsIdle();
    // On a slow computer the details come later than the recording, as an edit of its item.
    const first = { title: 'Details a', byline: 'Ada' };
    await expect.poll(() => itemOfFile(desk, 'a.wav'), { timeout: 60_000 }).toMatchObject(first);
    desk.put('in/manifest.csv', manifest);
    desk.put('in/b.wav', sound(30_000));
    details('b');
    desk.put('in/c.wav', sound(40_000));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 3);
    await desk.engine.whenUploadsIdle();
    details('c');
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 4);
    await desk.engine.whenEditsIdle();
    for (const name of ['a', 'b', 'c']) {
      const values = { title: `Row ${name}`, byline: 'Ada' };
      await expect.poll(() => itemOfFile(desk, `${name}.wav`), { timeout: 60_000 }).toMatchObject(values);
    }
  });

  it('has a priority among other files about the recording: JSON, then XML, then text', async ({ desk }) => {
    startStation(desk);
    desk.put('in/talk.wav', sound(20_000));
    desk.put('in/talk.txt', 'From text\nText');
    desk.put('in/talk.xml', '<a><title>From XML</title><author>Ada</author></a>');
    const { id } = await station(desk);
    await whenCounted(desk, 'done', 1);
    await desk.engine.whenUploadsIdle();
    expect(await itemOfFile(desk, 'talk.wav')).toMatchObject({
      title: 'From XML',
      byline: 'Ada',
      description: '<p>Text</p>',
    });
    desk.put('in/talk.json', json({ title: 'From JSON' }));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 2);
    await desk.engine.whenEditsIdle();
    expect(await itemOfFile(desk, 'talk.wav')).toMatchObject({ title: 'From JSON', byline: 'Ada' });
  });

  it('is moved with its recording, also when it arrives while the upload waits', async ({ desk, service }) => {
    mkdirSync(join(desk.dir, 'sent'));
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: null,
      action: { kind: 'status', status: 503 },
    });
    startStation(desk);
    desk.put('in/talk.wav', sound(20_000));
    desk.put('in/talk.en.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n');
    desk.put('in/talk.info.json', json({ title: 'Polarization' }));
    const { id } = await station(desk, { source: { kind: 'move', folder: join(desk.dir, 'sent') } });
    await whenCounted(desk, 'queued', 1);
    desk.put('in/talk.txt', 'Text\nMore');
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 1);
    await service.control('DELETE', '/faults');
    await whenWatched(desk, ([folder]) => folder?.counts.queued === 0);
    await desk.engine.whenUploadsIdle();
    expect(readdirSync(join(desk.dir, 'in'))).toEqual([]);
    expect(readdirSync(join(desk.dir, 'sent')).sort()).toEqual([
      'talk.en.vtt',
      'talk.info.json',
      'talk.txt',
      'talk.wav',
    ]);
    expect(await itemOfFile(desk, 'talk.wav')).toMatchObject({ title: 'Polarization', description: '<p>More</p>' });
  });

  it('is skipped with a reason when it can’t be read, and used when it is repaired', async ({ desk }) => {
    startStation(desk);
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e', 'f'].entries())
      desk.put(`in/${name}.wav`, sound(20_000 + index * 1000));
    desk.put('in/a.json', '{"title": "cut');
    desk.put('in/b.txt', Buffer.from('Verf\xfcgbar', 'latin1'));
    truncateSync(desk.put('in/c.json', '{}'), 1_000_000_000);
    desk.put('in/d.xml', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><title>&x;</title></a>');
    desk.put('in/e.json', json({ width: 1920 }));
    mkdirSync(join(desk.dir, 'in/f.json'));
    symlinkSync(join(desk.dir, 'in/a.json'), join(desk.dir, 'in/f.txt'));
    const { id } = await station(desk);
    await whenCounted(desk, 'done', 6);
    await whenCounted(desk, 'refused', 6);
    await desk.engine.whenUploadsIdle();
    expect(await refused(desk)).toEqual([
      ['a.json', 'details.damaged'],
      ['b.txt', 'details.encoding'],
      ['c.json', 'details.too-large'],
      ['d.xml', 'details.damaged'],
      ['e.json', 'watch.no-details'],
      ['f.txt', 'watch.is-link'],
    ]);
    expect(await names(desk)).toEqual(['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav', 'f.wav']);
    writeFileSync(join(desk.dir, 'in/b.txt'), 'Verfügbar');
    const other = (await watchedRows(desk, 'refused')).find(({ path }) => path === 'e.json');
    await desk.engine.call('watch.uploadAnyway', { fileIds: [other?.id ?? ''] });
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 8);
    await desk.engine.whenUploadsIdle();
    await desk.engine.whenEditsIdle();
    expect((await itemOfFile(desk, 'b.wav')).title).toBe('Verfügbar');
    expect(await names(desk)).toContain('e.json');
  });

  it('belongs to the recording whose name it gets, and to neither of two recordings with the same name', async ({
    desk,
  }) => {
    startStation(desk);
    desk.put('in/panel.wav', sound(20_000));
    desk.put('in/panel.flac', 'another form');
    desk.put('in/panel.json', json({ title: 'Panel' }));
    const recording = desk.put('in/take.wav', sound(30_000).subarray(0, 10_000));
    desk.put('in/take.json', json({ title: 'Take' }));
    const { id } = await station(desk);
    await whenCounted(desk, 'attached', 1);
    renameSync(recording, join(desk.dir, 'in/Polarization.wav'));
    renameSync(join(desk.dir, 'in/take.json'), join(desk.dir, 'in/Polarization.json'));
    desk.put('in/Polarization.wav', sound(30_000));
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await names(desk)).includes('Polarization.wav'));
    await desk.engine.whenUploadsIdle();
    expect((await desk.row('Polarization.wav')).title).toBe('Take');
    await whenWatched(desk, async () => (await refused(desk)).some(([, code]) => code === 'watch.pair-unclear'));
    rmSync(join(desk.dir, 'in/panel.json'));
    desk.put('in/panel.wav.json', json({ title: 'Panel' }));
    await sweepNow(desk, id);
    await whenWatched(desk, async () => (await itemOfFile(desk, 'panel.wav')).title === 'Panel');
    await desk.engine.whenEditsIdle();
    expect((await itemOfFile(desk, 'panel.flac')).title).toBe('panel');
  });

  it('is uploaded as an item of its own when the folder does not use such files', async ({ desk }) => {
    startStation(desk);
    desk.put('in/talk.wav', sound(20_000));
    desk.put('in/talk.json', json({ title: 'Polarization' }));
    await station(desk, { details: false });
    await whenCounted(desk, 'done', 2);
    expect(await names(desk)).toEqual(['talk.json', 'talk.wav']);
  });
});
