import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTools } from '../../../../service/processing/tools/find-tools.ts';
import { probe } from '../../../../service/processing/tools/media-tools.ts';
import {
  aviAround,
  DISGUISES,
  type Outside,
  REFERRING_TEXTS,
  withForeignTracks,
} from '../../../helpers/service/hostile-media.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const { ffmpeg, ffprobe } = findTools();
const hasTools = ffmpeg !== null && ffprobe !== null;
const SECRET_S = 7;
const MARK = `secret-${randomBytes(12).toString('hex')}`;
const never = new AbortController().signal;

let folder: string;
let outside: Outside;
let server: Server;
let asked = 0;
let service: ServiceProcess;
let admin: ServiceClient;

/** Makes a file with ffmpeg, in a folder outside the library. */
function made(name: string, ...args: string[]): Buffer {
  const path = join(folder, name);
  execFileSync(ffmpeg ?? '', ['-v', 'error', '-y', ...args, path]);
  return readFileSync(path);
}
const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=d=${seconds}`];
const film = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc=s=128x96:d=${seconds}:r=25`];

beforeAll(async () => {
  if (!hasTools) return;
  folder = mkdtempSync(join(tmpdir(), 'library-outside-'));
  server = createServer((_request, response) => {
    asked += 1;
    response.end(MARK);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  outside = {
    media: join(folder, 'secret.mp3'),
    text: join(folder, 'secret.txt'),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  made('secret.mp3', ...tone(SECRET_S), '-metadata', `title=${MARK}`, '-b:a', '64k');
  writeFileSync(outside.text, MARK);
  service = await startService();
  admin = await clientFor(service);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function upload(name: string, bytes: Buffer, type: string) {
  const item = await admin.createItem('Hostile');
  const file = await admin.processed(await admin.upload(item, name, bytes, { upload_type: type }));
  return { file, thumbs: (await admin.get(`${item}/thumbs`)).body.items as unknown[] };
}

/** Names of the files in the library's folder that contain the secret. */
function leaks(): string[] {
  return readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(MARK));
}

describe.runIf(hasTools)('a file that refers to other files', { timeout: 300_000 }, () => {
  test.each(Object.entries(REFERRING_TEXTS))('ends in error without opening those files: %s', async (_name, make) => {
    const sound = Object.entries(DISGUISES).map(([disguise, wrap]) => ({
      disguise,
      wrap,
      name: 'a.mp3',
      type: 'audio',
    }));
    const [plain, disguised] = sound;
    const ways = [...sound, { ...plain, name: 'p.png', type: 'image' }, { ...disguised, name: 'v.mp4', type: 'video' }];
    await Promise.all(
      ways.map(async ({ disguise, wrap, name, type }) => {
        const { file, thumbs } = await upload(name, wrap?.(make(outside)) ?? Buffer.alloc(0), type);
        expect(file, `${disguise}, as ${type}`).toMatchObject({ status: 'error', encodings: [] });
        expect(thumbs).toEqual([]);
      }),
    );
    expect(leaks()).toEqual([]);
    expect(asked).toBe(0);
  });

  test.each(Object.entries(REFERRING_TEXTS))('is probed without opening those files: %s', async (_name, make) => {
    const path = join(folder, 'named');
    writeFileSync(path, DISGUISES['frames of MP3 behind it']?.(make(outside)) ?? '');
    for (const format of ['mp3', 'mp4', 'avi']) {
      const found = await probe(ffprobe ?? '', { path, format }, never).catch(() => null);
      expect(found?.durationS ?? 0, format).toBeLessThan(SECRET_S - 1);
    }
    expect(asked).toBe(0);
  });

  test('plays only its own content: a QuickTime film with tracks in another file', async () => {
    const own = made('own.mov', ...tone(2), '-c:a', 'pcm_s16le');
    const { file } = await upload('v.mov', withForeignTracks(own, outside.media), 'audio');
    expect(file.encodings.every(({ duration }: { duration: number }) => duration <= 2)).toBe(true);
    expect(leaks()).toEqual([]);
  });

  test.each([
    ['a playlist', REFERRING_TEXTS['an HLS playlist']],
    ['a list of files', REFERRING_TEXTS['an ffconcat list']],
  ])('ends in error: an AVI file with %s as subtitles', async (_what, make) => {
    const { file } = await upload('v.avi', aviAround(make?.(outside) ?? ''), 'video');
    expect(file).toMatchObject({ status: 'error', encodings: [] });
    expect(leaks()).toEqual([]);
  });

  test('plays only its own content: a Matroska film with attachments and with subtitles that refer to other files', async () => {
    writeFileSync(join(folder, 'list.m3u8'), REFERRING_TEXTS['an HLS playlist']?.(outside) ?? '');
    writeFileSync(
      join(folder, 's.ass'),
      `[Script Info]\n[Events]\nDialogue: 0,0:00:00.00,0:00:01.00,*Default,${outside.text},,0,0,0,,x\n`,
    );
    const own = made(
      'own.mkv',
      ...[...film(2), '-i', join(folder, 's.ass'), '-c:v', 'mpeg4', '-attach', join(folder, 'list.m3u8')],
      ...['-metadata:s:t', 'mimetype=application/x-mpegurl', '-metadata', `segment_filename=${outside.media}`],
    );
    const { file } = await upload('v.mkv', own, 'video');
    expect(file).toMatchObject({ status: 'complete', duration: 2 });
    expect(leaks()).toEqual([]);
  });
});

describe.runIf(hasTools)('processing with ffprobe and ffmpeg', { timeout: 300_000 }, () => {
  test.each([
    ['a.mp3', 'audio', [...tone(2), '-b:a', '64k']],
    ['a.wav', 'audio', tone(2)],
    ['a.flac', 'audio', tone(2)],
    ['a.ogg', 'audio', [...tone(2), '-c:a', 'libvorbis']],
    ['a.opus', 'audio', [...tone(2), '-c:a', 'libopus']],
    ['a.aac', 'audio', [...tone(2), '-c:a', 'aac']],
    ['a.m4a', 'audio', tone(2)],
    ['a.aiff', 'audio', tone(2)],
    ['a.caf', 'audio', [...tone(2), '-c:a', 'pcm_s16be']],
    ['a.wma', 'audio', tone(2)],
    ['v.mp4', 'video', film(2)],
    ['v.mov', 'video', film(2)],
    ['v.mkv', 'video', [...film(2), '-c:v', 'mpeg4']],
    ['v.webm', 'video', [...film(2), '-c:v', 'libvpx', '-cpu-used', '8', '-deadline', 'realtime']],
    ['v.avi', 'video', film(2)],
    ['v.flv', 'video', film(2)],
    ['v.wmv', 'video', film(2)],
    ['v.mpg', 'video', film(2)],
    ['v.m1v', 'video', [...film(2), '-f', 'mpeg1video']],
    ['v.ts', 'video', [...film(2), '-f', 'mpegts']],
    ['v.mxf', 'video', [...film(2), '-c:v', 'mpeg2video']],
    ['p.bmp', 'image', [...film(1), '-frames:v', '1']],
  ])('completes the valid file %s, with its duration or a thumbnail', async (name, type, args) => {
    const { file, thumbs } = await upload(name, made(name, ...args), type);
    expect(file, service.log().split('\n').slice(-4).join('\n')).toMatchObject({ status: 'complete', type });
    if (type === 'audio') expect(file.duration).toBe(2);
    else expect(thumbs).toHaveLength(1);
    const plays = ['a.mp3', 'a.m4a', 'p.bmp'].includes(name);
    expect(file.encodings).toHaveLength(plays ? 0 : 1);
  });
});
