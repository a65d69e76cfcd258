import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTools } from '../../../../service/processing/tools/find-tools.ts';
import { effectsOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { mp3, mp4, pdf, png, srt, wav } from '../../../helpers/service/service-samples.ts';

const { ffmpeg, ffprobe } = findTools();

describe.each([
  ['without ffmpeg', { ...process.env, PATH: '/nowhere' }],
  ['with ffmpeg', process.env],
] as const)('%s', (mode, env) => {
  const tools = mode === 'with ffmpeg';
  let service: ServiceProcess;
  let admin: ServiceClient;
  let item: string;
  beforeAll(async () => {
    if (tools && (!ffmpeg || !ffprobe)) return;
    service = await startService({ env });
    admin = await clientFor(service);
    item = await admin.createItem('Processing');
  });
  afterAll(() => service?.stop());

  const run = test.runIf(!tools || (ffmpeg && ffprobe));
  const process_ = async (name: string, bytes: Buffer, fields = {}) =>
    admin.processed(await admin.upload(item, name, bytes, fields));

  run('a WAV is complete with its duration', async () => {
    const file = await process_('tone.wav', wav(3));
    expect(file).toMatchObject({
      status: 'complete',
      type: 'audio',
      container: 'wav',
      duration: 3,
      duration_hms: '00:00:03',
    });
    expect(file.encodings.map((each: { encoding_profile: string }) => each.encoding_profile)).toEqual(
      tools ? ['m4a-128k'] : [],
    );
  });

  run('a PNG is complete with its dimensions, and the item has a thumbnail', async () => {
    const own = await admin.createItem('Picture');
    const file = await admin.processed(await admin.upload(own, 'p.png', png(64, 48)));
    expect(file).toMatchObject({ status: 'complete', type: 'image', width: 64, height: 48, duration: null });
    const [thumb] = (await admin.get(`${own}/thumbs`)).body.items;
    expect(thumb).toMatchObject({ width: 64, height: 48 });
    const answer = await fetch(thumb.content_url);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  run('a PDF is complete as a document', async () => {
    expect(await process_('paper.pdf', pdf())).toMatchObject({
      status: 'complete',
      type: 'doc',
      duration: null,
      encodings: [],
    });
  });

  run('SRT captions are complete with a WebVTT form', async () => {
    const own = await admin.createItem('Captioned');
    const video = await admin.upload(own, 'v.mp4', mp4());
    const id = video.split('/').at(-1);
    const file = await admin.processed(await admin.upload(own, 'v.srt', Buffer.from(srt), { encoded_from_id: id }));
    expect(file).toMatchObject({ status: 'complete', type: 'captions' });
    const [vtt] = file.encodings;
    expect(vtt).toMatchObject({ source: 'encoding', container: 'vtt', encodings: null, status: 'complete' });
    expect(vtt.links.parent).toBe(file.links.self);
    const { body } = await admin.get(`${vtt.links.content}?json`);
    const answer = await fetch(body.location);
    expect(answer.headers.get('content-type')).toBe('text/vtt');
    expect(await answer.text()).toMatch(/^WEBVTT\n\n00:00:01\.000/);
  });

  run.each([
    ['a video file without video data', 'v.mp4', Buffer.alloc(5000, 7), {}],
    ['a video that was cut off', 'v.mp4', mp4().subarray(0, 1500), {}],
    ['an empty video', 'v.mp4', Buffer.alloc(0), {}],
    ['audio that is uploaded as a video', 'v.mp4', wav(), {}],
    ['a picture that is uploaded as audio', 'a.mp3', png(), {}],
    ['a picture file without picture data', 'p.png', Buffer.alloc(5000, 7), {}],
    ['a picture that was cut off', 'p.png', png().subarray(0, 300), {}],
    [
      'a playlist with the name of a video',
      'v.mp4',
      Buffer.from('#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n'),
      {},
    ],
    ['a document file without document data', 'd.pdf', Buffer.alloc(5000, 7), {}],
  ])('%s ends in error, with a reason in the log', async (_what, name, bytes, fields) => {
    const file = await process_(name, bytes, fields);
    expect(file).toMatchObject({ status: 'error', encodings: [] });
    expect(service.log()).toContain(`"file_id":${file.id}`);
  });

  run('captions without a cue end in error', async () => {
    const video = (await admin.upload(item, 'v.mp4', mp4())).split('/').at(-1);
    expect((await process_('c.srt', Buffer.from('nothing'), { encoded_from_id: video })).status).toBe('error');
  });

  run('a blob is never examined', async () => {
    expect(await process_('v.mp4', Buffer.alloc(100, 7), { upload_type: 'blob' })).toMatchObject({
      status: 'complete',
      type: 'blob',
      duration: null,
      encodings: [],
    });
  });

  if (!tools) {
    test('MP3 and MP4 files complete with the values of their headers, without thumbnails', async () => {
      expect(await process_('a.mp3', mp3(77))).toMatchObject({
        status: 'complete',
        type: 'audio',
        duration: 2,
        max_bitrate: 128_000,
      });
      const video = { status: 'complete', type: 'video', duration: 10, width: 640, height: 360 };
      expect(await process_('v.mp4', mp4())).toMatchObject(video);
      expect((await admin.get(`${item}/thumbs`)).body.items).toEqual([]);
    });
  } else {
    run(
      'a real MP4 gets a small encoding, a thumbnail, and gives the item its type and duration',
      { timeout: 300_000 },
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'library-video-'));
        const path = join(folder, 'v.mp4');
        const source = ['-f', 'lavfi', '-i', 'testsrc=s=960x540:d=2:r=10', '-f', 'lavfi', '-i', 'sine=d=2'];
        execFileSync(ffmpeg ?? '', [
          '-v',
          'error',
          ...source,
          '-c:v',
          'libx264',
          '-preset',
          'ultrafast',
          '-c:a',
          'aac',
          path,
        ]);
        const own = await admin.createItem('Film');
        const file = await admin.processed(await admin.upload(own, 'v.mp4', readFileSync(path)), 180_000);
        rmSync(folder, { recursive: true });
        expect(file).toMatchObject({ status: 'complete', duration: 2, width: 960, height: 540 });
        expect(file.encodings).toMatchObject([
          { encoding_profile: 'mp4-480p', container: 'mp4', width: 854, height: 480, status: 'complete' },
        ]);
        const { body } = await admin.get(`${own}?joins=thumbs`);
        expect(body).toMatchObject({ type: 'video', duration: 2 });
        expect(body.thumbs[0].width).toBe(640);
      },
    );

    run('a real MP3 needs no encoding', { timeout: 300_000 }, async () => {
      const sound = execFileSync(ffmpeg ?? '', [
        '-v',
        'error',
        '-f',
        'lavfi',
        '-i',
        'sine=d=2',
        '-b:a',
        '64k',
        '-f',
        'mp3',
        '-',
      ]);
      expect(await process_('a.mp3', sound)).toMatchObject({ status: 'complete', duration: 2, encodings: [] });
    });
  }
});

describe('the processing queue', () => {
  let service: ServiceProcess;
  let admin: ServiceClient;
  beforeAll(async () => {
    service = await startService({ env: { ...process.env, PATH: '/nowhere' } });
    admin = await clientFor(service);
  });
  afterAll(() => service.stop());

  test('gives every file the outcome that the setting processing.outcome demands', async () => {
    const item = await admin.createItem('Forced');
    await service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
    expect((await admin.processed(await admin.upload(item, 'a.wav', wav()))).status).toBe('error');
    await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    expect((await admin.processed(await admin.upload(item, 'a.mp4', Buffer.from('x')))).status).toBe('complete');
    await service.control('PATCH', '/settings', { processing: { outcome: 'auto' } });
  });

  test('drops a file that is deleted during its processing, and processes the next one', async () => {
    const item = await admin.createItem('Deleted');
    await service.control('PATCH', '/settings', { processing: { delay_ms: 300 } });
    const file = await admin.upload(item, 'a.png', png());
    expect((await admin.get(file)).body.status).toBe('processing');
    expect((await admin.delete(file)).status).toBe(204);
    const next = await admin.upload(item, 'b.png', png());
    expect((await admin.processed(next)).status).toBe('complete');
    expect((await admin.get(`${item}/files`)).body.items).toHaveLength(1);
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
  });

  test('processes each file once, in the order of arrival', async () => {
    const item = await admin.createItem('Many');
    // The first files are delayed, so that the others wait; these are processed as soon as it is their turn.
    await service.control('PATCH', '/settings', { processing: { delay_ms: 500 } });
    const files: string[] = [];
    for (let index = 0; index < 20; index += 1) files.push(await admin.upload(item, `${index}.png`, png()));
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    for (const file of files) expect((await admin.processed(file)).status).toBe('complete');
    const arrived = files.map((file) => Number(file.split('/').at(-1)));
    const ended = (await effectsOf(service, 'file-complete'))
      .map(({ file_id }) => Number(file_id))
      .filter((id) => arrived.includes(id));
    expect(ended.toSorted((a, b) => a - b)).toEqual(arrived);
    // Two files are processed at a time: at most one that arrived before is still in progress when a file ends.
    for (const [position, id] of ended.entries()) expect(arrived.indexOf(id)).toBeLessThanOrEqual(position + 1);
  });

  // With a database on a server there is no file to prepare.
  test.runIf(process.env.MEDIADESK_TEST_DATABASE === undefined)(
    'finishes the files that need no work, also after one whose outcome can’t be saved',
    async () => {
      const item = await admin.createItem('Without work');
      const refuse = (name: string) =>
        `DROP TRIGGER IF EXISTS refuse;
         CREATE TRIGGER refuse BEFORE UPDATE OF status ON files WHEN NEW.display_name LIKE '${name}' AND NEW.status = 'complete'
         BEGIN SELECT RAISE(ABORT, 'refused'); END`;
      await prepareDatabase(refuse('%.bin'));
      const refused = await admin.upload(item, 'refused.bin', Buffer.from('x'));
      const good = await admin.upload(item, 'good.bin', Buffer.from('y'));
      await prepareDatabase(refuse('refused.bin'));
      expect((await admin.processed(good)).status).toBe('complete');
      expect((await admin.get(refused)).body.status).toBe('processing');
      await prepareDatabase('DROP TRIGGER refuse');
      expect((await admin.processed(refused)).status).toBe('complete');
    },
  );

  async function prepareDatabase(sql: string): Promise<void> {
    await service.end('SIGTERM');
    const db = new DatabaseSync(join(service.dataDir, 'library.sqlite'));
    db.exec(sql);
    db.close();
    await service.restart();
  }
});
