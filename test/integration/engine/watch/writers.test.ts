// Many programs that write recordings at the same time, each in its own way: no recording is uploaded too early, none is missed,
// none is uploaded twice.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sleep } from '../../../../electron/engine/ports/clock.ts';
import { Prng } from '../../../helpers/data/prng.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { startStation, WITHOUT_EVENTS, watchFolder, whenWatched } from '../../../helpers/engine/watch-desk.ts';
import type { FastClock } from '../../../helpers/time/fast-clock.ts';

const it = deskTest();

const WRITERS = 60;

interface Writer {
  prng: Prng;
  clock: FastClock;
  folder: string;
  name: string;
  contents: Buffer;
}

/** Writes the parts with breaks between them; breaks are shorter than the shortest quiet time. */
async function inParts(
  { prng, clock, contents }: Writer,
  write: (part: Buffer, position: number) => void,
): Promise<void> {
  for (let at = 0; at < contents.length; ) {
    const part = contents.subarray(at, at + prng.int(1, contents.length));
    write(part, at);
    at += part.length;
    if (at < contents.length) await sleep(clock, prng.int(100, 8000));
  }
}

const WAYS: Record<string, (writer: Writer) => Promise<string>> = {
  async slow(writer) {
    const path = join(writer.folder, writer.name);
    writeFileSync(path, '');
    await inParts(writer, (part) => appendFileSync(path, part));
    return writer.name;
  },
  async preallocated(writer) {
    const path = join(writer.folder, writer.name);
    const file = openSync(path, 'w');
    ftruncateSync(file, writer.contents.length);
    await inParts(writer, (part, position) => writeSync(file, part, 0, part.length, position));
    closeSync(file);
    return writer.name;
  },
  async 'temporary name'(writer) {
    const part = join(writer.folder, `${writer.name}.part`);
    writeFileSync(part, '');
    await inParts(writer, (some) => appendFileSync(part, some));
    renameSync(part, join(writer.folder, writer.name));
    return writer.name;
  },
  async 'copy with an old time'(writer) {
    const path = join(writer.folder, writer.name);
    writeFileSync(path, '');
    await inParts(writer, (part) => appendFileSync(path, part));
    utimesSync(path, 1_500_000_000, 1_500_000_000);
    return writer.name;
  },
  async 'unpacked folder'(writer) {
    const folder = join(writer.folder, `_UNPACK_${writer.name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, writer.name), '');
    await inParts(writer, (part) => appendFileSync(join(folder, writer.name), part));
    renameSync(folder, join(writer.folder, `of ${writer.name}`));
    return `of ${writer.name}/${writer.name}`;
  },
  async 'clock an hour ahead'(writer) {
    const path = join(writer.folder, writer.name);
    await inParts(writer, (part) => {
      appendFileSync(path, part);
      const ahead = Date.now() / 1000 + 3600;
      utimesSync(path, ahead, ahead);
    });
    return writer.name;
  },
};

it.override({ speed: 10 });

for (const events of ['with events', 'without events'] as const) {
  it(`a station uploads the complete files of ${WRITERS} simultaneous writers once each, ${events}`, async ({
    desk,
    clock,
  }) => {
    if (events === 'without events') await desk.reopen(WITHOUT_EVENTS);
    startStation(desk);
    await watchFolder(desk, desk.dir, undefined, events === 'without events' ? 10_000 : null);
    await whenWatched(desk, ([folder]) => folder?.lastSweepAt !== null);
    const seed = new Prng(events === 'with events' ? 1 : 2);
    const ways = Object.entries(WAYS);
    const expected = new Map<string, string>();
    const writers = Array.from({ length: WRITERS }, async (_, number) => {
      const prng = new Prng(seed.int(1, 1e9));
      const [name, way] = ways[number % ways.length] as (typeof ways)[number];
      const contents = Buffer.from(`${name} ${number} ${'x'.repeat(prng.int(1, 5000))}`);
      await sleep(clock, prng.int(0, 20_000));
      const path = await way({ prng, clock, folder: desk.dir, name: `${name} ${number}.bin`, contents });
      expected.set(join(desk.dir, path), createHash('sha256').update(contents).digest('hex'));
    });
    await Promise.all(writers);
    await whenWatched(desk, ([folder]) => folder?.counts.done === WRITERS && folder.counts.settling === 0);
    const rows = await desk.rows();
    expect(rows.filter(({ state }) => state !== 'complete')).toEqual([]);
    expect(new Map(rows.map(({ path, sha256 }) => [path, sha256]))).toEqual(expected);
    expect(rows).toHaveLength(WRITERS);
  }, 600_000);
}
