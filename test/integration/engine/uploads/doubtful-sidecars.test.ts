// Captions and thumbnails that the user adds and whose recording is ambiguous by name are never attached without a choice.
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

const add = ({ engine, siteId, collectionId, dir }: Desk, files: FileChoice[] = []) =>
  engine.call('uploads.add', {
    siteId,
    collectionId,
    paths: [dir],
    defaults: batchDefaultsSchema.parse({}),
    files,
    addsOthers: true,
  });

/** Returns the outcome of each file: the names of its sidecars, or the code of its error. */
async function outcomes(desk: Desk): Promise<Record<string, string>> {
  const rows = await desk.rows();
  return Object.fromEntries(
    rows.map(({ fileName, error, followUps }) => [
      fileName,
      error?.code ?? followUps.map((each) => `${each.kind} ${each.fileName}`).join(', '),
    ]),
  );
}

describe('captions and thumbnails with an unclear name', () => {
  it('are skipped and listed with their candidates when the user chose nothing', async ({ desk }) => {
    for (const name of ['panel.mp4', 'panel.wav', 'panel.en.vtt', 'Talk.mp4', 'talk.srt', 'Talk final.de.vtt'])
      desk.put(name);
    desk.put('Talk.en.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n');
    const preview = await desk.engine.call('uploads.preview', {
      paths: [desk.dir],
      siteId: null,
      collectionId: null,
      sidecars: true,
      lists: true,
    });
    const unclear = (preview.list?.files ?? []).filter(({ problem }) => problem?.code === 'file.pair-unclear');
    expect(unclear.map(({ fileName, problem }) => [fileName, problem?.details?.candidates])).toEqual([
      ['panel.en.vtt', [join(desk.dir, 'panel.mp4'), join(desk.dir, 'panel.wav')]],
      ['Talk final.de.vtt', [join(desk.dir, 'Talk.mp4')]],
      ['talk.srt', [join(desk.dir, 'Talk.mp4')]],
    ]);
    expect(
      unclear.map(({ unclear: each }) => [each?.kind, each?.doubt, each?.candidates.map(({ fileName }) => fileName)]),
    ).toEqual([
      ['captions', 'several', ['panel.mp4', 'panel.wav']],
      ['captions', 'part', ['Talk.mp4']],
      ['captions', 'spelling', ['Talk.mp4']],
    ]);
    expect(await add(desk)).toMatchObject({ added: 3, skippedCount: 3, sidecars: 1 });
    expect(await outcomes(desk)).toEqual({
      'panel.mp4': '',
      'panel.wav': '',
      'Talk.mp4': 'captions Talk.en.vtt',
      'panel.en.vtt': 'file.pair-unclear',
      'talk.srt': 'file.pair-unclear',
      'Talk final.de.vtt': 'file.pair-unclear',
    });
  });

  it('are added as the user chose: to a recording, or as an item of their own', async ({ desk }) => {
    for (const name of [
      'panel.mp4',
      'panel.wav',
      'panel.en.vtt',
      'panel.jpg',
      'Talk.mp4',
      'talk.srt',
      'Talk.png',
      'other.png',
    ]) {
      desk.put(name);
    }
    const at = (name: string) => join(desk.dir, name);
    const added = await add(desk, [
      { path: at('panel.en.vtt'), belongsTo: at('panel.wav') },
      { path: at('panel.jpg'), isExcluded: true },
      { path: at('talk.srt'), belongsTo: null, fields: { title: 'Own' } },
      { path: at('other.png'), belongsTo: at('Talk.mp4') },
    ]);
    expect(added).toMatchObject({ added: 5, skippedCount: 0, sidecars: 2 });
    expect(await outcomes(desk)).toEqual({
      'panel.mp4': '',
      'panel.wav': 'captions panel.en.vtt',
      'talk.srt': '',
      // The chosen thumbnail replaces the thumbnail with the name of the recording, which becomes an item of its own.
      'Talk.mp4': 'thumbnail other.png',
      'Talk.png': '',
    });
  });

  it('are none of captions with labels behind their language, or with the name of a language', async ({ desk }) => {
    const captions = ['Talk.English.srt', 'Talk.en.forced.vtt', 'Talk.en.hi.vtt', 'Talk.en.sdh.srt'];
    for (const name of ['Talk.mp4', ...captions]) desk.put(name);
    expect(await add(desk, [])).toMatchObject({ added: 1, skippedCount: 0, sidecars: 4 });
    expect(await outcomes(desk)).toEqual({ 'Talk.mp4': captions.map((name) => `captions ${name}`).join(', ') });
  });

  it('are items of their own when none of the recordings is added', async ({ desk }) => {
    for (const name of ['panel.mp4', 'panel.wav', 'panel.en.vtt']) desk.put(name);
    expect(await desk.add([join(desk.dir, 'panel.en.vtt')])).toMatchObject({ added: 1, skippedCount: 0 });
  });

  it('are previewed as the user chose, and are added in the same way', async ({ desk }) => {
    for (const name of ['panel.mp4', 'panel.wav', 'panel.en.vtt', 'panel.de.vtt', 'Talk.mp4', 'talk.srt'])
      desk.put(name);
    const at = (name: string) => join(desk.dir, name);
    const choices = [
      { path: at('panel.en.vtt'), belongsTo: at('panel.wav') },
      { path: at('panel.de.vtt'), isExcluded: true },
      { path: at('talk.srt'), belongsTo: null },
    ];
    const preview = await desk.engine.call('uploads.preview', {
      paths: [desk.dir],
      siteId: null,
      collectionId: null,
      sidecars: true,
      lists: true,
      choices,
    });
    expect(preview).toMatchObject({ files: 4, skipped: 0, sidecars: 1 });
    expect(preview.list?.files.map(({ fileName, sidecars, unclear }) => [fileName, sidecars, unclear])).toEqual([
      ['panel.mp4', [], null],
      ['panel.wav', ['panel.en.vtt'], null],
      ['Talk.mp4', [], null],
      ['talk.srt', [], null],
    ]);
    expect(await add(desk, choices)).toMatchObject({ added: 4, skippedCount: 0, sidecars: 1 });
  });

  it('are reported as skipped when the chosen recording can’t get them, or when they were deleted', async ({
    desk,
  }) => {
    for (const name of ['talk.mp4', 'other.mp4', 'talk-thumb.png', 'talk-cover.png', 'Talk.srt']) desk.put(name);
    const at = (name: string) => join(desk.dir, name);
    const choices = [
      ...['talk-thumb.png', 'talk-cover.png', 'gone.vtt'].map((name) => ({
        path: at(name),
        belongsTo: at('talk.mp4'),
      })),
      // These captions are omitted together with their recording, which the user excluded.
      { path: at('other.mp4'), isExcluded: true },
      { path: at('Talk.srt'), belongsTo: at('other.mp4') },
    ];
    const preview = await desk.engine.call('uploads.preview', {
      paths: [desk.dir],
      siteId: null,
      collectionId: null,
      sidecars: true,
      lists: true,
      choices,
    });
    const second = preview.list?.files.find(({ fileName }) => fileName === 'talk-cover.png');
    expect(second?.unclear).toMatchObject({ doubt: 'taken', candidates: [{ fileName: 'talk.mp4' }] });
    expect(await add(desk, choices)).toMatchObject({ added: 1, skippedCount: 2, sidecars: 1 });
    expect(await outcomes(desk)).toEqual({
      'talk.mp4': 'thumbnail talk-thumb.png',
      'talk-cover.png': 'file.pair-unclear',
      'gone.vtt': 'file.missing',
    });
  });
});
