import { describe, expect, it } from 'vitest';
import { silentMp3 } from '../../../../../build/samples/mp3.ts';
import { mp4File } from '../../../../../build/samples/mp4.ts';
import { pdfFile } from '../../../../../build/samples/pdf.ts';
import { pngFile } from '../../../../../build/samples/png.ts';
import { wavChunks } from '../../../../../build/samples/wav.ts';
import { checkContainer } from '../../../../../electron/engine/watch/readiness/containers/check-container.ts';
import { MOST_BYTES, MOST_READS } from '../../../../../shared/formats/bytes/bounded-bytes.ts';
import {
  answerTo,
  box,
  checkBytes,
  filled,
  join,
  le32,
  text,
  track,
  u32,
} from '../../../../helpers/data/container-bytes.ts';
import { Prng } from '../../../../helpers/data/prng.ts';

const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const le64 = (value: number) => Buffer.from(u64(value)).reverse();
const chunk = (id: string, body: Buffer) => join(text(id), le32(body.length), body);
const riff = (type: string, ...chunks: Buffer[]) => chunk('RIFF', join(text(type), ...chunks));
const FORMAT = chunk('fmt ', filled(16));

describe('the check of a sample file', () => {
  const samples: [string, Buffer][] = [
    ['a.mp4', mp4File(64, 48, 1)],
    ['a.wav', join(...wavChunks(1))],
    ['a.png', pngFile(20, 10)],
    ['a.pdf', pdfFile('Title', [['one line']])],
  ];

  it.each(samples)('finds the whole %s complete, and no beginning of it', async (name, all) => {
    expect(await answerTo(name, all)).toBe('complete');
    const step = Math.max(1, Math.floor(all.length / 2000));
    for (let length = 1; length < all.length; length += step) {
      // A PDF is complete without the line end after its end mark, too.
      if (name === 'a.pdf' && all.subarray(length).toString().trim() === '') continue;
      expect([length, await answerTo(name, all.subarray(0, length))]).not.toEqual([length, 'complete']);
    }
  });

  it('does not know whether an MP3 without a count of its bytes is complete, unless a frame is cut', async () => {
    const all = silentMp3('Title', 2);
    expect(await answerTo('a.mp3', all)).toBe('unknown');
    expect(await answerTo('a.mp3', all.subarray(0, -5))).toBe('end-missing');
  });
});

describe('an MP4 or a file of the same structure', () => {
  const head = box('ftyp');
  const index = (...tracks: Buffer[]) => box('moov', join(box('mvhd'), ...tracks));
  const [video, audio, timecode] = [track('vide', 'avc1'), track('soun', 'mp4a'), track('tmcd', 'tmcd')];
  const zeroEnd = box('mdat', join(filled(100_000), Buffer.alloc(70_000)));
  const truncatedIndex = (all: Buffer, written: number) =>
    join(all.subarray(0, written), Buffer.alloc(all.length - written));
  it.each<[string, string, Buffer]>([
    ['with its index first', 'complete', join(head, box('moov'), box('mdat'))],
    ['with its index last', 'complete', join(head, box('mdat'), box('moov'))],
    ['of QuickTime without ftyp', 'complete', join(box('wide', Buffer.alloc(0)), box('mdat'), box('moov'))],
    ['that ends with four zero bytes', 'unknown', join(head, box('mdat'), box('moov'), Buffer.alloc(4))],
    ['that ends in the header of a box', 'shorter-than-declared', join(head, box('mdat'), Buffer.alloc(4))],
    [
      'with data that has a 64-bit size',
      'complete',
      join(head, u32(1), text('mdat'), u64(36), filled(20), box('moov')),
    ],
    [
      'whose 64-bit size goes beyond the end',
      'shorter-than-declared',
      join(head, box('moov'), u32(1), text('mdat'), u64(2 ** 50)),
    ],
    ['whose last data reach to the end', 'complete', join(head, box('moov'), u32(0), text('mdat'), filled(99))],
    ['that is being recorded', 'part-missing', join(head, u32(0), text('mdat'), filled(99))],
    ['whose index is not written yet', 'part-missing', join(head, box('mdat'))],
    ['with an index and no data', 'part-missing', join(head, box('moov'))],
    [
      'whose data is longer than the file',
      'shorter-than-declared',
      join(head, u32(999), text('mdat'), filled(99), box('moov')),
    ],
    ['that is preallocated', 'not-closed', join(head, box('mdat'), Buffer.alloc(5000))],
    ['of fragments with their index', 'complete', join(head, box('moov'), box('moof'), box('mdat'), box('mfra'))],
    ['of fragments without their index', 'unknown', join(head, box('moov'), box('moof'), box('mdat'))],
    [
      'with a truncated fragment',
      'shorter-than-declared',
      join(head, box('moov'), box('moof'), box('mdat').subarray(0, -1)),
    ],
    [
      'whose data are reserved and not written to their end',
      'not-closed',
      join(head, index(video, timecode, audio), zeroEnd),
    ],
    [
      'whose index has a 64-bit size, and whose data are not written to their end',
      'not-closed',
      join(head, u32(1), text('moov'), u64(16 + video.length), video, zeroEnd),
    ],
    ['of uncompressed sound that ends with silence', 'unknown', join(head, index(track('soun', 'sowt')), zeroEnd)],
    [
      'whose video fills frames of a constant size with zeros (XDCAM)',
      'unknown',
      join(head, index(audio, track('vide', 'xd5c')), zeroEnd),
    ],
    ['of plain pictures that are black', 'unknown', join(head, index(track('vide', 'b48r')), zeroEnd)],
    ['whose tracks are not described', 'unknown', join(head, box('moov', filled(900)), zeroEnd)],
    [
      'whose index is reserved and written to the first box',
      'not-closed',
      join(head, box('mdat'), truncatedIndex(index(video, audio), 36)),
    ],
    [
      'whose index is reserved and written to a box in its last track',
      'not-closed',
      join(head, box('mdat'), truncatedIndex(index(video, audio), index(video, audio).length - 60)),
    ],
    [
      'whose user data end with four zero bytes',
      'complete',
      join(head, box('mdat'), box('moov', join(video, box('udta', join(box('name'), Buffer.alloc(4)))))),
    ],
    [
      'with reserved space at its end',
      'complete',
      join(head, box('moov', filled(900)), box('mdat'), box('free', Buffer.alloc(70_000))),
    ],
    ['that is a picture (HEIF)', 'complete', join(head, box('meta'), box('mdat'))],
    ['with garbage after its boxes', 'unknown', join(head, box('moov'), box('mdat'), Buffer.alloc(40, 0xee))],
    ['with garbage in place of its index', 'part-missing', join(head, box('mdat'), Buffer.alloc(40, 0xee))],
  ])('%s: %s', async (_what, answer, all) => {
    expect(await answerTo('a.mp4', all)).toBe(answer);
  });

  it('has an unknown state when a box has an impossible size', async () => {
    const all = join(head, box('moov'), u32(7), text('mdat'), filled(30));
    expect(await answerTo('a.mp4', all)).toBe('unknown');
    expect(await answerTo('a.mp4', join(head, u32(1), text('mdat'), u64(15), filled(30)))).toBe('unknown');
  });
});

describe('among files in chunks,', () => {
  const wav = riff('WAVE', FORMAT, chunk('data', filled(100)));
  const withSize = (all: Buffer, size: number) => join(all.subarray(0, 4), le32(size), all.subarray(8));
  it.each<[string, string, Buffer]>([
    ['whose declared sizes are right', 'complete', wav],
    ['with a pad byte', 'complete', join(wav, Buffer.alloc(1))],
    ['whose header is still empty', 'not-closed', withSize(wav, 0)],
    ['whose header has a placeholder', 'not-closed', withSize(wav, 0xffff_ffff)],
    ['that is longer than its header says', 'not-closed', join(wav, filled(4000))],
    ['that is shorter than its header says', 'shorter-than-declared', wav.subarray(0, -1)],
    ['without data', 'part-missing', riff('WAVE', FORMAT)],
    [
      'whose data have no length yet',
      'not-closed',
      join(riff('WAVE', FORMAT, chunk('data', Buffer.alloc(0))), filled(99)),
    ],
    [
      'whose data are longer than the file',
      'shorter-than-declared',
      riff('WAVE', FORMAT, text('data'), le32(5000), filled(99)),
    ],
    ['whose space is preallocated', 'not-closed', join(riff('WAVE', FORMAT, Buffer.alloc(64)), Buffer.alloc(99))],
    ['with tags after the declared size', 'unknown', join(wav, text('ID3 tag that is long enough'))],
    [
      'with tags that are counted',
      'complete',
      riff('WAVE', FORMAT, chunk('data', filled(100)), chunk('LIST', filled(6))),
    ],
  ])('a WAV %s: %s', async (_what, answer, all) => {
    expect(await answerTo('a.wav', all)).toBe(answer);
  });

  const long = (id: string, dataSize: number, riffSize: number) =>
    join(
      text(id),
      le32(0xffff_ffff),
      text('WAVE'),
      chunk('ds64', join(le64(riffSize), le64(dataSize), filled(12))),
      text('data'),
      le32(0xffff_ffff),
    );
  it.each(['RF64', 'BW64'])('an %s is checked by the sizes in its ds64 chunk', async (id) => {
    const head = long(id, 1000, 56 + 1000 - 8);
    expect(await answerTo('a.wav', head, 56 + 1000)).toBe('complete');
    expect(await answerTo('a.wav', head, 56 + 999)).toBe('shorter-than-declared');
    expect(await answerTo('a.wav', head, 56 + 5000)).toBe('not-closed');
    expect(await answerTo('a.wav', long(id, 6e9, 48 + 6e9), 56 + 6e9)).toBe('complete');
    expect(await answerTo('a.wav', long(id, 6e9, 48 + 6e9), 56 + 5e9)).toBe('shorter-than-declared');
  });

  it('a WAV of more than 4 GB is checked by the lower 32 bits of its size', async () => {
    const size = 5_000_000_000;
    const head = withSize(wav, (size - 8) % 2 ** 32);
    expect(await answerTo('a.wav', head, size)).toBe('complete');
    expect(await answerTo('a.wav', head, size - 1000)).not.toBe('complete');
    expect(await answerTo('a.wav', head, size + 1000)).not.toBe('complete');
  });

  it('an AVI of several RIFF chunks is complete only when the last one is', async () => {
    const first = riff(
      'AVI ',
      chunk('LIST', join(text('hdrl'), filled(20))),
      chunk('LIST', join(text('movi'), filled(50))),
    );
    const next = riff('AVIX', chunk('LIST', join(text('movi'), filled(50))));
    expect(await answerTo('a.avi', first)).toBe('complete');
    expect(await answerTo('a.avi', join(first, next, next))).toBe('complete');
    expect(await answerTo('a.avi', join(first, next.subarray(0, -1)))).toBe('shorter-than-declared');
    expect(await answerTo('a.avi', join(first, withSize(next, 0)))).toBe('not-closed');
  });

  it('an AVI is not closed while zero bytes are in place of its index', async () => {
    const data = chunk('LIST', join(text('movi'), filled(50)));
    const all = riff('AVI ', chunk('LIST', join(text('hdrl'), filled(20))), data, chunk('idx1', filled(64)));
    expect(await answerTo('a.avi', all)).toBe('complete');
    expect(await answerTo('a.avi', join(all.subarray(0, -72), Buffer.alloc(72)))).toBe('not-closed');
  });

  it('a WebP is not closed while the second half of its picture consists of zero bytes', async () => {
    expect(await answerTo('a.webp', riff('WEBP', chunk('VP8 ', filled(20_000))))).toBe('complete');
    const half = join(filled(9000), Buffer.alloc(11_000));
    expect(await answerTo('a.webp', riff('WEBP', chunk('VP8 ', half)))).toBe('not-closed');
  });

  it('an AIFF is checked by its big-endian sizes', async () => {
    const body = join(text('AIFF'), text('COMM'), u32(18), filled(18), text('SSND'), u32(100), filled(100));
    const all = join(text('FORM'), u32(body.length), body);
    expect(await answerTo('a.aiff', all)).toBe('complete');
    expect(await answerTo('a.aiff', all.subarray(0, -2))).toBe('shorter-than-declared');
    expect(await answerTo('a.aiff', join(all, filled(50)))).toBe('not-closed');
  });
});

describe('a Matroska or WebM file', () => {
  const header = join(Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x84]), filled(4));
  const id = Buffer.from([0x18, 0x53, 0x80, 0x67]);
  const element = (name: number[], body: Buffer) =>
    join(Buffer.from(name), Buffer.from([0x40 | (body.length >> 8), body.length & 0xff]), body);
  const [CUES, TRACKS] = [
    [0x1c, 0x53, 0xbb, 0x6b],
    [0x16, 0x54, 0xae, 0x6b],
  ] as const;
  const seek = (name: readonly number[], place: Buffer) =>
    element([0x4d, 0xbb], join(element([0x53, 0xab], Buffer.from(name)), element([0x53, 0xac], place)));
  const seekHead = (...all: Buffer[]) => element([0x11, 0x4d, 0x9b, 0x74], join(...all));
  const anywhere = Buffer.alloc(8, 0xff);
  const sized = (content: Buffer) => join(header, id, Buffer.from([0x01, 0, 0, 0]), u32(content.length), content);
  const codec = (name: string) => join(Buffer.from([0x86, 0x80 | name.length]), text(name));
  const zeroEnd = (...codecs: string[]) => sized(join(...codecs.map(codec), filled(90_000), Buffer.alloc(80_000)));
  const withCues = (cues: Buffer) => sized(join(seekHead(seek(CUES, u32(500))), filled(500 - 26), cues));
  const info = join(Buffer.from([0x15, 0x49, 0xa9, 0x66, 0x84]), filled(4));
  const known = join(header, id, Buffer.from([0x08, 0, 0, 0x64]).fill(0x10, 0, 1), filled(100));
  const unknown8 = Buffer.from([0x01, ...new Array(7).fill(0xff)]);
  it.each<[string, string, Buffer]>([
    ['with the declared size', 'complete', known],
    ['that is truncated', 'shorter-than-declared', known.subarray(0, -1)],
    ['with bytes after its segment', 'unknown', join(known, filled(9))],
    [
      'whose size and places are not written yet (GStreamer)',
      'not-closed',
      join(header, id, unknown8, seekHead(seek(TRACKS, anywhere), seek(CUES, anywhere)), filled(99)),
    ],
    [
      'whose size is not written yet, with a place for its table',
      'not-closed',
      join(header, id, unknown8, seekHead(seek(TRACKS, u32(90)), seek(CUES, u32(0))), filled(99)),
    ],
    [
      'of unknown size, as ffmpeg writes a live stream',
      'unknown',
      join(header, id, unknown8, seekHead(seek(TRACKS, u32(90))), Buffer.from([0xec, 0x84]), filled(99)),
    ],
    ['whose last part is at the place that its index names', 'complete', withCues(join(Buffer.from(CUES), filled(90)))],
    ['with zero bytes at a place that its index names', 'not-closed', withCues(Buffer.alloc(94))],
    ['of coded pictures and sound that ends with zero bytes', 'not-closed', zeroEnd('V_MPEG4/ISO/AVC', 'A_AAC')],
    ['of plain sound that ends with silence', 'unknown', zeroEnd('V_VP9', 'A_PCM/INT/LIT')],
    ['of plain pictures that ends black', 'unknown', zeroEnd('V_UNCOMPRESSED')],
    ['of pictures that fill frames of a constant size with zeros', 'unknown', zeroEnd('A_AAC', 'V_MPEG2')],
    ['whose index has reserved space', 'not-closed', join(header, id, unknown8, Buffer.from([0xec, 0x84]), filled(99))],
    ['of unknown size, as browsers record it', 'unknown', join(header, id, unknown8, info, filled(99))],
    [
      'of unknown size in one byte, as browsers record it',
      'unknown',
      join(header, id, Buffer.from([0xff]), info, filled(99)),
    ],
    ['that ends after its header', 'part-missing', header],
    ['that ends in the size of its segment', 'part-missing', join(header, id, Buffer.from([0x01, 0xff]))],
    ['whose segment is preallocated', 'not-closed', join(header, Buffer.alloc(50))],
  ])('%s: %s', async (_what, answer, all) => {
    expect(await answerTo('a.mkv', all)).toBe(answer);
  });
});

describe('among documents and pictures,', () => {
  const entry = join(text('PK'), Buffer.from([3, 4]), filled(60));
  const end = (directoryAt: number, length: number, comment: string) =>
    join(
      text('PK'),
      Buffer.from([5, 6]),
      Buffer.alloc(8),
      le32(length),
      le32(directoryAt),
      Buffer.from([comment.length, 0]),
      text(comment),
    );
  const directory = filled(40);
  const zip = (comment: string) => join(entry, directory, end(entry.length, directory.length, comment));
  const jpeg = (after: Buffer) => join(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), filled(50), after);
  const endOfImage = Buffer.from([0xff, 0xd9]);
  it.each<[string, string, string, Buffer]>([
    ['a PDF with its end mark', 'a.pdf', 'complete', text('%PDF-1.7 .. %%EOF\r\n')],
    ['a PDF without its end mark', 'a.pdf', 'end-missing', text('%PDF-1.7 .. %%EO')],
    ['a PDF with an end mark far before the end', 'a.pdf', 'end-missing', join(text('%PDF-1.7 %%EOF'), filled(3000))],
    ['a ZIP', 'a.zip', 'complete', zip('')],
    ['a ZIP with a comment', 'a.pptx', 'complete', zip('made by hand')],
    ['a ZIP whose comment is truncated', 'a.zip', 'end-missing', zip('made by hand').subarray(0, -1)],
    ['a ZIP without its directory', 'a.docx', 'end-missing', join(entry, directory)],
    [
      'a ZIP whose end record names another position of its directory',
      'a.zip',
      'unknown',
      join(entry, end(900, 40, '')),
    ],
    ['a ZIP64', 'a.zip', 'complete', join(entry, end(0xffff_ffff, 40, ''))],
    ['a JPEG', 'a.jpg', 'complete', jpeg(endOfImage)],
    ['a JPEG that is truncated', 'a.jpg', 'end-missing', jpeg(filled(9))],
    ['a JPEG with bytes after its end', 'a.jpg', 'unknown', jpeg(join(endOfImage, filled(9)))],
    ['a PNG with bytes after its end', 'a.png', 'unknown', join(pngFile(4, 4), filled(9))],
  ])('%s (%s): %s', async (_what, name, answer, all) => {
    expect(await answerTo(name, all)).toBe(answer);
  });
});

describe('a file', () => {
  it('has an unknown state when its contents have no known format', async () => {
    expect(await answerTo('notes.txt', text('only text'))).toBe('unknown');
    expect(await answerTo('notes.txt', Buffer.alloc(100))).toBe('unknown');
    expect(await answerTo('odd.mp4', filled(100))).toBe('unknown');
  });

  it('is checked by its contents when its name has another extension', async () => {
    expect(await answerTo('a.bin', box('ftyp'))).toBe('part-missing');
    expect(await answerTo('a.wav', join(box('ftyp'), box('mdat'), box('moov')))).toBe('complete');
  });

  it('is not closed while its header consists of zero bytes and its extension is a known one', async () => {
    expect(await answerTo('a.mp4', Buffer.alloc(100))).toBe('not-closed');
    expect(await answerTo('A.WAV', Buffer.alloc(100))).toBe('not-closed');
  });

  it('lacks a part when it is shorter than any header of its format', async () => {
    expect(await answerTo('a.mp4', Buffer.from([0, 0, 0, 9]))).toBe('part-missing');
  });
});

describe('the check of any bytes', () => {
  const starts: Buffer[] = [
    Buffer.alloc(0),
    ...['RIFF', 'RF64', 'FORM', 'fLaC', 'OggS', '%PDF-', 'PK\u0003\u0004', 'ID3\u0004'].map(text),
    join(u32(24), text('ftyp')),
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3]),
    Buffer.from([0xff, 0xd8, 0xff]),
    Buffer.from([0x89, 0x50, 0x4e, 0x47]),
    Buffer.from([0xff, 0xfb, 0x90]),
    Buffer.from([0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0d, 0x01, 0x02, 0x01, 0x01, 0x02]),
  ];

  it('ends without an error, within the limits on reads and bytes', async () => {
    const prng = new Prng(7);
    for (let run = 0; run < 4000; run += 1) {
      const body = Buffer.alloc(prng.spread(1, 3000));
      // Many bytes with only zeros or ones, so that the sizes in the file are near the limits.
      for (let at = 0; at < body.length; at += 1) body[at] = prng.pick([0, 1, 0xff, 0x7f, prng.int(0, 255)]);
      const all = join(prng.pick(starts), body);
      const size = prng.chance(0.3) ? prng.spread(all.length, 2 ** 45) : all.length;
      const { reads, bytes } = await checkBytes(prng.pick(['a.mp4', 'a.bin', 'a.wav']), all, size);
      expect(reads).toBeLessThanOrEqual(MOST_READS);
      expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    }
  });

  it('ends with an unknown state when it would read too much', async () => {
    const tiny = join(u32(8), text('free'));
    const { answer, reads } = await checkBytes(
      'a.mp4',
      join(box('ftyp'), ...new Array(5000).fill(tiny), box('moov'), box('mdat')),
    );
    expect({ answer, reads }).toEqual({ answer: 'unknown', reads: MOST_READS });
  });

  it('never finds a file complete that becomes shorter meanwhile', async () => {
    for (const all of [join(box('ftyp'), box('mdat'), box('moov')), riff('WAVE', FORMAT, chunk('data', filled(100)))]) {
      const verdict = await checkContainer('a.mp4', all.length + 50, async (position, length) =>
        all.subarray(position, position + length),
      );
      expect(verdict.kind).not.toBe('complete');
    }
  });
});

it('a check of a container throws the error of a read that failed', async () => {
  const broken = checkContainer('a.mp4', 100, async () => {
    throw new Error('EIO');
  });
  await expect(broken).rejects.toThrow('EIO');
});
