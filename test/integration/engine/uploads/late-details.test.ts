// Details that the user adds after their recording was uploaded: they become an edit of its item, and never replace a value that
// someone entered without a question.
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import type { MediaItem } from '../../../../shared/api/media.ts';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

/** Uploads a recording with unique contents. */
async function uploadRecording(desk: Desk, name = 'talk.mp4', files: FileChoice[] = [], titleTemplate = '{name}') {
  const path = desk.put(name, `${name} of ${desk.dir}`);
  await desk.engine.call('uploads.add', {
    siteId: desk.siteId,
    collectionId: desk.collectionId,
    paths: [path],
    files,
    addsOthers: true,
    defaults: batchDefaultsSchema.parse({ duplicates: 'upload', tags: ['all'], titleTemplate }),
  });
  await desk.run();
  return desk.row(name);
}

const add = ({ engine, siteId, collectionId, dir }: Desk, names: string[], files: FileChoice[] = []) =>
  engine.call('uploads.add', {
    siteId,
    collectionId,
    paths: names.map((name) => join(dir, name)),
    files,
    addsOthers: true,
    defaults: batchDefaultsSchema.parse({}),
  });
const previewed = async ({ engine, siteId, collectionId, dir }: Desk, names: string[]) => {
  const paths = names.map((name) => join(dir, name));
  const request = { paths, siteId, collectionId, sidecars: true, lists: true, choices: [] };
  return (await engine.call('uploads.preview', request)).list?.files ?? [];
};
const itemOf = async (desk: Desk, mediaId: string | null) =>
  (await (await clientFor(desk.service)).get(`/api2/media/${mediaId}`)).body as MediaItem;

describe('details of an uploaded recording', () => {
  it('become one edit of its item, which can be undone, and no item', async ({ desk }) => {
    const talk = await uploadRecording(desk);
    const clip = await uploadRecording(desk, 'clip.mp4', [], 'Course {nn}');
    desk.put('talk.json', JSON.stringify({ title: 'From JSON', tags: ['x', 'y'] }));
    desk.put('talk.txt', 'From text\n\nSecond part');
    desk.put('clip.xml', '<r><title>From XML</title><creator>Ada</creator></r>');
    const names = ['talk.json', 'talk.txt', 'clip.xml'];
    expect(
      (await previewed(desk, names)).map(({ fileName, late }) => [fileName, late?.upload.id, late?.fields]),
    ).toEqual([
      ['talk.json', talk.id, ['title', 'tags']],
      ['talk.txt', talk.id, ['title', 'description']],
      ['clip.xml', clip.id, ['title', 'byline']],
    ]);
    const added = await add(desk, names);
    expect(added).toMatchObject({
      added: 0,
      skippedCount: 0,
      late: { count: 3, described: 3, bytes: 0, batchIds: [] },
    });
    expect(added.batchId).toBe(talk.batchId);
    await desk.engine.whenEditsIdle();
    const item = await itemOf(desk, talk.mediaId);
    expect(item).toMatchObject({ title: 'From JSON', description: '<p>Second part</p>' });
    expect([...item.tags].sort()).toEqual(['x', 'y']);
    expect(await itemOf(desk, clip.mediaId)).toMatchObject({ title: 'From XML', byline: 'Ada', tags: ['all'] });
    expect((await desk.rows()).map(({ fileName }) => fileName).sort()).toEqual(['clip.mp4', 'talk.mp4']);

    const [groupId = ''] = added.late?.editIds ?? [];
    expect(await desk.engine.call('edits.group', { groupId })).toMatchObject({ items: 2 });
    // The same files again change no value, and cause no question.
    expect(await add(desk, names)).toMatchObject({ late: { count: 3, editIds: [] } });
    await desk.engine.call('edits.undo', { groupId });
    await desk.engine.whenEditsIdle();
    expect(await itemOf(desk, talk.mediaId)).toMatchObject({ title: 'talk', tags: ['all'] });
    expect(await itemOf(desk, clip.mediaId)).toMatchObject({ title: 'Course 01' });
  });

  it('replace values that the user entered on this computer or in the library only when the user chooses this', async ({
    desk,
  }) => {
    const typedPath = join(desk.dir, 'typed.mp4');
    const typed = await uploadRecording(desk, 'typed.mp4', [{ path: typedPath, fields: { title: 'Typed' } }]);
    const edited = await uploadRecording(desk, 'edited.mp4');
    const { engine, siteId } = desk;
    await engine.call('library.updateMedia', { siteId, mediaId: edited.mediaId ?? '', patch: { byline: 'Someone' } });
    await engine.call('library.syncNow', { siteId });
    for (const name of ['typed.json', 'edited.json'])
      desk.put(name, JSON.stringify({ title: `${name} title`, byline: 'Ada' }));
    const names = ['typed.json', 'edited.json'];
    expect((await previewed(desk, names)).map(({ unclear }) => [unclear?.doubt, unclear?.fields])).toEqual([
      ['entered', ['title']],
      ['entered', ['byline']],
    ]);
    const skipped = await add(desk, names);
    expect(skipped).toMatchObject({ added: 0, skippedCount: 2 });
    expect(skipped.late).toBeUndefined();
    const chosen = [
      { path: join(desk.dir, 'typed.json'), addsTo: typed.id },
      { path: join(desk.dir, 'edited.json'), addsTo: edited.id },
    ];
    expect(await add(desk, names, chosen)).toMatchObject({ late: { described: 2 } });
    await engine.whenEditsIdle();
    expect(await itemOf(desk, typed.mediaId)).toMatchObject({ title: 'typed.json title', byline: 'Ada' });
    expect(await itemOf(desk, edited.mediaId)).toMatchObject({ title: 'edited.json title', byline: 'Ada' });
  });

  it('never replace a value that someone else changed, also when this computer has not read the change yet', async ({
    desk,
  }) => {
    const { mediaId } = await uploadRecording(desk);
    const direct = await clientFor(desk.service);
    await direct.post(`/api2/media/${mediaId}`, { title: 'By someone else' });
    desk.put('talk.json', JSON.stringify({ title: 'From JSON' }));
    const added = await add(desk, ['talk.json']);
    expect(added.skipped.map(({ error }) => error.code)).toEqual(['details.entered']);
    await desk.engine.whenEditsIdle();
    expect(await itemOf(desk, mediaId)).toMatchObject({ title: 'By someone else' });
  });

  it('change an upload that is still in the queue, and are moved with it', async ({ desk }) => {
    await desk.add([desk.put('talk.mp4', `talk of ${desk.dir}`)]);
    desk.put('talk.json', JSON.stringify({ title: 'From JSON' }));
    expect(await add(desk, ['talk.json'])).toMatchObject({ added: 0, late: { described: 1, editIds: [] } });
    await desk.run();
    const row = await desk.row('talk.mp4');
    expect(row).toMatchObject({ title: 'From JSON', followUps: [{ kind: 'details', fileName: 'talk.json' }] });
    expect(await itemOf(desk, row.mediaId)).toMatchObject({ title: 'From JSON' });
  });

  it('replace the tags of an upload that the library still processes, and the former tags are not added again', async ({
    desk,
    service,
  }) => {
    await service.control('PATCH', '/settings', { processing: { outcome: 'complete', delay_ms: 4000 } });
    const path = desk.put('talk.mp4', `talk of ${desk.dir}`);
    await desk.engine.call('uploads.add', {
      siteId: desk.siteId,
      collectionId: desk.collectionId,
      paths: [path],
      files: [],
      addsOthers: true,
      defaults: batchDefaultsSchema.parse({ tags: ['former'] }),
    });
    desk.engine.startUploads();
    await vi.waitFor(async () => expect((await desk.row('talk.mp4')).state).toBe('processing'), { timeout: 60_000 });
    desk.put('talk.json', JSON.stringify({ tags: ['new'] }));
    expect(await add(desk, ['talk.json'])).toMatchObject({ late: { described: 1 } });
    await desk.engine.whenEditsIdle();
    await desk.engine.whenUploadsIdle();
    const { mediaId, followUps } = await desk.row('talk.mp4');
    expect(followUps).toContainEqual(expect.objectContaining({ kind: 'tags', state: 'done' }));
    expect((await itemOf(desk, mediaId)).tags).toEqual(['new']);
  });

  it('that can’t be read wait for a choice; a file without a known field becomes an item', async ({ desk }) => {
    await uploadRecording(desk);
    desk.put('talk.json', '{"title": 7}');
    desk.put('talk.xml', '<r><other>1</other></r>');
    const files = await previewed(desk, ['talk.json', 'talk.xml']);
    expect(files.map(({ problem, unclear }) => [problem?.code, unclear?.doubt])).toEqual([
      ['details.field', 'unreadable'],
      [undefined, undefined],
    ]);
    const own = [{ path: join(desk.dir, 'talk.json'), belongsTo: null }];
    expect(await add(desk, ['talk.json', 'talk.xml'], own)).toMatchObject({ added: 2, skippedCount: 0 });
  });

  it('of an item that was deleted are skipped with the reason', async ({ desk }) => {
    const { mediaId } = await uploadRecording(desk);
    const direct = await clientFor(desk.service);
    await direct.delete(`/api2/media/${mediaId}`);
    desk.put('talk.json', JSON.stringify({ title: 'From JSON' }));
    const added = await add(desk, ['talk.json']);
    expect(added.skipped.map(({ error }) => error.code)).toEqual(['edit.item-gone']);
  });
});
