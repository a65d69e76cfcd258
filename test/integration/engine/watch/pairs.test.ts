// Captions, thumbnails and their recordings in a watched folder: the files that belong together, and the handling of uncertain
// ones.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { takeQueueBack } from '../../../helpers/engine/queue-of-version.ts';
import {
  CAPTIONS,
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenCounted,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { sound } from '../../../torture/engine/story-files.ts';

const it = deskTest();

it.override({ speed: 20, host: WITHOUT_EVENTS, settings: { processing: { outcome: 'complete' } } });

/** The last version of the database whose keys (`pair_key`) covered only the exact name. */
const WITH_OLD_KEYS = MIGRATIONS.findIndex((step) => step.includes("SET pair_key = '?'"));

/** Gives all rows the keys that this version wrote: the path without the extension. */
async function useOldKeys(path: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  const set = database.prepare('UPDATE watched_files SET pair_key = ? WHERE path = ?');
  for (const row of database.prepare('SELECT path FROM watched_files').all()) {
    set.run(String(row.path).replace(/\.[^./]*$/, ''), String(row.path));
  }
  database.close();
}

/** The follow-ups of each upload. */
const uploads = async (desk: Desk) =>
  Object.fromEntries(
    (await desk.rows()).map(({ fileName, followUps }) => [
      fileName,
      followUps.map((each) => `${each.kind} ${each.fileName}`).sort(),
    ]),
  );

describe('files whose recording is not certain', () => {
  it('are listed with their candidates, and neither attached nor uploaded', async ({ desk, clock }) => {
    startStation(desk);
    for (const [index, name] of ['panel.mp4.wav', 'panel.wav', 'Keynote.wav'].entries())
      desk.put(`in/${name}`, sound(20_000 + index * 1000));
    desk.put('in/panel.flac', 'another form of the panel');
    for (const name of ['panel.en.vtt', 'keynote.jpg', 'Keynote final.srt', 'Keynote.de.vtt'])
      desk.put(`in/${name}`, `${name} ${CAPTIONS}`);
    await watchFolder(desk, join(desk.dir, 'in'));
    // Recordings wait minutes of this clock for their captions, which must suffice on a slow computer.
    await whenWatched(desk, ([folder]) => (folder?.counts.queued ?? 0) + (folder?.counts.done ?? 0) === 4);
    clock.setSpeed(200);
    await whenCounted(desk, 'refused', 3);
    await desk.engine.whenUploadsIdle();
    expect(await uploads(desk)).toMatchObject({
      'Keynote.wav': ['captions Keynote.de.vtt'],
      'panel.wav': [],
      'panel.mp4.wav': [],
      'panel.flac': [],
    });
    const refused = await watchedRows(desk, 'refused');
    expect(refused.map(({ path, reason, verdict }) => [path, reason?.code, verdict?.clause]).sort()).toEqual([
      ['Keynote final.srt', 'watch.pair-unclear', { kind: 'unclear', recordings: ['Keynote.wav'] }],
      ['keynote.jpg', 'watch.pair-unclear', { kind: 'unclear', recordings: ['Keynote.wav'] }],
      ['panel.en.vtt', 'watch.pair-unclear', { kind: 'unclear', recordings: ['panel.flac', 'panel.wav'] }],
    ]);
  });

  it('are added to the recording whose name a rename gives them, or uploaded when the user chooses “Upload anyway”', async ({
    desk,
    clock,
  }) => {
    clock.setSpeed(200);
    startStation(desk);
    desk.put('in/talk.wav', sound(20_000));
    desk.put('in/TALK.srt', `1 ${CAPTIONS}`);
    desk.put('in/Talk.vtt', CAPTIONS);
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await whenCounted(desk, 'refused', 2);
    await desk.engine.whenUploadsIdle();
    renameSync(join(desk.dir, 'in/Talk.vtt'), join(desk.dir, 'in/talk.vtt'));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 2);
    const [other] = await watchedRows(desk, 'refused');
    expect(await desk.engine.call('watch.uploadAnyway', { fileIds: [other?.id ?? ''] })).toEqual({ changed: 1 });
    await whenCounted(desk, 'done', 3);
    await desk.engine.whenUploadsIdle();
    expect(await uploads(desk)).toEqual({ 'talk.wav': ['captions talk.vtt'], 'TALK.srt': [] });
  });

  it('are uploaded with a recording that arrives later and has their name without language and extension', async ({
    desk,
  }) => {
    startStation(desk);
    desk.put('in/talk.wav', sound(20_000));
    const captions = ['talk 2.English.vtt', 'talk 2.en.sdh.vtt', 'talk 2.en.vtt'];
    for (const name of captions) desk.put(`in/${name}`, `${CAPTIONS}\nNOTE ${name}`);
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await whenWatched(desk, async () =>
      (await watchedRows(desk, 'settling')).some(({ reason }) => reason?.code === 'watch.waits-for-recording'),
    );
    desk.put('in/talk 2.wav', sound(30_000));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 2);
    await desk.engine.whenUploadsIdle();
    expect(await uploads(desk)).toEqual({ 'talk.wav': [], 'talk 2.wav': captions.map((name) => `captions ${name}`) });
  });
});

describe('sidecars of a recording', () => {
  it('are matched again when their recording is renamed before it is uploaded', async ({ desk }) => {
    startStation(desk);
    // The recording is not complete yet, so it is not uploaded.
    const recording = desk.put('in/take.wav', sound(20_000).subarray(0, 10_000));
    desk.put('in/take.vtt', CAPTIONS);
    const { id } = await watchFolder(desk, join(desk.dir, 'in'));
    await whenCounted(desk, 'attached', 1);
    renameSync(recording, join(desk.dir, 'in/Polarization.wav'));
    await sweepNow(desk, id);
    await whenWatched(desk, async () =>
      (await watchedRows(desk, 'settling')).some(({ reason }) => reason?.code === 'watch.waits-for-recording'),
    );
    renameSync(join(desk.dir, 'in/take.vtt'), join(desk.dir, 'in/Polarization.vtt'));
    desk.put('in/Polarization.wav', sound(20_000));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 1);
    await desk.engine.whenUploadsIdle();
    expect(await uploads(desk)).toEqual({ 'Polarization.wav': ['captions Polarization.vtt'] });
  });

  it('are attached once after an update of the program, whether they arrived before or after it', async ({
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
    const folder = join(desk.dir, 'in');
    desk.put('in/early.en.vtt', CAPTIONS);
    desk.put('in/late.wav', sound(20_000));
    desk.put('in/both.wav', sound(30_000).subarray(0, 10_000));
    desk.put('in/both.vtt', CAPTIONS);
    const { id } = await watchFolder(desk, folder, rulesFor(desk));
    await whenWatched(desk, async ([each]) => {
      const waits = (await watchedRows(desk, 'settling')).map(({ reason }) => reason?.code);
      return each?.counts.queued === 1 && each.counts.attached === 1 && waits.includes('watch.waits-for-recording');
    });
    await desk.engine.stop();
    takeQueueBack(join(desk.profile.dir, 'queue.db'), WITH_OLD_KEYS);
    await useOldKeys(join(desk.profile.dir, 'queue.db'));
    await desk.reopen();
    await service.control('DELETE', '/faults');
    startStation(desk);
    desk.put('in/early.wav', sound(40_000));
    desk.put('in/late.de.vtt', CAPTIONS);
    desk.put('in/both.wav', sound(30_000));
    await sweepNow(desk, id);
    await whenCounted(desk, 'done', 4);
    await desk.engine.whenUploadsIdle();
    expect(await uploads(desk)).toEqual({
      'early.wav': ['captions early.en.vtt'],
      'late.wav': ['captions late.de.vtt'],
      'both.wav': ['captions both.vtt'],
    });
  });
});
