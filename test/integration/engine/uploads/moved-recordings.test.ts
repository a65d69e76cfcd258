// Captions and details that arrive after their recording was moved, on the disk or in the library: the engine still finds its
// item, and asks the user where the item isn't certain.
import { copyFileSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';

const it = deskTest();

it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n';

/** The time of the recordings, which a copy can have exactly. */
const WHOLE_SECOND = 1_900_000_000;

async function uploadRecording(desk: Desk, source: 'keep' | 'trash' | { folder: string } = 'keep', name = 'talk.mp4') {
  const path = desk.put(name, `${name} of ${desk.dir}`);
  utimesSync(path, WHOLE_SECOND, WHOLE_SECOND);
  const kind = typeof source === 'string' ? { kind: source } : { kind: 'move', ...source };
  await desk.engine.call('uploads.add', {
    siteId: desk.siteId,
    collectionId: desk.collectionId,
    paths: [path],
    defaults: batchDefaultsSchema.parse({ duplicates: 'upload', source: kind }),
  });
  await desk.run();
  return desk.row(name);
}

const listed = async ({ engine, siteId, collectionId, dir }: Desk, ...names: string[]) => {
  const paths = names.map((name) => join(dir, name));
  const request = { paths, siteId, collectionId, sidecars: true, lists: true, choices: [] };
  return (await engine.call('uploads.preview', request)).list?.files ?? [];
};
const found = async (desk: Desk, ...names: string[]) =>
  (await listed(desk, ...names)).map(
    ({ late, unclear }) => late?.upload.id ?? [unclear?.doubt, unclear?.candidates[0]?.upload?.id],
  );
const add = ({ engine, siteId, collectionId, dir }: Desk, ...names: string[]) =>
  engine.call('uploads.add', {
    siteId,
    collectionId,
    paths: names.map((name) => join(dir, name)),
    files: [],
    addsOthers: true,
    defaults: batchDefaultsSchema.parse({}),
  });

it('a recording that was moved or renamed on its disk is found beside its captions and details', async ({ desk }) => {
  const { id, mediaId } = await uploadRecording(desk);
  mkdirSync(join(desk.dir, 'sorted'));
  renameSync(join(desk.dir, 'talk.mp4'), join(desk.dir, 'sorted/lecture 1.mp4'));
  desk.put('sorted/lecture 1.de.vtt', VTT);
  desk.put('sorted/lecture 1.json', '{"title": "From JSON"}');
  const names = ['sorted/lecture 1.de.vtt', 'sorted/lecture 1.json'];
  expect(await found(desk, ...names)).toEqual([id, id]);
  expect(await add(desk, ...names)).toMatchObject({ added: 0, late: { count: 2, described: 1 } });
  await desk.engine.whenUploadsIdle();
  expect(await desk.row('lecture 1.de.vtt')).toMatchObject({ mediaId, state: 'complete' });
});

it('captions at the old or the new place of a recording that Mediadesk moved belong to it without a question', async ({
  desk,
}) => {
  const sent = join(desk.dir, 'sent');
  mkdirSync(sent);
  const { id } = await uploadRecording(desk, { folder: sent });
  desk.put('talk.sdh.en.srt', VTT);
  desk.put('sent/talk.de.vtt', VTT);
  desk.put('talking.vtt', VTT);
  expect(await found(desk, 'talk.sdh.en.srt', 'sent/talk.de.vtt')).toEqual([id, id]);
  // Captions with another name belong to no recording.
  expect(await found(desk, 'talking.vtt')).toEqual([[undefined, undefined]]);
});

it('the user decides about captions when the recording was deleted, or is a copy', async ({ desk }) => {
  const gone = await uploadRecording(desk, 'keep', 'gone.mp4');
  const copied = await uploadRecording(desk, 'keep', 'copied.mp4');
  mkdirSync(join(desk.dir, 'copies'));
  const [from, to] = [join(desk.dir, 'copied.mp4'), join(desk.dir, 'copies/copied.mp4')];
  copyFileSync(from, to);
  utimesSync(to, WHOLE_SECOND, WHOLE_SECOND);
  rmSync(join(desk.dir, 'gone.mp4'));
  desk.put('gone.vtt', VTT);
  desk.put('copies/copied.vtt', VTT);
  expect(await found(desk, 'gone.vtt')).toEqual([['moved', gone.id]]);
  expect(await found(desk, 'copies/copied.vtt')).toEqual([['moved', copied.id]]);
  expect(await add(desk, 'gone.vtt')).toMatchObject({ added: 0, skippedCount: 1 });
});

it('the user decides about captions when several recordings had the same place', async ({ desk }) => {
  const sent = join(desk.dir, 'sent');
  mkdirSync(sent);
  const first = await uploadRecording(desk, { folder: sent });
  desk.put('talk.mp4', `another talk of ${desk.dir}`);
  await desk.engine.call('uploads.add', {
    siteId: desk.siteId,
    collectionId: desk.collectionId,
    paths: [join(desk.dir, 'talk.mp4')],
    defaults: batchDefaultsSchema.parse({ duplicates: 'upload', source: { kind: 'move', folder: sent } }),
  });
  await desk.run();
  desk.put('talk.vtt', VTT);
  const [file] = await listed(desk, 'talk.vtt');
  expect(file?.unclear?.doubt).toBe('repeated');
  expect(file?.unclear?.candidates.map(({ upload }) => upload?.id)).toContain(first.id);
});

it('an item that was moved in the library gets late captions in its new collection', async ({ desk }) => {
  const { mediaId, id } = await uploadRecording(desk);
  const { engine, siteId } = desk;
  const elsewhere = await makeCollection(engine, siteId, `elsewhere ${desk.profile.dir.slice(-6)}`);
  await engine.call('library.syncNow', { siteId });
  await engine.call('edits.apply', {
    selection: { siteId, ids: [mediaId ?? ''] },
    change: { collectionId: elsewhere },
    label: '',
  });
  await engine.whenEditsIdle();
  desk.put('talk.de.vtt', VTT);
  const [file] = await listed(desk, 'talk.de.vtt');
  expect(file?.late?.upload).toMatchObject({ id, movedTo: expect.stringMatching(/^elsewhere /) });
  const { late } = await add(desk, 'talk.de.vtt');
  await engine.whenUploadsIdle();
  expect(await desk.row('talk.de.vtt')).toMatchObject({ mediaId, state: 'complete' });
  const batch = await engine.call('uploads.batch', { batchId: late?.batchIds[0] ?? '' });
  expect(batch).toMatchObject({ collectionId: elsewhere });
});
