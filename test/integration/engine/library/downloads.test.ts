// Downloads of files: the real service, the real disk, connections that end, a disk that fills.

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Download } from '../../../../shared/contract/downloads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clearJournal, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { mayMount, mountSmallDisk } from '../../../helpers/system/small-disk.ts';

const it = deskTest();

it.override({ speed: 20 });

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Creates an item with one file without this computer's queue: its SHA-256 is unknown. */
async function foreignItem(desk: Desk, name: string, contents: Buffer): Promise<string> {
  const direct = await clientFor(desk.service);
  const item = await direct.createItem(name, { collection_id: desk.collectionId });
  await direct.processed(await direct.upload(item, name, contents));
  return item.split('/').at(-1) ?? '';
}

const rowsOf = (desk: Desk) => desk.engine.call('downloads.list', null);

function start(desk: Desk, mediaId: string, folder: string) {
  return desk.engine.call('downloads.start', { siteId: desk.siteId, files: [{ mediaId, fileId: null }], folder });
}

/** Resolves when a download satisfies the condition. */
async function whenDownload(desk: Desk, ready: (download: Download) => boolean): Promise<Download> {
  const find = async () => (await rowsOf(desk)).find(ready);
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  const found = await find();
  if (found === undefined) throw new Error('The download changed again.');
  return found;
}

const isEnded = ({ state }: Download) => state === 'complete' || state === 'failed';
const namesIn = (folder: string) => readdirSync(folder).sort();

/** Makes the file server lose all data after the first `bytes` of its next `times` answers; null means of all answers. */
const cutAfter = (desk: Desk, bytes: number, times: number | null) =>
  desk.service.control('POST', '/faults', { path: '^/cdn/', times, action: { kind: 'truncate', afterBytes: bytes } });

describe('a download', () => {
  it('saves the file under its name, and never replaces another file', async ({ desk }) => {
    const contents = randomBytes(300_000);
    const mediaId = await foreignItem(desk, 'talk.bin', contents);
    const folder = join(desk.dir);
    writeFileSync(join(folder, 'talk.bin'), 'mine');
    await start(desk, mediaId, folder);
    const done = await whenDownload(desk, isEnded);
    expect(done).toMatchObject({ state: 'complete', path: join(folder, 'talk (2).bin'), doneBytes: 300_000 });
    expect(sha256(readFileSync(join(folder, 'talk (2).bin')))).toBe(sha256(contents));
    expect(readFileSync(join(folder, 'talk.bin'), 'utf8')).toBe('mine');
    expect(namesIn(folder)).toEqual(['talk (2).bin', 'talk.bin']);
    expect(statSync(join(folder, 'talk (2).bin')).mode & 0o077).toBe(0);
  });

  it('is compared with the SHA-256 of the upload, and deleted when it differs', async ({ desk, service }) => {
    desk.put('sent.bin', randomBytes(100_000));
    await desk.add();
    await desk.run();
    const { mediaId } = await desk.row('sent.bin');
    const folder = join(desk.dir);
    await start(desk, mediaId ?? '', folder);
    expect(await whenDownload(desk, isEnded)).toMatchObject({ state: 'complete', isVerified: true });
    await desk.engine.call('downloads.clear', null);
    await service.control('POST', '/faults', { path: '^/cdn/', times: 1, action: { kind: 'garble' } });
    await start(desk, mediaId ?? '', folder);
    expect(await whenDownload(desk, isEnded)).toMatchObject({ state: 'failed', error: { code: 'download.damaged' } });
    expect(namesIn(folder)).toEqual(['sent (2).bin', 'sent.bin']);
  });

  it('continues at the last byte after a failure and a restart', async ({ desk, service }) => {
    const contents = randomBytes(2_000_000);
    const mediaId = await foreignItem(desk, 'long.bin', contents);
    await cutAfter(desk, 500_000, 1);
    await service.control('POST', '/faults', {
      path: '^/cdn/',
      nth: 1,
      times: null,
      action: { kind: 'status', status: 503 },
    });
    await start(desk, mediaId, desk.dir);
    expect(await whenDownload(desk, isEnded)).toMatchObject({
      state: 'failed',
      error: { code: 'content.unavailable' },
    });
    expect(existsSync(join(desk.dir, 'long.bin'))).toBe(false);
    const [part = ''] = namesIn(desk.dir);
    expect(part).toMatch(/^\.[0-9a-f]{24}\.mediadesk-part$/);
    const kept = statSync(join(desk.dir, part)).size;
    expect(kept).toBeGreaterThan(100_000);
    await service.control('DELETE', '/faults');
    await desk.reopen();
    await clearJournal(service);
    await start(desk, mediaId, desk.dir);
    expect(await whenDownload(desk, isEnded)).toMatchObject({ state: 'complete', doneBytes: 2_000_000 });
    expect(sha256(readFileSync(join(desk.dir, 'long.bin')))).toBe(sha256(contents));
    expect((await requestsOf(service, 'GET', /^\/cdn\//)).map(({ status }) => status)).toContain(206);
    expect(namesIn(desk.dir)).toEqual(['long.bin']);
  });

  // A pipe without a reader would never open; a second name of a file would be overwritten with it.
  it.for(['link', 'second name', 'pipe'] as const)(
    'writes to no %s that got the name of its temporary file',
    async (kind, { desk, service }) => {
      const contents = randomBytes(1_000_000);
      const mediaId = await foreignItem(desk, 'guarded.bin', contents);
      const folder = join(desk.dir, 'shared');
      mkdirSync(folder);
      await cutAfter(desk, 500_000, 1);
      await service.control('POST', '/faults', {
        path: '^/cdn/',
        nth: 1,
        times: null,
        action: { kind: 'status', status: 503 },
      });
      await start(desk, mediaId, folder);
      await whenDownload(desk, isEnded);
      const [name = ''] = namesIn(folder);
      expect(name).toMatch(/mediadesk-part$/);
      const victim = join(desk.dir, 'victim.txt');
      writeFileSync(victim, 'mine');
      const planted = join(folder, name);
      rmSync(planted);
      if (kind === 'link') symlinkSync(victim, planted);
      if (kind === 'second name') linkSync(victim, planted);
      if (kind === 'pipe') execFileSync('mkfifo', [planted]);
      await service.control('DELETE', '/faults');
      await desk.reopen();
      await start(desk, mediaId, folder);
      expect(await whenDownload(desk, isEnded)).toMatchObject({ state: 'complete' });
      expect(sha256(readFileSync(join(folder, 'guarded.bin')))).toBe(sha256(contents));
      expect(readFileSync(victim, 'utf8')).toBe('mine');
      expect(namesIn(folder)).toEqual([name, 'guarded.bin'].sort());
    },
  );

  it('of one file to one folder at the same time use two temporary files', async ({ desk }) => {
    const contents = randomBytes(400_000);
    const mediaId = await foreignItem(desk, 'twice.bin', contents);
    const folder = join(desk.dir, 'twice');
    mkdirSync(folder);
    await Promise.all([start(desk, mediaId, folder), start(desk, mediaId, folder)]);
    await expect.poll(async () => (await rowsOf(desk)).every(isEnded), { timeout: 60_000 }).toBe(true);
    expect(namesIn(folder)).toEqual(['twice (2).bin', 'twice.bin']);
    for (const saved of namesIn(folder)) expect(sha256(readFileSync(join(folder, saved)))).toBe(sha256(contents));
  });

  it('can be paused, resumed and cancelled, and leaves no file when it is cancelled', async ({ desk, service }) => {
    const mediaId = await foreignItem(desk, 'big.bin', randomBytes(2_000_000));
    await service.control('POST', '/faults', { path: '^/cdn/', times: null, action: { kind: 'delay', ms: 60_000 } });
    const { downloads } = await start(desk, mediaId, desk.dir);
    const ids = downloads.map(({ id }) => id);
    await whenDownload(desk, ({ state }) => state === 'running');
    expect(await desk.engine.call('downloads.pause', { ids })).toEqual({ changed: 1 });
    expect(await rowsOf(desk)).toMatchObject([{ state: 'paused' }]);
    await service.control('DELETE', '/faults');
    await desk.engine.call('downloads.resume', { ids });
    await whenDownload(desk, isEnded);
    expect(namesIn(desk.dir)).toEqual(['big.bin']);
    await cutAfter(desk, 500_000, 1);
    await service.control('POST', '/faults', { path: '^/cdn/', times: null, action: { kind: 'delay', ms: 60_000 } });
    const again = (await start(desk, mediaId, desk.dir)).downloads.map(({ id }) => id);
    await expect.poll(() => namesIn(desk.dir).length, { timeout: 60_000 }).toBe(2);
    expect(await desk.engine.call('downloads.cancel', { ids: again })).toEqual({ changed: 1 });
    expect(namesIn(desk.dir)).toEqual(['big.bin']);
  });

  it('of an item without a stored file is refused, and one to a missing folder fails', async ({ desk }) => {
    const direct = await clientFor(desk.service);
    const item = await direct.createItem('Empty', { collection_id: desk.collectionId });
    const mediaId = item.split('/').at(-1) ?? '';
    await expect(start(desk, mediaId, desk.dir)).rejects.toMatchObject({ code: 'download.no-file' });
    const full = await foreignItem(desk, 'a.bin', randomBytes(10));
    await start(desk, full, join(desk.dir, 'missing'));
    expect(await whenDownload(desk, isEnded)).toMatchObject({ error: { code: 'download.not-saved' } });
  });

  it.skipIf(!mayMount())(
    'fails with `download.no-space` when the disk is full, and continues when the user resumes it',
    async ({ desk }) => {
      const contents = randomBytes(3_000_000);
      const mediaId = await foreignItem(desk, 'wide.bin', contents);
      const disk = mountSmallDisk(4);
      try {
        const filler = join(disk.path, 'filler');
        writeFileSync(filler, Buffer.alloc(2_500_000));
        const { downloads } = await start(desk, mediaId, disk.path);
        expect(await whenDownload(desk, isEnded)).toMatchObject({
          state: 'failed',
          error: { code: 'download.no-space' },
        });
        expect(existsSync(join(disk.path, 'wide.bin'))).toBe(false);
        writeFileSync(filler, '');
        await desk.engine.call('downloads.resume', { ids: downloads.map(({ id }) => id) });
        expect(await whenDownload(desk, ({ state }) => state === 'complete')).toBeDefined();
        expect(sha256(readFileSync(join(disk.path, 'wide.bin')))).toBe(sha256(contents));
        expect(namesIn(disk.path)).toEqual(['filler', 'wide.bin']);
      } finally {
        disk.remove();
      }
    },
  );
});
