// Files with details beside a recording become values of its item; no value is guessed or lost without a message.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { MediaItem } from '../../../../shared/api/media.ts';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

const add = ({ engine, siteId, collectionId, dir }: Desk, files: FileChoice[] = [], sidecars = true) =>
  engine.call('uploads.add', {
    siteId,
    collectionId,
    paths: [dir],
    files,
    addsOthers: true,
    defaults: batchDefaultsSchema.parse({ tags: ['all'], sidecars, duplicates: 'upload' }),
  });
const preview = ({ engine, dir }: Desk, choices: FileChoice[] = []) =>
  engine.call('uploads.preview', {
    paths: [dir],
    siteId: null,
    collectionId: null,
    sidecars: true,
    lists: true,
    choices,
  });
const codes = async (desk: Desk) =>
  Object.fromEntries((await desk.rows()).map(({ fileName, error }) => [fileName, error?.code ?? '']));

describe('details beside a recording', () => {
  it('are shown with their source, replace the values of the batch, and are no items themselves', async ({ desk }) => {
    for (const name of ['talk.mp4', 'clip.mp4', 'plain.mp4']) desk.put(name);
    desk.put('talk.info.json', JSON.stringify({ title: 'From JSON', tags: ['x', 'y'], uploader: 'Ada' }));
    desk.put('talk.txt', 'From text\n\nSecond part');
    desk.put('clip.xml', '<r><title>From XML</title></r>');
    // This file does not describe the recording, so it becomes an item of its own.
    desk.put('plain.json', '{"version":1}');
    const { list, files, skipped } = await preview(desk);
    expect([files, skipped]).toEqual([4, 0]);
    expect(list?.files.map(({ fileName, details }) => [fileName, details?.sources ?? []])).toEqual([
      ['clip.mp4', ['clip.xml']],
      ['plain.json', []],
      ['plain.mp4', []],
      ['talk.mp4', ['talk.info.json', 'talk.txt']],
    ]);
    expect(list?.files.at(-1)?.details?.fields).toEqual({
      title: 'From JSON',
      byline: 'Ada',
      tags: ['x', 'y'],
      description: '<p>Second part</p>',
    });
    expect(await add(desk, [{ path: join(desk.dir, 'clip.mp4'), fields: { title: 'Typed' } }])).toMatchObject({
      added: 4,
    });
    desk.engine.startUploads();
    await desk.engine.whenUploadsIdle();
    const direct = await clientFor(desk.service);
    const itemOf = async (name: string) =>
      (await direct.get(`/api2/media/${(await desk.row(name)).mediaId}`)).body as MediaItem;
    const talk = await itemOf('talk.mp4');
    expect(talk).toMatchObject({ title: 'From JSON', byline: 'Ada', description: '<p>Second part</p>' });
    expect([...talk.tags].sort()).toEqual(['x', 'y']);
    expect(await itemOf('clip.mp4')).toMatchObject({ title: 'Typed', tags: ['all'] });
  });

  it('are moved with their recording, except those that changed since', async ({ desk }) => {
    for (const name of ['talk.mp4', 'clip.mp4']) desk.put(name);
    desk.put('talk.json', JSON.stringify({ title: 'From JSON' }));
    desk.put('clip.txt', 'From text');
    const { engine, siteId, collectionId, dir } = desk;
    const sent = mkdtempSync(join(tmpdir(), 'mediadesk-sent-'));
    onTestFinished(() => rmSync(sent, { recursive: true }));
    await engine.call('uploads.add', {
      siteId,
      collectionId,
      paths: [dir],
      defaults: batchDefaultsSchema.parse({ duplicates: 'upload', source: { kind: 'move', folder: sent } }),
    });
    desk.put('clip.txt', 'Another text');
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect(readdirSync(sent).sort()).toEqual(['clip.mp4', 'talk.json', 'talk.mp4']);
    expect(readdirSync(dir)).toEqual(['clip.txt']);
  });

  it('that can’t be read, or may belong to several recordings, wait for a choice', async ({ desk }) => {
    for (const name of ['talk.mp4', 'panel.mp4', 'panel.wav']) desk.put(name);
    desk.put('talk.json', '{"title": 7}');
    desk.put('panel.txt', 'Panel');
    const unclear = (await preview(desk)).list?.files.filter((file) => file.unclear !== null) ?? [];
    expect(unclear.map(({ fileName, problem, unclear: pair }) => [fileName, problem?.code, pair?.doubt])).toEqual([
      ['panel.txt', 'file.pair-unclear', 'several'],
      ['talk.json', 'details.field', 'unreadable'],
    ]);
    const at = (name: string) => join(desk.dir, name);
    const choices = [
      { path: at('panel.txt'), belongsTo: at('panel.wav') },
      { path: at('talk.json'), belongsTo: null },
    ];
    const after = (await preview(desk, choices)).list?.files ?? [];
    expect(after.map(({ fileName, details }) => [fileName, details?.fields.title ?? null])).toEqual([
      ...[
        ['panel.mp4', null],
        ['panel.wav', 'Panel'],
      ],
      ...[
        ['talk.json', null],
        ['talk.mp4', null],
      ],
    ]);
    expect(await add(desk, choices)).toMatchObject({ added: 4, skippedCount: 0 });
    expect((await desk.row('panel.wav')).title).toBe('Panel');
  });

  it('are skipped with the reason when the user chose nothing, and are items when the option is off', async ({
    desk,
  }) => {
    desk.put('talk.mp4');
    desk.put('talk.xml', '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r><title>&e;</title></r>');
    expect(await add(desk)).toMatchObject({ added: 1, skippedCount: 1 });
    expect(await codes(desk)).toEqual({ 'talk.mp4': '', 'talk.xml': 'details.damaged' });
    expect(await add(desk, [], false)).toMatchObject({ added: 2 });
  });

  it('are items of their own when their recording is not added', async ({ desk }) => {
    desk.put('talk.mp4');
    desk.put('talk.txt', 'Talk');
    expect(await desk.add([join(desk.dir, 'talk.txt')])).toMatchObject({ added: 1, skippedCount: 0 });
    expect((await desk.row('talk.txt')).title).toBe('talk');
  });
});
