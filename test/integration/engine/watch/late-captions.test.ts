import { appendFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  CAPTIONS,
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { effectsOf, requestsOf } from '../../../helpers/service/journal.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { sound } from '../../../torture/engine/story-files.ts';

const it = deskTest();

it.override({ speed: 10, host: WITHOUT_EVENTS });

/** Creates a station that has uploaded `talk.wav`. Returns the id of the folder. */
async function uploaded(desk: Desk, settings: Record<string, unknown> = {}): Promise<string> {
  startStation(desk);
  desk.put('in/talk.wav', sound(20_000));
  const { id } = await watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk, { settings }));
  await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
  await desk.engine.whenUploadsIdle();
  return id;
}
/** Creates a station whose upload of `talk.wav` waits, because the library creates no items. Returns the id of the folder. */
async function delayed({ desk, service }: { desk: Desk; service: ServiceProcess }): Promise<string> {
  await service.control('POST', '/faults', {
    method: 'POST',
    path: '^/api2/media$',
    times: null,
    action: { kind: 'status', status: 500 },
  });
  startStation(desk);
  desk.put('in/talk.wav', sound(20_000));
  const { id } = await watchFolder(desk, join(desk.dir, 'in'));
  await whenWatched(desk, ([folder]) => folder?.counts.queued === 1);
  return id;
}
const CORRECTED = CAPTIONS.replace('hello', 'good morning');

const captionsOf = async (desk: Desk) =>
  (await desk.rows()).flatMap(({ fileName, followUps }) =>
    followUps.filter(({ kind }) => kind === 'captions').map((each) => `${fileName}: ${each.fileName} ${each.state}`),
  );
describe('captions that arrive after their recording was queued', () => {
  it('are added to its item once, are listed with its upload, and are in its receipt', async ({ desk, service }) => {
    const id = await uploaded(desk);
    desk.put('in/talk.en.vtt', CAPTIONS);
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
    await desk.engine.whenUploadsIdle();
    expect(await captionsOf(desk)).toEqual(['talk.wav: talk.en.vtt done']);
    const [upload, ...others] = await desk.rows();
    expect(others).toEqual([]);
    expect(await requestsOf(service, 'POST', /\/files$/)).toHaveLength(2);
    const receipt = await desk.engine.call('uploads.receipt', { batchId: upload?.batchId ?? '' });
    expect(receipt.lines[0]?.followUps).toMatchObject([{ kind: 'captions', fileName: 'talk.en.vtt', state: 'done' }]);

    const rows = await watchedRows(desk, 'recent');
    const listed = rows.find(({ path }) => path === 'talk.en.vtt');
    expect(listed).toMatchObject({ uploadId: upload?.id, uploadState: 'complete' });
    expect(listed?.verdict).toMatchObject({ kind: 'skip', clause: { kind: 'attached', recording: 'talk.wav' } });

    // Neither sweeps nor a restart add them again.
    await sweepNow(desk, id);
    await desk.reopen();
    startStation(desk);
    await sweepNow(desk, id);
    await desk.engine.whenUploadsIdle();
    expect(await captionsOf(desk)).toEqual(['talk.wav: talk.en.vtt done']);
  });

  it('are added although the recording was moved away after its upload', async ({ desk }) => {
    mkdirSync(join(desk.dir, 'sent'));
    const id = await uploaded(desk, { source: { kind: 'move', folder: join(desk.dir, 'sent') } });
    await sweepNow(desk, id);
    desk.put('in/talk.vtt', CAPTIONS);
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
    await desk.engine.whenUploadsIdle();
    expect(await captionsOf(desk)).toEqual(['talk.wav: talk.vtt done']);
  });

  it('are attached while the recording waits for the library, and are sent when its upload continues', async ({
    desk,
    service,
  }) => {
    const id = await delayed({ desk, service });
    desk.put('in/talk.de.vtt', CAPTIONS);
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
    expect(await captionsOf(desk)).toEqual(['talk.wav: talk.de.vtt pending']);
    await service.control('DELETE', '/faults');
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
    await desk.engine.whenUploadsIdle();
    expect(await captionsOf(desk)).toEqual(['talk.wav: talk.de.vtt done']);
  });

  it('are sent once when both they and the publication failed and are retried together', async ({ desk, service }) => {
    const refuse = (path: string) =>
      service.control('POST', '/faults', {
        method: 'POST',
        path,
        times: null,
        action: { kind: 'status', status: 403, body: { message: 'Not now.' } },
      });
    await refuse('/publish$');
    const id = await uploaded(desk, { publish: { kind: 'now' } });
    await refuse('/files$');
    desk.put('in/talk.vtt', CAPTIONS);
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
    await desk.engine.whenUploadsIdle();
    expect((await desk.rows())[0]?.followUps.map(({ kind, state }) => [kind, state])).toEqual([
      ['publish', 'failed'],
      ['captions', 'failed'],
    ]);
    await service.control('DELETE', '/faults');
    await service.control('DELETE', '/journal');
    await desk.engine.call('uploads.retry', { kind: 'all' });
    await desk.engine.whenUploadsIdle();
    expect((await desk.rows())[0]?.followUps.map(({ kind, state }) => [kind, state])).toEqual([
      ['publish', 'done'],
      ['captions', 'done'],
    ]);
    expect((await requestsOf(service, 'POST', /\/files$/)).map(({ status }) => status)).toEqual([201]);
  });

  it.for<['in place' | 'by rename', 'with' | 'after']>([
    ['by rename', 'with'],
    ['by rename', 'after'],
    ['in place', 'after'],
  ])(
    'are sent as they are now when they were corrected %s before they were sent, and had arrived %s it',
    async ([way, arrival], { desk, service }) => {
      const path = join(desk.dir, 'in/talk.vtt');
      if (arrival === 'with') desk.put(path, CAPTIONS);
      const id = await delayed({ desk, service });
      if (arrival === 'after') {
        desk.put(path, CAPTIONS);
        await sweepNow(desk, id);
        await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
      }
      const written = desk.put(way === 'in place' ? path : 'in/talk.part', CORRECTED);
      renameSync(written, path);
      await sweepNow(desk, id);
      await whenWatched(desk, ([folder]) => folder?.counts.done === 1);
      await service.control('DELETE', '/faults');
      await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
      await desk.engine.whenUploadsIdle();
      expect(await captionsOf(desk)).toEqual(['talk.wav: talk.vtt done']);
      const stored = await effectsOf(service, 'bytes-stored');
      expect(stored.at(-1)?.bytes).toBe(CORRECTED.length);
    },
  );

  it('are refused with a reason when they change after they were sent', async ({ desk }) => {
    const id = await uploaded(desk);
    const path = desk.put('in/talk.vtt', CAPTIONS);
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.done === 2);
    await desk.engine.whenUploadsIdle();
    appendFileSync(path, '\n00:01.000 --> 00:02.000\nagain\n');
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 1);
    const [refused] = await watchedRows(desk, 'refused');
    expect(refused).toMatchObject({ path: 'talk.vtt', reason: { code: 'watch.sidecar-late' } });
    expect(await captionsOf(desk)).toEqual(['talk.wav: talk.vtt done']);
  });

  it('are refused with a reason when the user added captions of their name to the item before', async ({ desk }) => {
    const id = await uploaded(desk);
    const [recording] = await desk.rows();
    const path = desk.put('other/talk.vtt', CAPTIONS);
    await desk.engine.call('uploads.add', {
      siteId: desk.siteId,
      collectionId: desk.collectionId,
      paths: [path],
      addsOthers: true,
      files: [{ path, addsTo: recording?.id ?? '' }],
      defaults: batchDefaultsSchema.parse({}),
    });
    await desk.engine.whenUploadsIdle();
    expect((await desk.rows()).map(({ fileName, state }) => `${fileName} ${state}`)).toContain('talk.vtt complete');
    desk.put('in/talk.vtt', CAPTIONS);
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 1);
    const [refused] = await watchedRows(desk, 'refused');
    expect(refused).toMatchObject({ path: 'talk.vtt', reason: { code: 'watch.sidecar-late' } });
    expect(await captionsOf(desk)).toEqual([]);
  });

  it('are refused with a reason when the upload of their recording was cancelled', async ({ desk, service }) => {
    const id = await delayed({ desk, service });
    const [upload] = await desk.rows();
    await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [upload?.id ?? ''] });
    await service.control('DELETE', '/faults');
    desk.put('in/talk.vtt', CAPTIONS);
    await sweepNow(desk, id);
    await whenWatched(desk, ([folder]) => folder?.counts.refused === 1);
    const [refused] = await watchedRows(desk, 'refused');
    expect(refused).toMatchObject({ path: 'talk.vtt', reason: { code: 'watch.sidecar-late' } });
    expect((await desk.rows()).map(({ state, followUps }) => ({ state, followUps }))).toEqual([
      { state: 'cancelled', followUps: [] },
    ]);
    expect(await requestsOf(service, 'POST', /\/files$/)).toEqual([]);
  });
});
