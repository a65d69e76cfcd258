// Captions and thumbnails that the user adds after their recording was uploaded: they are added to its item, never to a wrong one
// without a message.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { mediaQuerySchema } from '../../../../shared/contract/library.ts';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';
import { effectsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n';
/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads a recording with unique contents. */
async function uploadRecording(desk: Desk, name = 'talk.mp4') {
  const path = desk.put(name, `${name} of ${desk.dir}`);
  await desk.engine.call('uploads.add', {
    siteId: desk.siteId,
    collectionId: desk.collectionId,
    paths: [path],
    defaults: batchDefaultsSchema.parse({ duplicates: 'upload' }),
  });
  await desk.run();
  return desk.row(name);
}

const add = (desk: Desk, paths: string[], files: FileChoice[] = [], collectionId = desk.collectionId) =>
  desk.engine.call('uploads.add', {
    siteId: desk.siteId,
    collectionId,
    paths: paths.map((name) => join(desk.dir, name)),
    files,
    addsOthers: true,
    defaults: batchDefaultsSchema.parse({}),
  });

async function previewed({ engine, siteId, collectionId, dir }: Desk, paths: string[], choices: FileChoice[] = []) {
  const { list, ...preview } = await engine.call('uploads.preview', {
    paths: paths.map((name) => join(dir, name)),
    siteId,
    collectionId,
    sidecars: true,
    lists: true,
    choices,
  });
  return { ...preview, list: list?.files ?? [] };
}

async function itemFiles({ engine, siteId }: Desk, mediaId: string | null) {
  const { files } = await engine.call('library.media', { siteId, mediaId: mediaId ?? '' });
  return files.map(({ display_name, type, status }) => `${type} ${display_name} ${status}`).sort();
}

describe('captions and thumbnails of an uploaded recording', () => {
  it('are previewed with it and added to its item, whatever collection is chosen', async ({ desk, service }) => {
    const recording = await uploadRecording(desk);
    desk.put('talk.de.vtt', VTT);
    desk.put('talk.png', PNG);
    desk.put('other.mp4', `other of ${desk.dir}`);
    const names = ['talk.de.vtt', 'talk.png', 'other.mp4'];
    const preview = await previewed(desk, names);
    expect(preview).toMatchObject({ files: 3, skipped: 0, firstNames: [{ fileName: 'other.mp4' }] });
    const upload = {
      id: recording.id,
      fileName: 'talk.mp4',
      title: 'talk',
      uploadedAt: recording.endedAt,
      collectionName: recording.collectionName,
    };
    expect(preview.list.map(({ fileName, late }) => [fileName, late])).toEqual([
      ['talk.de.vtt', { kind: 'captions', upload }],
      ['talk.png', { kind: 'thumbnail', upload }],
      ['other.mp4', undefined],
    ]);

    const elsewhere = await makeCollection(desk.engine, desk.siteId, `elsewhere ${desk.profile.dir.slice(-6)}`);
    const added = await add(desk, names, [], elsewhere);
    expect(added).toMatchObject({ added: 1, skippedCount: 0, late: { count: 2, files: [{ upload }, { upload }] } });
    await desk.engine.whenUploadsIdle();
    expect(await itemFiles(desk, recording.mediaId)).toEqual([
      'captions talk.de.vtt complete',
      'video talk.mp4 complete',
    ]);
    const thumbs = await effectsOf(service, 'thumb-stored');
    expect(thumbs.filter((each) => String(each.resource_id) === recording.mediaId)).toHaveLength(1);
    expect((await desk.row('other.mp4')).mediaId).not.toBe(recording.mediaId);
    // They have a separate receipt, in the collection of the item.
    const [batchId = ''] = added.late?.batchIds ?? [];
    const receipt = await desk.engine.call('uploads.receipt', { batchId });
    expect(receipt).toMatchObject({ collectionName: recording.collectionName, totals: { added: 2, complete: 2 } });
  });

  it('are in lists by captions at once, although the files of the item were read before', async ({ desk }) => {
    const { engine, siteId } = desk;
    const recording = await uploadRecording(desk);
    const found = async (search: string) => {
      const query = mediaQuerySchema.parse({ siteId, search });
      return (await engine.call('library.mediaWindow', { query, offset: 0, limit: 10 })).rows.map(({ id }) => id);
    };
    await engine.call('library.syncNow', { siteId });
    await engine.call('library.fileFacts', { siteId, mediaId: recording.mediaId ?? '' });
    expect(await found('no:captions')).toEqual([recording.mediaId]);
    desk.put('talk.de.vtt', VTT);
    await add(desk, ['talk.de.vtt']);
    await desk.run();
    expect([await found('no:captions'), await found('has:captions')]).toEqual([[], [recording.mediaId]]);
  });

  it('create no second batch when nothing else is added', async ({ desk }) => {
    await uploadRecording(desk);
    desk.put('talk.de.vtt', VTT);
    const { batchId, late } = await add(desk, ['talk.de.vtt']);
    expect(late?.batchIds).toEqual([batchId]);
    expect(await desk.engine.call('uploads.batches', { limit: 10, offset: 0 })).toHaveLength(2);
  });

  it('become items of their own where the user chose that', async ({ desk }) => {
    const recording = await uploadRecording(desk);
    desk.put('talk.de.vtt', VTT);
    desk.put('talk.en.vtt', VTT);
    const own: FileChoice[] = [{ path: join(desk.dir, 'talk.de.vtt'), belongsTo: null }];
    expect((await previewed(desk, ['talk.de.vtt'], own)).list.map(({ late }) => late)).toEqual([undefined]);
    const added = await add(desk, ['talk.de.vtt', 'talk.en.vtt'], own);
    expect(added).toMatchObject({ added: 1, late: { count: 1 } });
    await desk.engine.whenUploadsIdle();
    expect((await desk.row('talk.de.vtt')).mediaId).not.toBe(recording.mediaId);
    expect((await desk.row('talk.en.vtt')).mediaId).toBe(recording.mediaId);
    const all = { ...batchDefaultsSchema.parse({}), sidecars: false };
    desk.put('talk.fr.vtt', VTT);
    const { siteId, collectionId, engine } = desk;
    const paths = [join(desk.dir, 'talk.fr.vtt')];
    const alone = await engine.call('uploads.add', { siteId, collectionId, paths, defaults: all });
    expect(alone).toMatchObject({ added: 1 });
    expect(alone.late).toBeUndefined();
  });

  it('are added to an upload that has not ended, as if they had been added with its recording', async ({ desk }) => {
    const path = desk.put('talk.mp4', `talk of ${desk.dir}`);
    await desk.add([path]);
    desk.put('talk.de.vtt', VTT);
    const added = await add(desk, ['talk.de.vtt']);
    const { batchId } = await desk.row('talk.mp4');
    expect(added).toMatchObject({ added: 0, batchId, late: { count: 1, batchIds: [batchId] } });
    expect(await desk.rows()).toHaveLength(1);
    await desk.run();
    const recording = await desk.row('talk.mp4');
    expect(recording.followUps).toMatchObject([{ kind: 'captions', fileName: 'talk.de.vtt', state: 'done' }]);
    expect(await itemFiles(desk, recording.mediaId)).toContain('captions talk.de.vtt complete');
  });

  it('are sent once, in place of those that were at their path and were not sent yet', async ({ desk, service }) => {
    const path = desk.put('talk.mp4', `talk of ${desk.dir}`);
    const first = desk.put('talk.de.vtt', VTT);
    await desk.add([path]);
    rmSync(first);
    const longer = `${VTT}\n00:03.000 --> 00:04.000\nWelt\n`;
    desk.put('talk.de.vtt', longer);
    const { id } = await desk.row('talk.mp4');
    expect(await add(desk, ['talk.de.vtt'], [{ path: first, addsTo: id }])).toMatchObject({ late: { count: 1 } });
    await desk.run();
    const { followUps, mediaId } = await desk.row('talk.mp4');
    expect(followUps).toMatchObject([{ kind: 'captions', fileName: 'talk.de.vtt', state: 'done' }]);
    expect(await itemFiles(desk, mediaId)).toEqual(['captions talk.de.vtt complete', 'video talk.mp4 complete']);
    expect((await effectsOf(service, 'bytes-stored')).at(-1)?.bytes).toBe(longer.length);
  });
});

describe('the user must decide about captions and thumbnails', () => {
  const doubts = async (desk: Desk, names: string[]) =>
    (await previewed(desk, names)).list.map(({ fileName, unclear, problem }) => [
      ...[fileName, problem?.code, unclear?.doubt],
      unclear?.candidates.map(({ upload }) => upload?.id),
    ]);

  it('when the recording was changed since, or its item has such a file', async ({ desk }) => {
    const changed = await uploadRecording(desk, 'changed.mp4');
    const taken = await uploadRecording(desk, 'taken.mp4');
    desk.put('changed.mp4', 'longer than before and not the same');
    for (const name of ['changed.srt', 'taken.srt']) desk.put(name, VTT);
    expect(await add(desk, ['taken.srt'])).toMatchObject({ late: { count: 1 } });
    await desk.engine.whenUploadsIdle();

    expect(await doubts(desk, ['changed.srt', 'taken.srt'])).toEqual([
      ['changed.srt', 'file.pair-unclear', 'changed', [changed.id]],
      ['taken.srt', 'file.pair-unclear', 'has-one', [taken.id]],
    ]);
    // Without a choice, no file is uploaded, and the receipt contains the reason.
    expect(await add(desk, ['changed.srt', 'taken.srt'])).toMatchObject({ added: 0, skippedCount: 2 });
    const chosen = [{ path: join(desk.dir, 'changed.srt'), addsTo: changed.id }];
    expect((await previewed(desk, ['changed.srt'], chosen)).list).toMatchObject([
      { late: { upload: { id: changed.id } } },
    ]);
    expect(await add(desk, ['changed.srt'], chosen)).toMatchObject({ late: { count: 1 } });
    await desk.engine.whenUploadsIdle();
    expect(await itemFiles(desk, changed.mediaId)).toContain('captions changed.srt complete');
  });

  it('when one file was uploaded to two collections', async ({ desk }) => {
    const other = await makeCollection(desk.engine, desk.siteId, `both ${desk.profile.dir.slice(-6)}`);
    const path = desk.put('both.mp4', `both of ${desk.dir}`);
    for (const collectionId of [desk.collectionId, other]) {
      const defaults = batchDefaultsSchema.parse({ duplicates: 'upload' });
      await desk.engine.call('uploads.add', { siteId: desk.siteId, collectionId, paths: [path], defaults });
    }
    await desk.run();
    const ids = (await desk.rows()).map(({ id }) => id);
    desk.put('both.srt', VTT);
    const [found] = await doubts(desk, ['both.srt']);
    expect(found?.slice(0, 3)).toEqual(['both.srt', 'file.pair-unclear', 'repeated']);
    expect(new Set(found?.[3])).toEqual(new Set(ids));
  });

  it('when the name is only similar, or fits recordings of which some were uploaded before', async ({ desk }) => {
    const talk = await uploadRecording(desk, 'Talk.mp4');
    const panel = await uploadRecording(desk, 'panel.mp4');
    desk.put('panel.wav', 'panel sound');
    for (const name of ['talk.srt', 'panel.srt']) desk.put(name, VTT);
    const { list } = await previewed(desk, ['talk.srt', 'panel.srt', 'panel.wav']);
    expect(
      list.map(({ fileName, unclear }) => [
        ...[fileName, unclear?.doubt],
        unclear?.candidates.map((each) => [each.fileName, each.upload?.id]),
      ]),
    ).toEqual([
      ['talk.srt', 'spelling', [['Talk.mp4', talk.id]]],
      [
        'panel.srt',
        'several',
        [
          ['panel.wav', undefined],
          ['panel.mp4', panel.id],
        ],
      ],
      ['panel.wav', undefined, undefined],
    ]);
  });

  it('again when the chosen upload is cancelled in the meantime', async ({ desk }) => {
    const path = desk.put('talk.mp4', `talk of ${desk.dir}`);
    await desk.add([path]);
    const { id } = await desk.row('talk.mp4');
    desk.put('talk.de.vtt', VTT);
    await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [id] });
    const chosen = [{ path: join(desk.dir, 'talk.de.vtt'), addsTo: id }];
    expect(await add(desk, ['talk.de.vtt'], chosen)).toMatchObject({
      added: 0,
      skippedCount: 1,
      skipped: [{ error: { code: 'file.pair-unclear' } }],
    });
    // Without the choice, the file becomes an item of its own.
    expect(await add(desk, ['talk.de.vtt'])).toMatchObject({ added: 1, skippedCount: 0 });
  });
});
