// Problems of the local files, each with its guaranteed result. The list is in docs/testing-failures.md.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { Desk } from '../../../helpers/engine/desk.ts';
import { allRows } from '../../../helpers/engine/engine-host.ts';
import { asNobody } from '../../../helpers/system/nobody.ts';
import { FILE_BYTES } from '../wire/wire-cases.ts';
import { openWireWorld, type WireWorld } from '../wire/wire-world.ts';

const MIB = 1024 * 1024;
const UPLOAD = { method: 'POST', path: /^\/upload\// };

let world: WireWorld;
let folder: string;
let count = 0;
beforeAll(async () => {
  world = await openWireWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.proxy.reset();
  count += 1;
  folder = join(dirname(world.put('any.bin', 1)), `case-${count}`);
  mkdirSync(folder);
});

async function add(paths: string[]) {
  const { engine, siteId } = world;
  const [top] = await engine.call('library.collections', { siteId, parentId: null });
  const defaults = batchDefaultsSchema.parse({});
  return engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths, defaults });
}

const whenSending = async () => {
  while (!world.proxy.seen.some(({ path }) => path.startsWith('/upload/'))) await new Promise(setImmediate);
};

describe('a file that changes while it is sent', () => {
  it.each([
    ['truncated', (path: string) => execFileSync('truncate', ['-s', '1000', path])],
    ['overwritten with the same size', (path: string) => writeFileSync(path, Buffer.alloc(FILE_BYTES, 'other '))],
    ['grown', (path: string) => appendFileSync(path, 'more')],
  ])('fault 19: the attempt is discarded (%s), and the final contents are stored once', async (_, change) => {
    // The destination pauses long enough for the change to happen in the middle of the transfer.
    world.proxy.break({ ...UPLOAD, break: { kind: 'stall', at: (all) => all / 2 } });
    const path = world.put(`Changing ${count}.bin`, FILE_BYTES);
    const uploading = world.upload(path);
    await whenSending();
    change(path);
    const { row } = await uploading;
    expect(row.state).toBe('complete');
    const stored = await world.service.control<{ sha256: string; size: number }>('GET', `/files/${row.fileId}/sha256`);
    const now = execFileSync('sha256sum', [path], { encoding: 'utf8' }).split(' ')[0];
    expect({ stored: stored.sha256, sent: row.sha256 }).toEqual({ stored: now, sent: now });
    expect(await world.inLibrary(row.title)).toEqual({ items: 1, files: 1 });
  });

  it('fault 19: a deleted file fails as missing, and its upload continues when it is back', async () => {
    world.proxy.break({ ...UPLOAD, break: { kind: 'cut', at: (all) => all / 2, how: 'reset' } });
    const path = world.put(`Deleted ${count}.bin`, FILE_BYTES);
    const uploading = world.upload(path);
    await whenSending();
    rmSync(path);
    const { row, errors } = await uploading;
    expect(row.state).toBe('failed');
    expect(errors.at(-1)?.code).toBe('file.missing');
    world.put(`Deleted ${count}.bin`, FILE_BYTES);
    await world.engine.call('uploads.retry', { kind: 'ids', ids: [row.id] });
    await world.engine.whenUploadsIdle();
    const again = (await allRows(world.engine)).find(({ id }) => id === row.id);
    await world.expectThereOnce({ row: again as typeof row, errors: [] });
  });
});

describe('the size of a file', () => {
  it('fault 20: zero bytes are skipped, one byte is uploaded, and a hundred gigabytes are refused with little memory', async () => {
    const empty = join(folder, 'empty.bin');
    writeFileSync(empty, '');
    expect((await add([empty])).skipped.map(({ error }) => error.code)).toEqual(['file.empty']);
    await world.expectThereOnce(await world.upload(world.put(`One byte ${count}.bin`, 1)));
    await world.service.control('PATCH', '/settings', { max_upload_bytes: 1_000_000 });
    const before = process.memoryUsage().rss;
    for (const [name, sizeBytes] of [
      ['five and one', 5 * 1024 ** 3 + 1],
      ['a hundred', 100 * 1024 ** 3],
    ] as const) {
      const { row, errors } = await world.upload(world.putSparse(`${name} ${count}.bin`, sizeBytes));
      expect(row.state).toBe('failed');
      expect(errors).toHaveLength(1);
      expect(errors[0]?.details?.status).toBeGreaterThanOrEqual(400);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB);
    await world.service.control('PATCH', '/settings', { max_upload_bytes: 1024 ** 4 });
  });

  it('fault 20: a large file is sent with memory for a small part of it', async () => {
    // Without the proxy, because it works in this process, too.
    await using desk = await Desk.open(world.service);
    const sizeBytes = 128 * MIB;
    desk.put('large.bin', sizeBytes);
    await desk.add();
    const usedBytes = () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = usedBytes();
    let mostBytes = 0;
    const measuring = setInterval(() => {
      mostBytes = Math.max(mostBytes, usedBytes());
    }, 5);
    await desk.run();
    clearInterval(measuring);
    expect(await desk.row('large.bin')).toMatchObject({ state: 'complete', sizeBytes });
    expect(mostBytes - before).toBeLessThan(sizeBytes / 4);
  });
});

describe('the name of a file', () => {
  const names = [
    'emoji 🎙️👩‍🏫.bin',
    'quote " and \\ back.bin',
    'line\r\nbreak.bin',
    '-leading dash.bin',
    '‮right to left.bin',
    'trailing dot..bin.',
    'CON.bin',
    '%2e%2e%2f.bin',
    `${'n'.repeat(251)}.bin`,
    'semi;colon, name="x".bin',
  ];
  it.each(names)('fault 21: %j is safe in headers and arrives unchanged', async (name) => {
    const journey = await world.upload(world.put(name, 1000 + count));
    await world.expectThereOnce(journey);
    const { received_name } = await world.service.control<{ received_name: string }>(
      'GET',
      `/files/${journey.row.fileId}/sha256`,
    );
    expect(received_name).toBe(name);
  });
});

describe('a path that can’t be read', () => {
  it('fault 22: broken links, link loops, pipes and devices are skipped with a reason, without hanging', async () => {
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.mp4'));
    symlinkSync(join(folder, 'loop.mp4'), join(folder, 'loop.mp4'));
    execFileSync('mkfifo', [join(folder, 'pipe.mp4')]);
    symlinkSync('/dev/zero', join(folder, 'device.mp4'));
    const { added, skipped } = await add([folder]);
    expect(added).toBe(0);
    expect(skipped).toHaveLength(4);
    const codes = Object.fromEntries(skipped.map(({ path, error }) => [path.split('/').at(-1), error.code]));
    expect(codes).toMatchObject({
      'dangling.mp4': 'file.is-link',
      'pipe.mp4': 'file.not-regular',
      'device.mp4': 'file.is-link',
    });
  });

  it('fault 22: a file without read permission fails as unreadable', async () => {
    const path = world.put(`Locked ${count}.bin`, 1000);
    // Every user can open the folder, so that only the file itself is unreadable.
    chmodSync(dirname(path), 0o755);
    chmodSync(path, 0);
    const { row, errors } = await asNobody(() => world.upload(path));
    expect({ state: row.state, code: errors.at(-1)?.code }).toEqual({ state: 'failed', code: 'file.unreadable' });
  });
});

it('fault 24: each of two thousand files that are added together is found exactly once', async () => {
  for (let index = 0; index < 2_000; index += 1) writeFileSync(join(folder, `${index}.bin`), `${index}`);
  await world.engine.call('uploads.pause', { kind: 'all' });
  const { batchId, added } = await add([folder]);
  expect(added).toBe(2_000);
  const { totals } = await world.engine.call('uploads.receipt', { batchId });
  expect(totals).toMatchObject({ added: 2_000, pending: 2_000 });
  rmSync(folder, { recursive: true });
});
