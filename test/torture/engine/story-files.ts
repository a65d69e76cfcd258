import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../helpers/system/another-disk.ts';
import type { Story } from './failpoint-plans.ts';

/** The initial size of the files that the stories change. */
export const ORIGINAL_BYTES = 40_000;

/** The contents of the queue file in the story `damage`. */
export const DAMAGE = 'this is no database, but it may be valuable '.repeat(200);

/** The name of `travels.bin` of the story `troubles` after its rename. */
export const TRAVELED = 'traveled.bin';
/** The byline of every item of the story `afterwards`, entered while its upload was queued. */
export const BYLINE = 'Ada Lovelace';

/** The files of each story by name (without `.bin`), with their sizes. */
const FILES: Record<Exclude<Story, 'afterwards'>, Record<string, number>> = {
  journey: { small: 10_000, large: 700_000, public: 300_000 },
  damage: { small: 10_000, public: 20_000 },
  troubles: {
    changes: ORIGINAL_BYTES,
    gone: 30_000,
    cancelled: 30_000,
    missing: 30_000,
    paused: 30_000,
    replaced: 30_000,
    travels: 30_000,
    first: 300_000,
    second: 30_000,
    third: 30_000,
    public: 30_000,
  },
  library: {},
  station: { one: 10_000, two: 300_000, three: 30_000 },
};

/** A PNG file with one pixel, as Base64. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Writes the files of a story, or `files` instead. */
export function writeStoryFiles(story: Story, folder: string, files?: Record<string, number>): void {
  if (story === 'afterwards') {
    for (const name of ['moved', 'carried', 'trashed']) writeFileSync(join(folder, `${name}.wav`), sound(20_000));
    writeFileSync(join(folder, 'moved.en.vtt'), 'WEBVTT\n\n00:00.000 --> 00:01.000\nGood morning.\n');
    writeFileSync(join(folder, 'moved.png'), Buffer.from(PICTURE, 'base64'));
    return;
  }
  const sizes = files ?? FILES[story];
  for (const [name, bytes] of Object.entries(sizes)) writeFileSync(join(folder, `${name}.bin`), randomBytes(bytes));
  if (story === 'station') writeFileSync(join(folder, 'spoken.wav'), sound(20_000));
  if (story !== 'troubles') return;
  for (const name of ['again', 'skipped again']) copyFileSync(join(folder, 'first.bin'), join(folder, `${name}.bin`));
}

/** Where the story `afterwards` moves its files, by name. The story itself creates the trash. */
export interface Places {
  moved: string;
  carried: string;
  trashed: string;
}

/** `carried` is moved to another disk if this computer has one that any user can write to. */
export function makePlaces(root: string): Places {
  const places = {
    moved: join(root, 'moved'),
    carried: hasAnotherDisk ? makeFolderOnAnotherDisk('torture') : mkdtempSync(join(tmpdir(), 'mediadesk-torture-')),
    trashed: join(root, 'trashed'),
  };
  mkdirSync(places.moved);
  return places;
}

/** A recording: a header for 8 kHz mono and noise. */
export function sound(bytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, randomBytes(bytes)]);
}
