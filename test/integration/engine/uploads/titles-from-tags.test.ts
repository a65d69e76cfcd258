// Titles from data inside the files: of batches and of watched folders, with real recordings and the real thread for tags.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { MediaItem } from '../../../../shared/api/media.ts';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { taggedRecording } from '../../../helpers/data/tagged-recording.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  rulesFor,
  startStation,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

it.override({ speed: 40, host: WITHOUT_EVENTS, settings: { processing: { outcome: 'complete' } } });

const TEMPLATE = '{nn} {tag.artist}: {tag.title}';
const TAGS = { artist: 'Ada Lovelace', title: 'Wave optics', date: '2026-11-04' };
/** A tag whose declared end is far behind the end of the file. */
const BROKEN_MP3 = Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7fTIT2\x7f\x7f\x7f\x7f', 'latin1');

/** Files in queue order: complete tags, no artist, damaged tags, a text, and complete tags again. */
async function putFiles(desk: Desk, folder = ''): Promise<void> {
  desk.put(join(folder, 'd.txt'), 'plain text');
  const dir = join(desk.dir, folder);
  await taggedRecording(join(dir, 'a.mkv'), TAGS);
  await taggedRecording(join(dir, 'b.m4a'), { title: 'Mirrors' });
  writeFileSync(join(dir, 'c.mp3'), BROKEN_MP3);
  await taggedRecording(join(dir, 'e.mp3'), TAGS);
}

async function itemTitles(desk: Desk): Promise<string[]> {
  const direct = await clientFor(desk.service);
  const { body } = await direct.get(`/api2/media?collection_id=${desk.collectionId}&per_page=200`);
  return (body.items as MediaItem[]).map(({ title }) => title).sort();
}

describe('the title template of a batch', () => {
  it('is filled with the tags of each file; where a value is missing, the title is the file name, with a notice', async ({
    desk,
  }) => {
    await putFiles(desk);
    const files: FileChoice[] = [{ path: join(desk.dir, 'e.mp3'), fields: { title: 'Chosen' } }];
    const added = await desk.engine.call('uploads.add', {
      siteId: desk.siteId,
      collectionId: desk.collectionId,
      paths: [desk.dir],
      files,
      defaults: batchDefaultsSchema.parse({ titleTemplate: TEMPLATE }),
    });
    expect(added).toMatchObject({ added: 5, fallbackTitles: 3 });
    const noteOf = async (name: string) => {
      const { title, notice } = await desk.row(name);
      return [title, notice?.code ?? null, notice?.details ?? null];
    };
    const missing = (...tokens: string[]) => ({ tokens: tokens.map((token) => `{tag.${token}}`), problem: null });
    expect(await noteOf('a.mkv')).toEqual(['01 Ada Lovelace: Wave optics', null, null]);
    expect(await noteOf('b.m4a')).toEqual(['b', 'upload.title-fallback', missing('artist')]);
    const damaged = { ...missing('artist', 'title'), problem: 'damaged' };
    expect(await noteOf('c.mp3')).toEqual(['c', 'upload.title-fallback', damaged]);
    expect((await desk.row('c.mp3')).notice?.message).toMatch(
      /\{tag\.artist\}, \{tag\.title\} could not be read\. Its tags are damaged\.$/,
    );
    expect(await noteOf('d.txt')).toEqual(['d', 'upload.title-fallback', missing('artist', 'title')]);
    expect(await noteOf('e.mp3')).toEqual(['Chosen', null, null]);

    const { id } = await desk.row('b.m4a');
    await desk.engine.call('uploads.describe', { changes: [{ id, fields: { byline: 'Ada' } }] });
    expect((await desk.row('b.m4a')).notice?.code).toBe('upload.title-fallback');
    await desk.engine.call('uploads.describe', { changes: [{ id, fields: { title: 'Typed' } }] });
    expect((await desk.row('b.m4a')).notice).toBeNull();
    const receipts = await desk.engine.call('receipts.search', { text: 'Typed', limit: 10, offset: 0 });
    expect(receipts.rows.map(({ line }) => line.fileName)).toEqual(['b.m4a']);

    await desk.reopen();
    expect(await noteOf('c.mp3')).toEqual(['c', 'upload.title-fallback', damaged]);
    await desk.run();
    expect(await itemTitles(desk)).toEqual(['01 Ada Lovelace: Wave optics', 'Chosen', 'Typed', 'c', 'd']);
  });

  it('is refused before anything is queued when it names an unknown tag', async ({ desk }) => {
    desk.put('a.txt');
    await expect(desk.add([desk.dir], { titleTemplate: '{tag.artst}' })).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('{tag.artist}'),
    });
    expect(await desk.rows()).toEqual([]);
  });
});

describe('the title template of a watched folder', () => {
  it('is filled with the tags of complete files, in the preview and in the uploads', async ({ desk, clock }) => {
    // A preview reads for a few seconds of this clock, which must suffice on a slow computer.
    clock.setSpeed(0.02);
    await putFiles(desk, 'in');
    const rules = rulesFor(desk, { settings: { titleTemplate: '{recorded:YYYYMMDD} {tag.title}' } });
    const path = join(desk.dir, 'in');
    const preview = await desk.engine.call('watch.preview', { path, folderId: null, rules, limit: 500 });
    const previewed = preview.files.map((file) => [file.path, file.plan?.title, file.plan?.titleNotice?.code ?? null]);
    expect(previewed).toEqual([
      ['a.mkv', '20261104 Wave optics', null],
      ['b.m4a', expect.stringMatching(/^\d{8} Mirrors$/), null],
      ['c.mp3', 'c', 'upload.title-fallback'],
      ['d.txt', 'd', 'upload.title-fallback'],
      ['e.mp3', '20261104 Wave optics', null],
    ]);
    clock.setSpeed(40);
    startStation(desk);
    await watchFolder(desk, path, rules);
    await whenWatched(desk, ([folder]) => (folder?.counts.done ?? 0) + (folder?.counts.incomplete ?? 0) === 5);
    await desk.engine.whenUploadsIdle();
    const rows = await desk.rows();
    const shown = rows.map(({ fileName, title, notice }) => [fileName, title, notice?.code ?? null]).sort();
    const incomplete = (await watchedRows(desk, 'attention')).map((row) => row.path);
    expect([...shown.map(([name]) => name), ...incomplete].sort()).toEqual(preview.files.map((file) => file.path));
    expect(shown).toEqual(previewed.filter(([name]) => !incomplete.includes(String(name))));
    expect(await itemTitles(desk)).toEqual(shown.map(([, title]) => title).sort());
  });
});
