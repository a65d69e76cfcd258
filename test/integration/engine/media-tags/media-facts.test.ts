// Tags and recording dates of real files: created by ffmpeg and sharp, read through the thread, and damaged in thousands of ways.
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaFacts, inflate } from '../../../../electron/engine/media-tags/media-facts.ts';
import { mediaFactsHandlers } from '../../../../electron/engine/media-tags/media-facts-handlers.ts';
import { createTagThread, type TagParser } from '../../../../electron/engine/media-tags/tag-thread.ts';
import type { Clock } from '../../../../electron/engine/ports/clock.ts';
import type { Files } from '../../../../electron/engine/ports/files.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { rootsWhileAdding } from '../../../../electron/engine/uploads/places/chosen-places.ts';
import { BoundedBytes, TooMuchToRead } from '../../../../shared/formats/bytes/bounded-bytes.ts';
import { cutMedia } from '../../../../shared/formats/tags/cut-media.ts';
import { CUT_LIMITS, DamagedTags } from '../../../../shared/formats/tags/cut-source.ts';
import { taggedRecording } from '../../../helpers/data/tagged-recording.ts';

const CHANGED = new Date(2026, 10, 20, 8, 9, 10);
let folder: string;
let tags: TagParser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-tags-'));
  tags = createTagThread(nodeClock);
});
afterAll(async () => {
  await tags.stop();
  await rm(folder, { recursive: true });
});

const VALUES = { title: 'Wave optics', artist: 'Ada Lovelace', album: 'Physics 1', date: '2026-11-04', track: '3' };

async function record(name: string, values: Record<string, string>, options: readonly string[] = []): Promise<string> {
  const path = join(folder, name);
  await taggedRecording(path, values, options);
  await utimes(path, CHANGED, CHANGED);
  return path;
}

const read = (path: string, root = path) => createMediaFacts({ files: nodeFiles, tags, clock: nodeClock })(path, root);
const EXIF = { IFD0: { Artist: 'Ada Lovelace', ImageDescription: 'A lens' } };

async function picture(name: string, exif: Record<string, string>): Promise<string> {
  const path = join(folder, name);
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
  await image.withExif({ ...EXIF, IFD2: exif }).toFile(path);
  await utimes(path, CHANGED, CHANGED);
  return path;
}

describe('tags inside recordings', () => {
  it.each([
    ...['a.mp3', 'a.flac', 'a.ogg', 'a.opus', 'a.wav', 'a.m4a', 'a.mp4', 'a.mka', 'a.webm'].map(
      (name) => [name, []] as const,
    ),
    ['a.aiff', ['-write_id3v2', '1']],
    ['rf64.wav', ['-rf64', 'always']],
    ['keys.mov', ['-movflags', 'use_metadata_tags']],
    ['keys.mp4', ['-movflags', 'use_metadata_tags']],
    ['fast.m4a', ['-movflags', '+faststart']],
  ] as const)('are read from %s, and the day in them is the date of the recording', async (name, options) => {
    const facts = await read(await record(name, VALUES, options));
    expect(facts).toMatchObject({ problem: null, changed: '2026-11-20T08:09:10' });
    const { title, artist, album, year } = facts.mediaTags;
    expect({ title, artist, album, year }).toEqual({
      title: 'Wave optics',
      artist: 'Ada Lovelace',
      album: 'Physics 1',
      year: '2026',
    });
    expect(facts.mediaTags.track).toBe('3');
    expect(facts.recorded).toEqual({ at: '2026-11-04', zone: null, source: 'tag' });
  });

  it('are read from the end of old MP3 files, whose year is no date of a recording', async () => {
    const path = await record('old.mp3', {}, ['-id3v2_version', '0']);
    const field = (text: string, length: number) => Buffer.from(text.padEnd(length, '\0'), 'latin1');
    const tag = ['Wave optics', 'Ada Lovelace', 'Physics 1'].map((text) => field(text, 30));
    const end = Buffer.concat([field('TAG', 3), ...tag, field('2026', 4), field('', 31)]);
    await writeFile(path, Buffer.concat([await readFile(path), Buffer.alloc(64 * 1024), end]));
    await utimes(path, CHANGED, CHANGED);
    const facts = await read(path);
    expect(facts.mediaTags).toMatchObject({ title: 'Wave optics', artist: 'Ada Lovelace', year: '2026' });
    expect(facts.recorded).toMatchObject({ source: 'changed' });
  });

  it('are read from pictures', async () => {
    for (const name of ['p.jpg', 'p.png', 'p.webp', 'p.avif']) {
      const facts = await read(await picture(name, { DateTimeOriginal: '2026:11:04 23:30:00' }));
      expect([name, facts.mediaTags.artist, facts.mediaTags.description]).toEqual([name, 'Ada Lovelace', 'A lens']);
      expect(facts.recorded).toEqual({ at: '2026-11-04T23:30:00', zone: null, source: 'exif' });
    }
  });

  it('are empty without a problem for formats without tags', async () => {
    const path = join(folder, '2026-11-05 notes.txt');
    await writeFile(path, 'plain text');
    expect(await read(path)).toMatchObject({
      problem: null,
      mediaTags: {},
      recorded: { at: '2026-11-05', zone: null, source: 'name' },
    });
    expect(await read(join(folder, 'gone.wav'))).toMatchObject({
      problem: 'unreadable',
      recorded: null,
      changed: null,
    });
  });
});

describe('the date of a recording', () => {
  const at = { creation_time: '2026-11-04T22:30:00Z' };
  const local = new Date('2026-11-04T22:30:00Z');
  const two = (value: number) => String(value).padStart(2, '0');
  const localTime = `2026-11-${two(local.getDate())}T${two(local.getHours())}:${two(local.getMinutes())}:00`;

  it('is the value with a time zone when the file has several', async () => {
    const values = { ...at, 'com.apple.quicktime.creationdate': '2026-11-04T23:30:00+0100' };
    for (const name of ['z.mov', 'z.mp4']) {
      const { recorded } = await read(await record(name, values, ['-movflags', 'use_metadata_tags']));
      expect(recorded).toEqual({ at: '2026-11-04T23:30:00', zone: '+01:00', source: 'apple' });
    }
    const path = await picture('z.jpg', { DateTimeOriginal: '2026:11:04 23:30:00', OffsetTimeOriginal: '+01:00' });
    expect((await read(path)).recorded).toEqual({ at: '2026-11-04T23:30:00', zone: '+01:00', source: 'exif' });
  });

  it('is read as UTC in MP4 and Matroska, and as the local time of the camera in QuickTime', async () => {
    const mp4 = (await read(await record('u.mp4', at))).recorded;
    expect(mp4).toMatchObject({ at: localTime, zone: expect.stringMatching(/^[+-]\d\d:\d\d$/), source: 'mp4' });
    expect((await read(await record('u.mkv', at))).recorded).toEqual({ ...mp4, source: 'matroska' });
    const quicktime = (await read(await record('u.mov', at))).recorded;
    expect(quicktime).toEqual({ at: '2026-11-04T22:30:00', zone: null, source: 'quicktime' });
  });

  it('comes from the recorder in broadcast wave files', async () => {
    const values = { origination_date: '2026-11-04', origination_time: '10:20:30' };
    const { recorded } = await read(await record('b.wav', values, ['-write_bext', '1']));
    expect(recorded).toEqual({ at: '2026-11-04T10:20:30', zone: null, source: 'wav' });
  });

  it('is the day in the file name, otherwise the time of change, when the file has no date that can be right', async () => {
    expect((await read(await record('20261105 none.mp4', {}))).recorded).toMatchObject({ source: 'name' });
    expect((await read(await record('none.mp4', { creation_time: '1904-01-01T00:00:00Z' }))).recorded).toEqual({
      at: '2026-11-20T08:09:10',
      zone: null,
      source: 'changed',
    });
  });
});

describe('a file from an unknown source', () => {
  /** Reproducible pseudo-random numbers. */
  function random(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
  }

  /** Cuts a sample short, and changes some bytes and numbers, mostly at its beginning. */
  function damage(sample: Buffer, next: () => number): Buffer {
    const length = next() < 0.3 ? Math.floor(next() * sample.length) : sample.length;
    const damaged = Buffer.from(sample.subarray(0, length));
    for (let left = 1 + Math.floor(next() * 12); left > 0; left -= 1) {
      const place = Math.floor(next() ** 3 * length);
      if (next() < 0.5) damaged[place] = next() < 0.3 ? 0xff : Math.floor(next() * 256);
      else if (place + 4 <= length) damaged.writeUInt32BE(Math.floor(next() * 2 ** 32), place);
    }
    return damaged;
  }

  async function answerTo(bytes: Buffer) {
    const readAt = async (position: number, length: number) => bytes.subarray(position, position + length);
    try {
      const cut = await cutMedia(new BoundedBytes(bytes.length, readAt, CUT_LIMITS), inflate);
      return cut === null ? 'no tags' : await tags.parse(cut);
    } catch (error) {
      if (error instanceof TooMuchToRead) return 'too much';
      if (error instanceof DamagedTags) return 'damaged';
      throw error;
    }
  }

  it('never crashes the engine, however it is damaged', async () => {
    const next = random(20261123);
    const names = ['a.mp3', 'a.flac', 'a.ogg', 'a.wav', 'a.m4a', 'a.mka', 'a.aiff', 'keys.mov'];
    const pictures = ['p.jpg', 'p.png', 'p.webp', 'p.avif'];
    const samples = await Promise.all([...names, ...pictures].map((name) => readFile(join(folder, name))));
    const counts = new Map<string, number>();
    const until = performance.now() + 6000;
    let files = 0;
    for (; performance.now() < until && files < 6000; files += 1) {
      const answer = await answerTo(damage(samples[files % samples.length] ?? Buffer.alloc(0), next));
      const kind = typeof answer === 'string' ? answer : 'parsed';
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const values = typeof answer === 'string' ? [] : Object.values(answer.tags);
      expect(values.filter((value) => value.length > 2000)).toEqual([]);
    }
    expect(files).toBeGreaterThan(100);
    expect(counts.get('parsed')).toBeGreaterThan(0);
    // A parser in an endless loop blocks the thread, never the engine: the next file is read.
    expect((await read(join(folder, 'a.mp3'))).mediaTags.title).toBe('Wave optics');
  }, 600_000);

  it('is read only in part, also when it has, or declares, 8 GB', async () => {
    const path = await record('large.mka', VALUES);
    await truncate(path, 8 * 1024 ** 3);
    let bytes = 0;
    const counted: Files = {
      ...nodeFiles,
      async open(name: string) {
        const file = await nodeFiles.open(name);
        return {
          facts: () => file.facts(),
          path: () => file.path(),
          close: () => file.close(),
          async read(buffer: Uint8Array, offset: number, length: number, position: number) {
            bytes += length;
            return file.read(buffer, offset, length, position);
          },
        };
      },
      within: () => counted,
    };
    const facts = await createMediaFacts({ files: counted, tags, clock: nodeClock })(path, path);
    expect(facts.mediaTags.title).toBe('Wave optics');
    expect(bytes).toBeLessThanOrEqual(CUT_LIMITS.bytes);
    const mp3 = Buffer.from([
      ...Buffer.from('ID3'),
      4,
      0,
      0,
      0x7f,
      0x7f,
      0x7f,
      0x7f,
      ...Buffer.from('TIT2'),
      0x7f,
      0x7f,
      0x7f,
      0x7f,
    ]);
    const hostile = join(folder, 'hostile.mp3');
    await writeFile(hostile, mp3);
    expect(await read(hostile)).toMatchObject({ problem: 'damaged', mediaTags: {} });
    // As many small chunks as the file has room for.
    const chunks = join(folder, 'chunks.wav');
    await writeFile(chunks, Buffer.concat([Buffer.from('RIFF\xff\xff\xff\x7fWAVE', 'latin1'), Buffer.alloc(80_000)]));
    expect(await read(chunks)).toMatchObject({ problem: 'damaged' });
  });

  it('is reported with a problem when the parser loops, crashes or exceeds its memory, and the next file is read', async () => {
    const path = join(folder, 'thread.mjs');
    const program = (body: string) =>
      writeFile(path, `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { ${body} });`);
    const cut = () => ({ reader: 'sound' as const, type: 'audio/mpeg', bytes: new Uint8Array(10) });
    for (const [body, problem] of [
      ['for (;;);', 'too-slow'],
      ['throw new Error("broken");', 'failed'],
      ['process.exit(3);', 'failed'],
      ['let all = null; for (;;) all = { all };', 'failed'],
      ['parentPort.postMessage(null);', 'damaged'],
    ]) {
      await program(body ?? '');
      // Only the thread that loops has little time; the next one may start slowly.
      let limits = problem === 'too-slow' ? [300] : [];
      const clock: Clock = {
        ...nodeClock,
        schedule(_, run) {
          const [limit = 20_000, ...others] = limits;
          limits = others;
          return nodeClock.schedule(limit, run);
        },
      };
      const thread = createTagThread(clock, pathToFileURL(path));
      expect([body, await thread.parse(cut())]).toEqual([body, problem]);
      await program('parentPort.postMessage({ tags: {}, dates: [] });');
      const next = await thread.parse(cut());
      expect(next).toEqual(problem === 'damaged' ? 'damaged' : { tags: {}, dates: [] });
      await thread.stop();
    }
    const missing = createTagThread(nodeClock, pathToFileURL(join(folder, 'none.mjs')));
    expect(await missing.parse(cut())).toBe('failed');
  }, 600_000);

  it('is no longer read when the caller ends the request for many files', async () => {
    const { handlers, stop } = mediaFactsHandlers({ read, tags, rootsOf: rootsWhileAdding });
    const path = join(folder, 'a.mp3');
    const all = handlers['mediaFacts.read']({ paths: Array.from({ length: 50 }, () => path) });
    await handlers['mediaFacts.end'](null);
    expect((await all).length).toBeLessThan(50);
    expect(await handlers['mediaFacts.read']({ paths: [path] })).toHaveLength(1);
    await stop();
  });
});

describe('links that the user did not choose', () => {
  it('lead to no tags in a preview when they are below an added folder, and those that were added do', async () => {
    const tagged = await record('private.mp3', VALUES);
    const added = join(folder, 'added');
    await mkdir(join(added, 'sub'), { recursive: true });
    await symlink(tagged, join(added, 'sub/link.mp3'));
    await symlink(folder, join(added, 'out'));
    await symlink(tagged, join(folder, 'chosen.mp3'));
    await symlink(added, join(folder, 'chosen'));
    await copyFile(tagged, join(added, 'sub/own.mp3'));
    const { handlers, stop } = mediaFactsHandlers({ read, tags, rootsOf: rootsWhileAdding });
    const problems = async (roots: string[] | undefined, ...paths: string[]) => {
      const facts = await handlers['mediaFacts.read']({ paths, ...(roots === undefined ? {} : { roots }) });
      return facts.map(({ problem, mediaTags }) => problem ?? mediaTags.title);
    };
    const links = [join(added, 'sub/link.mp3'), join(added, 'out/private.mp3')];
    expect(await problems([added], ...links)).toEqual(['unreadable', 'unreadable']);
    expect(await problems(undefined, ...links.slice(0, 1))).toEqual(['unreadable']);
    // The folder that was added may be a link, and a file may be added by a link to it.
    const chosen = [join(folder, 'chosen.mp3'), join(folder, 'chosen/sub/own.mp3')];
    expect(await problems([chosen[0] ?? '', join(folder, 'chosen')], ...chosen)).toEqual([
      'Wave optics',
      'Wave optics',
    ]);
    await stop();
  });
});
