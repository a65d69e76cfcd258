// Tags as other programs write them: covers of any size and place, several versions, encodings and dates.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaFacts } from '../../../../electron/engine/media-tags/media-facts.ts';
import { createTagThread, type TagParser } from '../../../../electron/engine/media-tags/tag-thread.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import {
  box,
  flacFile,
  id3Frame,
  id3Tag,
  id3Text,
  indexOnly,
  listItem,
  oggFile,
  plainSize,
  riffChunk,
  safeSize,
  vorbisComments,
} from '../../../helpers/data/tag-bytes.ts';
import { taggedRecording } from '../../../helpers/data/tagged-recording.ts';

let folder: string;
let tags: TagParser;
/** A picture of more than one megabyte. */
let cover: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'other-tags-'));
  tags = createTagThread(nodeClock);
  cover = join(folder, 'cover.jpg');
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const image = sharp({ create: { width: 1200, height: 1200, channels: 3, background: 'red', noise } });
  const { size } = await image.jpeg({ quality: 100 }).toFile(cover);
  expect(size).toBeGreaterThan(1024 ** 2);
});
afterAll(async () => {
  await tags.stop();
  await rm(folder, { recursive: true });
});

const read = (path: string) => createMediaFacts({ files: nodeFiles, tags, clock: nodeClock })(path, path);
async function factsOf(name: string, bytes: Uint8Array) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return read(path);
}
const titleOf = async (name: string, bytes: Uint8Array) => {
  const { problem, mediaTags } = await factsOf(name, bytes);
  return problem ?? mediaTags.title;
};
const fixture = (name: string) => new URL(`../../../fixtures/media/${name}`, import.meta.url).pathname;

describe('the files of other programs', () => {
  it.each([
    ['itunes_v24_badsize.mp3', 'iTunes: frame sizes of another version', { title: 'iTunes bad size' }, null],
    ['v23_unsync.mp3', 'a tag protected as a whole', { title: 'Unsync ÿ', artist: 'Artist' }, null],
    ['ff23.mp3', 'ffmpeg: year and day apart', { title: 'FF23 日本', date: '2026-05-06' }, ['tag', '2026-05-06', null]],
    ['info_utf8.wav', 'ffmpeg: RIFF texts in UTF-8', { title: 'Größe' }, null],
    ['prop.mkv', 'mkvpropedit', { title: 'Prop title', artist: 'Prop artist' }, ['tag', '2026-05-06', null]],
    [
      'xmp.jpg',
      'exiftool: XMP',
      { title: 'XMP Titel ü', artist: 'XC', keywords: 'a, b' },
      ['exif', '2026-05-06T09:30:00', '+02:00'],
    ],
  ])('are read: %s (%s)', async (name, _, expected, date) => {
    const path = join(folder, name);
    await copyFile(fixture(name), path);
    const { problem, mediaTags, recorded } = await read(path);
    expect({ problem, mediaTags }).toMatchObject({ problem: null, mediaTags: expected });
    if (date !== null) expect([recorded?.source, recorded?.at, recorded?.zone]).toEqual(date);
  });
});

describe('a cover of more than 1 MB', () => {
  it.each([
    ['c.mp3', ['-id3v2_version', '3']],
    ['c.m4a', ['-disposition:v', 'attached_pic']],
    ['c.flac', ['-disposition:v', 'attached_pic']],
  ] as const)('does not hide the tags that ffmpeg writes to %s', async (name, options) => {
    const path = join(folder, name);
    const values = { title: 'Wave optics', artist: 'Ada Lovelace', date: '2026-11-04' };
    await taggedRecording(path, values, options, cover);
    const facts = await read(path);
    expect(facts.mediaTags).toMatchObject({ title: 'Wave optics', artist: 'Ada Lovelace' });
    expect(facts.recorded).toMatchObject({ source: 'tag', at: '2026-11-04' });
  });

  it('does not hide the tags of Matroska, nor the day of the recording in them', async () => {
    const path = join(folder, 'c.mka');
    const values = { title: 'Wave optics', DATE_RECORDED: '2026-11-04' };
    await taggedRecording(path, values, ['-attach', cover, '-metadata:s:t', 'mimetype=image/jpeg']);
    expect(await read(path)).toMatchObject({
      mediaTags: { title: 'Wave optics', date: '2026-11-04' },
      recorded: { source: 'tag', at: '2026-11-04' },
    });
  });

  const picture = Buffer.alloc(4 * 1024 ** 2, 0x5a);
  const frames = {
    2: [id3Frame('TT2', id3Text('Wave optics')), id3Frame('PIC', picture)],
    3: [id3Frame('TIT2', id3Text('Wave optics')), id3Frame('APIC', picture)],
    4: [
      id3Frame('TIT2', id3Text('Wave optics', true), { size: safeSize }),
      id3Frame('APIC', picture, { size: safeSize }),
    ],
  };
  const flac = [[4, vorbisComments(['TITLE=Wave optics'])] as const, [6, picture] as const];
  const items = [listItem('\xa9nam', Buffer.from('Wave optics')), listItem('covr', picture, 13)];
  const list = (...all: Buffer[]) => indexOnly('M4A ', box('meta', Buffer.alloc(4), box('ilst', ...all)));
  const comments = ['TITLE=Wave optics', `METADATA_BLOCK_PICTURE=${Buffer.alloc(3 * 1024 ** 2).toString('base64')}`];
  const opus = (all: readonly string[], segments: number) =>
    oggFile([Buffer.from('OpusHead0000'), Buffer.concat([Buffer.from('OpusTags'), vorbisComments(all)])], segments);

  it.each([
    ...([2, 3, 4] as const).map(
      (major) => [`ID3v2.${major}`, 'l.mp3', (all) => id3Tag(major, all(frames[major]))] as Order,
    ),
    ['FLAC', 'l.flac', (all) => flacFile(all(flac))] as Order,
    ['MP4', 'l.m4a', (all) => list(...all(items))] as Order,
    ['Ogg', 'l.opus', (all) => opus(all(comments), 255)] as Order,
    ['Ogg with small pages', 'l.opus', (all) => opus(all(comments), 17)] as Order,
  ])('hides no tags of %s, neither before nor after them', async (_, name, bytes) => {
    expect(
      await titleOf(
        name,
        bytes((parts) => parts),
      ),
    ).toBe('Wave optics');
    expect(
      await titleOf(
        name,
        bytes((parts) => parts.toReversed()),
      ),
    ).toBe('Wave optics');
  });
});
type Order = [string, string, (all: <Part>(parts: readonly Part[]) => readonly Part[]) => Buffer];

describe('the title in an ID3v2 tag', () => {
  const text = id3Text('Wave optics', true);
  const protectedText = Buffer.from([1, 0xff, 0x00, 0xfe, ...Buffer.from('Wave optics', 'utf16le')]);
  it.each([
    ['with a group', 3, [0, 0x20], Buffer.concat([Buffer.from('g'), id3Text('Wave optics')]), plainSize],
    ['with a group and a length', 4, [0, 0x41], Buffer.concat([Buffer.from('g'), safeSize(12), text]), safeSize],
    ['in a protected frame', 4, [0, 0x02], protectedText, safeSize],
    ['whose size has the form of version 2.4', 3, [0, 0], id3Text(`Wave optics${' '.repeat(200)}`), safeSize],
  ])('is read %s', async (_, major, flags, data, size) => {
    const artist = id3Frame('TPE1', id3Text('Ada'), { size: major === 4 ? safeSize : size });
    const tag = id3Tag(major, [id3Frame('TIT2', data, { size, flags }), artist, Buffer.alloc(20)]);
    expect((await factsOf('v.mp3', tag)).mediaTags).toMatchObject({ title: 'Wave optics', artist: 'Ada' });
  });

  it.each([
    ['compressed', 3, [0, 0x80]],
    ['compressed', 4, [0, 0x09]],
    ['encrypted', 3, [0, 0x40]],
  ])('is missing when it is %s in version 2.%i, and the others are read', async (_, major, flags) => {
    const size = major === 4 ? safeSize : plainSize;
    const data = Buffer.concat([plainSize(12), deflateSync(id3Text('Wave optics'))]);
    const frames = [id3Frame('TIT2', data, { size, flags }), id3Frame('TPE1', id3Text('Ada'), { size })];
    expect(await factsOf('z.mp3', id3Tag(major, frames))).toMatchObject({
      problem: null,
      mediaTags: { artist: 'Ada' },
    });
    expect(await titleOf('z.mp3', id3Tag(major, frames))).toBeUndefined();
  });
});

describe('a text of ID3v2 that is not in Latin-1, as its file says', () => {
  const latin = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0]), bytes]);
  const comment = (bytes: Uint8Array) => Buffer.concat([Buffer.from('\0eng\0'), bytes]);

  it.each([
    ['UTF-8', Buffer.from('Größe – 1'), 'Größe – 1'],
    ['Windows-1252', Buffer.from('l\x92\x9cuvre \x96 \x8aumava', 'latin1'), 'l’œuvre – Šumava'],
    ['Latin-1 after all', Buffer.from('Caf\xe9', 'latin1'), 'Café'],
    ['Shift-JIS', Buffer.from([0x93, 0x8c, 0x8b, 0x9e, 0x83, 0x89, 0x83, 0x57, 0x83, 0x49]), undefined],
    ['no encoding', Buffer.from([0x41, 0x81, 0x8d, 0x8f]), undefined],
  ])('is read in %s, or is missing', async (_, bytes, title) => {
    const frames = [id3Frame('TIT2', latin(bytes)), id3Frame('TPE1', id3Text('Ada'))];
    expect(await titleOf('l1.mp3', id3Tag(3, frames))).toBe(title);
    expect((await factsOf('l1.mp3', id3Tag(3, frames))).mediaTags).toMatchObject({ artist: 'Ada' });
  });

  it('is missing in a comment, too, when it is unreadable', async () => {
    const frames = [id3Frame('COMM', comment(Buffer.from([0x41, 0x81, 0x8d]))), id3Frame('TPE1', id3Text('Ada'))];
    expect((await factsOf('c1.mp3', id3Tag(3, frames))).mediaTags).toEqual({ artist: 'Ada' });
  });
});

describe('texts outside of lists', () => {
  it.each(['u.mov', 'u.3gp'])('are read from the user data of %s', async (name) => {
    const path = join(folder, name);
    await taggedRecording(path, { title: 'Größe 😀', artist: 'Ada' }, name === 'u.3gp' ? ['-c:a', 'aac'] : []);
    expect((await read(path)).mediaTags).toMatchObject({ title: 'Größe 😀', artist: 'Ada' });
  });

  it('are read from QuickTime files in the encoding of old Macintosh computers', async () => {
    const text = Buffer.from([0x47, 0x72, 0x9a, 0xa7, 0x65]);
    const bytes = indexOnly('qt  ', box('\xa9nam', Buffer.from([0, text.length, 0, 0]), text));
    expect(await titleOf('mac.mov', bytes)).toBe('Größe');
  });

  it('count less than a list with the same value', async () => {
    const old = box('\xa9nam', Buffer.from([0, 3, 0x55, 0xc4]), Buffer.from('Old'));
    const list = box('meta', Buffer.alloc(4), box('ilst', listItem('\xa9nam', Buffer.from('New'))));
    expect(await titleOf('both.mov', indexOnly('qt  ', old, list))).toBe('New');
    expect(await titleOf('both.mov', indexOnly('qt  ', list, old))).toBe('New');
  });

  it.each([
    ['UTF-8', Buffer.from('Größe – 1')],
    ['Windows-1252', Buffer.from('Gr\xf6\xdfe \x96 1', 'latin1')],
  ])('are read from WAV and AIFF in %s', async (_, text) => {
    const format = Buffer.from('010001002256000044ac000002001000', 'hex');
    const info = riffChunk('LIST', Buffer.concat([Buffer.from('INFO'), riffChunk('INAM', text)]));
    const wave = Buffer.concat([
      Buffer.from('WAVE'),
      riffChunk('fmt ', format),
      info,
      riffChunk('data', Buffer.alloc(8)),
    ]);
    expect(await titleOf('i.wav', riffChunk('RIFF', wave))).toBe('Größe – 1');
    const common = Buffer.from('0001000000080010400eac44000000000000', 'hex');
    const aiff = [
      riffChunk('COMM', common, true),
      riffChunk('NAME', text, true),
      riffChunk('SSND', Buffer.alloc(8), true),
    ];
    expect(await titleOf('n.aiff', riffChunk('FORM', Buffer.concat([Buffer.from('AIFF'), ...aiff]), true))).toBe(
      'Größe – 1',
    );
  });
});

it('texts are read from AVI, although its pictures are before the index', async () => {
  const path = join(folder, 'i.avi');
  await taggedRecording(path, { title: 'Größe 😀', artist: 'Ada', date: '2026-05-06' }, ['-c:a', 'pcm_s16le']);
  expect(await read(path)).toMatchObject({
    mediaTags: { title: 'Größe 😀', artist: 'Ada', date: '2026-05-06' },
    recorded: { source: 'tag', at: '2026-05-06' },
  });
});

it('the day of a recording in the tags of Matroska counts before the time at which the file was written', async () => {
  const written = { creation_time: '2026-11-28T14:45:41Z' };
  const path = join(folder, 'm.mka');
  await taggedRecording(path, { ...written, DATE_RECORDED: '2026-05-06' });
  expect((await read(path)).recorded).toMatchObject({ source: 'tag', at: '2026-05-06' });
  // Of the same day, the time says more.
  await taggedRecording(path, { ...written, DATE_RECORDED: '2026-11-28' });
  expect((await read(path)).recorded).toMatchObject({ source: 'matroska' });
});

it('a date of a QuickTime file that ends in Z is in UTC', async () => {
  const path = join(folder, 'z.mov');
  const values = { 'com.apple.quicktime.creationdate': '2026-11-04T22:30:00Z' };
  await taggedRecording(path, values, ['-movflags', 'use_metadata_tags']);
  expect((await read(path)).recorded).toEqual({ at: '2026-11-04T22:30:00', zone: '+00:00', source: 'apple' });
});

describe('XMP', () => {
  const packet = (description: string) =>
    `<?xpacket begin="\ufeff"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r" xmlns:dc="d" xmlns:p="p">${description}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
  const full = packet(
    '<rdf:Description rdf:about="" p:DateCreated="2026-05-06T09:30Z"><dc:title><rdf:Alt><rdf:li xml:lang="de">Licht</rdf:li>' +
      '<rdf:li xml:lang="x-default">Light &#128512;</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Ada</rdf:li>' +
      '<rdf:li>Grace</rdf:li></rdf:Seq></dc:creator></rdf:Description>',
  );
  const found = {
    problem: null,
    mediaTags: { title: 'Light 😀', artist: 'Ada, Grace', date: '2026-05-06', year: '2026' },
    recorded: { at: '2026-05-06T09:30:00', zone: '+00:00', source: 'exif' },
  };
  const red = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });

  it.each(['x.jpg', 'x.png', 'x.webp', 'x.avif', 'x.tif'])(
    'is read from %s, with numbers for characters',
    async (name) => {
      const path = join(folder, name);
      await red().withXmp(full).toFile(path);
      expect(await read(path)).toMatchObject(found);
    },
  );

  it('is read from a compressed text of PNG, and ignored when it is damaged or too large', async () => {
    const png = await red().png().toBuffer();
    const chunk = (text: Uint8Array) => {
      const data = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), text]);
      return Buffer.concat([plainSize(data.length), Buffer.from('iTXt'), data, Buffer.alloc(4)]);
    };
    const withText = (text: Uint8Array) => Buffer.concat([png.subarray(0, 33), chunk(text), png.subarray(33)]);
    expect(await factsOf('t.png', withText(deflateSync(full)))).toMatchObject(found);
    for (const bad of [Buffer.from('damaged'), deflateSync(`${full}${' '.repeat(1024 ** 2)}`)])
      expect(await factsOf('t.png', withText(bad))).toMatchObject({ problem: null, mediaTags: {} });
  });

  it('is read as attributes, and up to a place where it is damaged', async () => {
    const short = packet('<rdf:Description dc:title="Light" dc:rights="Free"/>');
    await red().withXmp(short).toFile(join(folder, 's.jpg'));
    expect((await read(join(folder, 's.jpg'))).mediaTags).toEqual({ title: 'Light', copyright: 'Free' });
    await red().withXmp(full.replace('</dc:creator>', '</dc:other>')).toFile(join(folder, 'd.jpg'));
    expect((await read(join(folder, 'd.jpg'))).mediaTags).toMatchObject({ title: 'Light 😀', artist: 'Ada, Grace' });
  });
});
