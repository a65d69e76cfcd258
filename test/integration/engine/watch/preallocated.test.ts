// Recordings whose program reserves the whole file first, with the sizes in its header, and fills it later.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { sleep } from '../../../../electron/engine/ports/clock.ts';
import { box, checkBytes, le32, text, track, u32 } from '../../../helpers/data/container-bytes.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import {
  startStation,
  WITHOUT_EVENTS,
  watchedRows,
  watchFolder,
  whenCounted,
  whenWatched,
} from '../../../helpers/engine/watch-desk.ts';

const it = deskTest();
it.override({ speed: 20 });

const BODY_BYTES = 400_000;
/** How the picture of a Matroska file is coded, in the description of its tracks. */
const CODE = text('\x86\x8fV_MPEG4/ISO/AVC');

/** The beginning of each format that declares the size of a body of `BODY_BYTES`. */
const HEADERS: Readonly<Record<string, Buffer>> = {
  'a.wav': Buffer.concat([
    ...[Buffer.from('RIFF'), le32(BODY_BYTES + 36), Buffer.from('WAVEfmt '), le32(16)],
    ...[Buffer.alloc(16, 1), Buffer.from('data'), le32(BODY_BYTES)],
  ]),
  'a.mp4': Buffer.concat([
    ...[box('ftyp', text('isom\0\0\0\0')), box('moov', track('vide', 'avc1'))],
    ...[u32(BODY_BYTES + 8), text('mdat')],
  ]),
  'a.mkv': Buffer.concat([
    ...[Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x84]), Buffer.alloc(4, 1)],
    ...[Buffer.from([0x18, 0x53, 0x80, 0x67, 0x10]), u32(CODE.length + BODY_BYTES).subarray(1)],
    CODE,
  ]),
  // A frame of 417 bytes with the count of all bytes; the body follows.
  'a.mp3': Buffer.concat([
    ...[Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(32), Buffer.from('Xing'), u32(2)],
    ...[u32(417 + BODY_BYTES), Buffer.alloc(417 - 48, 1)],
  ]),
};

describe('a preallocated recording with the sizes in its header', () => {
  it.for(Object.keys(HEADERS))(
    'is uploaded once and complete, not while its program has it open: %s',
    async (name, { desk, clock }) => {
      await desk.reopen(WITHOUT_EVENTS);
      startStation(desk);
      const header = HEADERS[name] as Buffer;
      const file = openSync(join(desk.dir, name), 'w');
      ftruncateSync(file, header.length + BODY_BYTES);
      writeSync(file, Buffer.concat([header, Buffer.alloc(100_000, 0x55)]), 0, header.length + 100_000, 0);
      await watchFolder(desk, desk.dir, undefined, 10_000);
      await whenCounted(desk, 'settling', 1);
      // A pause of the program that is longer than any quiet time.
      await sleep(clock, 30_000);
      expect(await watchedRows(desk, 'settling')).toMatchObject([{ path: name, uploadId: null }]);
      writeSync(file, Buffer.alloc(BODY_BYTES, 0x55), 0, BODY_BYTES, header.length);
      closeSync(file);
      await whenWatched(desk, ([folder]) => (folder?.counts.done ?? 0) + (folder?.counts.queued ?? 0) === 1);
      expect(await watchedRows(desk, 'recent')).toMatchObject([{ path: name }]);
    },
  );

  it.for(['a.mp4', 'a.mkv', 'a.mp3'])('is not complete where zero bytes can’t be its contents: %s', async (name) => {
    const header = HEADERS[name] as Buffer;
    const written = Buffer.concat([header, Buffer.alloc(BODY_BYTES / 2, 0x55), Buffer.alloc(BODY_BYTES / 2)]);
    expect((await checkBytes(name, written)).answer).toBe('not-closed');
    expect((await checkBytes(name, Buffer.concat([header, Buffer.alloc(BODY_BYTES, 0x55)]))).answer).toBe('complete');
  });

  it('is uploaded with its silence five minutes later when nothing shows whether it is open', async ({
    desk,
    clock,
  }) => {
    await desk.reopen({ ...WITHOUT_EVENTS, openFiles: { isOpenForWriting: async () => null } });
    startStation(desk);
    const header = HEADERS['a.wav'] as Buffer;
    const file = openSync(join(desk.dir, 'a.wav'), 'w');
    writeSync(file, Buffer.concat([header, Buffer.alloc(BODY_BYTES / 2, 0x55), Buffer.alloc(BODY_BYTES / 2)]));
    closeSync(file);
    await watchFolder(desk, desk.dir, undefined, 10_000);
    await whenCounted(desk, 'settling', 1);
    await sleep(clock, 40_000);
    expect(await watchedRows(desk, 'settling')).toMatchObject([{ reason: { code: 'watch.unfinished' } }]);
    await whenWatched(desk, ([folder]) => folder?.counts.settling === 0);
    expect(await watchedRows(desk, 'recent')).toMatchObject([{ path: 'a.wav' }]);
  }, 600_000);
});
