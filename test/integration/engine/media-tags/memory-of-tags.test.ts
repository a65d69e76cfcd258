// Small files with so many values that their parser would need more memory than its thread has, which ends the whole process. They
// are read in a process of their own.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MediaFacts } from '../../../../shared/contract/media-facts.ts';
import {
  box,
  flacFile,
  id3Frame,
  id3Tag,
  id3Text,
  indexOnly,
  listItem,
  plainSize,
  riffChunk,
  safeSize,
  vorbisComments,
} from '../../../helpers/data/tag-bytes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'many-values-'));
});
afterAll(() => rm(folder, { recursive: true }));

const ENGINE = new URL('../../../../electron/engine/', import.meta.url).href;
const PROGRAM = `
  const { createMediaFacts } = await import('${ENGINE}media-tags/media-facts.ts');
  const { createTagThread } = await import('${ENGINE}media-tags/tag-thread.ts');
  const { nodeClock } = await import('${ENGINE}ports/system/node-clock.ts');
  const { nodeFiles } = await import('${ENGINE}ports/system/node-files.ts');
  const tags = createTagThread(nodeClock, undefined, 60_000);
  const read = createMediaFacts({ files: nodeFiles, tags, clock: nodeClock });
  const facts = [];
  for (const path of process.argv.slice(1)) facts.push(await read(path, path));
  await tags.stop();
  process.stdout.write(JSON.stringify(facts));
`;

/** Reads files one after the other in another process. Rejects when that process ends early. */
async function readElsewhere(files: Readonly<Record<string, Uint8Array>>): Promise<MediaFacts[]> {
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    PROGRAM,
    ...paths,
  ]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const flac = (comments: readonly string[]) => flacFile([[4, vorbisComments(comments)]]);
const good = flac(['TITLE=Wave optics']);
const many = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

/** A file of each format with a title, and with values without contents. */
const MANY_VALUES: Readonly<Record<string, Uint8Array>> = {
  'many.flac': flac(['TITLE=Wave optics', ...many(200_000, '=')]),
  'many.mp3': id3Tag(3, [id3Frame('TIT2', id3Text('Wave optics')), ...many(80_000, id3Frame('TPE1', id3Text('')))]),
  'many.m4a': indexOnly('M4A ', box('meta', Buffer.alloc(4), box('ilst', ...many(100_000, box('\xa9nam'))))),
  'many.wav': riffChunk(
    'RIFF',
    Buffer.concat([Buffer.from('WAVE'), listOf(many(100_000, riffChunk('IART', Buffer.alloc(0))))]),
  ),
};

function listOf(values: readonly Uint8Array[]): Buffer {
  return riffChunk('LIST', Buffer.concat([Buffer.from('INFO'), ...values]));
}

it('a file with 100,000 values is damaged, and the next files are read', async () => {
  const facts = await readElsewhere({ ...MANY_VALUES, 'good.flac': good });
  expect(facts.map(({ problem }) => problem)).toEqual([...Object.keys(MANY_VALUES).map(() => 'damaged'), null]);
  expect(facts.at(-1)?.mediaTags.title).toBe('Wave optics');
}, 600_000);

it('a value of 480,000 parts is read in part, as are values with many parts in a list, and the next files are read', async () => {
  const parts = (count: number) => Buffer.concat([Buffer.from([3]), Buffer.alloc(count * 2, 'a\0')]);
  const title = id3Frame('TIT2', id3Text('Wave optics'), { size: safeSize });
  const frames = many(30, id3Frame('TPE1', parts(4000), { size: safeSize }));
  const data = box('data', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]));
  const list = box(
    'ilst',
    listItem('\xa9nam', Buffer.from('Wave optics')),
    ...many(30, box('\xa9ART', ...many(500, data))),
  );
  const facts = await readElsewhere({
    'parts.mp3': id3Tag(4, [title, id3Frame('TPE1', parts(480_000), { size: safeSize })]),
    'frames.mp3': id3Tag(4, [title, ...frames]),
    'parts.m4a': indexOnly('M4A ', box('meta', Buffer.alloc(4), list)),
    'good.flac': good,
  });
  expect(facts.map(({ problem, mediaTags }) => [problem, mediaTags.title])).toEqual(many(4, [null, 'Wave optics']));
}, 600_000);

it('compressed texts of PNG that expand to 900 MB are not expanded, and EXIF values that overlap are not copied', async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const chunk = (type: string, data: Uint8Array) =>
    Buffer.concat([plainSize(data.length), Buffer.from(type), data, Buffer.alloc(4)]);
  const zeros = deflateSync(Buffer.alloc(100 * 1024 ** 2));
  const texts = Array.from({ length: 9 }, (_, index) =>
    chunk('zTXt', Buffer.concat([Buffer.from(index % 2 === 0 ? 'Comment\0\0' : 'XML:com.adobe.xmp\0\0'), zeros])),
  );
  // 5,000 entries, each of which claims all bytes of the segment.
  const entry = Buffer.from('013b00010000ea6000000008', 'hex');
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08\x13\x88', 'latin1'),
    ...many(5000, entry),
    Buffer.alloc(4),
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), length, exif, Buffer.from('ffd9', 'hex')]);
  const files = {
    'texts.png': Buffer.concat([png.subarray(0, 33), ...texts, png.subarray(33)]),
    'overlap.jpg': jpeg,
    'good.flac': good,
  };
  const facts = await readElsewhere(files);
  const titles = [undefined, undefined, 'Wave optics'];
  expect(facts.map(({ problem, mediaTags }) => [problem, mediaTags.title])).toEqual(
    titles.map((title) => [null, title]),
  );
}, 600_000);

it('what a parser prints does not reach the output of the program', async () => {
  const program = join(folder, 'prints.mjs');
  await writeFile(
    program,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => {
      console.log('a notice');
      console.warn('a warning');
      parentPort.postMessage({ tags: {}, dates: [] });
    });`,
  );
  const script = `
    const { createTagThread } = await import('${ENGINE}media-tags/tag-thread.ts');
    const { nodeClock } = await import('${ENGINE}ports/system/node-clock.ts');
    const thread = createTagThread(nodeClock, new URL('file://${program}'), 60_000);
    for (let left = 3; left > 0; left -= 1) await thread.parse({ reader: 'sound', type: 'audio/mpeg', bytes: new Uint8Array(1) });
    await thread.stop();
    process.stdout.write('end');
  `;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect({ stdout, stderr }).toEqual({ stdout: 'end', stderr: '' });
});
