import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createThumbnailCache } from '../../../../electron/engine/library/thumbnails/thumbnail-cache.ts';
import { createCacheFolder } from '../../../../electron/engine/ports/system/node-cache-folder.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const DAY_MS = 24 * 3600 * 1000;
const ref = (mediaId: string, version = '1', siteId = 'site') => ({
  siteId,
  subject: 'media' as const,
  id: mediaId,
  version,
});

function open(limitBytes = 1_000_000) {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-thumbnails-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = new ManualClock();
  const start = () => createThumbnailCache({ folder: createCacheFolder(folder), limitBytes, clock });
  const cache = start();
  const put = (mediaId: string, bytes: number, version = '1', siteId = 'site') =>
    cache.put(ref(mediaId, version, siteId), Buffer.alloc(bytes, mediaId), cache.begin(siteId));
  const has = async (mediaId: string, version = '1', from = cache) => (await from.get(ref(mediaId, version))) !== null;
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return { folder, clock, cache, start, put, has, files };
}

describe('the cache of thumbnails', () => {
  it('returns the bytes of the stored version, and of no other', async () => {
    const { cache, put, has, files } = open();
    await put('a', 10);
    expect((await cache.get(ref('a')))?.bytes).toEqual(Buffer.alloc(10, 'a'));
    expect(await has('a', '2')).toBe(false);
    expect(await has('b')).toBe(false);
    await put('a', 12, '2');
    expect(await has('a')).toBe(false);
    expect(await has('a', '2')).toBe(true);
    expect(files()).toHaveLength(1);
  });

  it('finds its files again after a restart, and removes files that an interrupted run left', async () => {
    const { start, put, has, files } = open();
    await put('a', 10);
    const [file = ''] = files();
    writeFileSync(`${file}.1-1.new`, 'half');
    expect(await has('a', '1', start())).toBe(true);
    expect(files()).toEqual([file]);
  });

  it.skipIf(process.platform === 'win32')('lets no other user read a file', async () => {
    const { put, files } = open();
    await put('a', 10);
    const [file = ''] = files();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  });

  it('writes no file outside of its folder, whatever the ids of items and accounts are', async () => {
    const { cache, put, files, folder } = open();
    const names = ['../../../tmp/evil', '/etc/passwd', '..', 'a/b', 'a\0b', 'C:\\x', '', 'x'.repeat(5000), '💩\ud800'];
    for (const name of names) await put(name, 3, name, name);
    expect(files()).toHaveLength(names.length);
    for (const file of files())
      expect(relative(folder, file).split(sep).join('/')).toMatch(/^[0-9a-f]{32}\/[0-9a-f]{32}\.[0-9a-f]{32}$/);
    for (const name of names) expect(await cache.get(ref(name, name, name))).not.toBeNull();
  });

  it('removes the least recently used files above its limit, across a restart', async () => {
    const { cache, clock, start, put, has, files } = open(1000);
    for (const name of ['a', 'b', 'c']) {
      await put(name, 300);
      clock.advance(1000);
    }
    await cache.get(ref('a'));
    clock.advance(1000);
    const later = start();
    await later.put(ref('d'), Buffer.alloc(300, 'd'), later.begin('site'));
    expect(await has('b', '1', later)).toBe(false);
    for (const name of ['a', 'c', 'd']) expect(await has(name, '1', later)).toBe(true);
    expect(files()).toHaveLength(3);
  });

  it('removes an account with all its files, and stores no thumbnail that was requested before the removal', async () => {
    const { cache, put, has, files } = open();
    await put('a', 10);
    await put('z', 10, '1', 'other');
    const ticket = cache.begin('site');
    await cache.removeAccount('site');
    await cache.put(ref('b'), Buffer.alloc(10), ticket);
    expect([await has('a'), await has('b')]).toEqual([false, false]);
    expect(await cache.get(ref('z', '1', 'other'))).not.toBeNull();
    expect(files()).toHaveLength(1);
    // After a new sign-in, the account has a cache again.
    await put('c', 10);
    expect(await has('c')).toBe(true);
  });

  it('keeps no file of an account that is removed during a write', async () => {
    const { cache, put, files } = open();
    for (let round = 0; round < 30; round += 1) {
      const storing = Promise.all([put('a', 10), put('b', 2000), put('c', 5)]);
      for (let turn = 0; turn < round % 7; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([storing, cache.removeAccount('site')]);
      expect(files()).toEqual([]);
    }
  });

  it('keeps only the accounts that still exist', async () => {
    const { cache, put, has, files } = open();
    await put('a', 10);
    await put('b', 10, '1', 'gone');
    await cache.keepAccounts(['site']);
    expect(await has('a')).toBe(true);
    expect(files()).toHaveLength(1);
  });

  it('marks a thumbnail as old after a week, because it can change while its item does not', async () => {
    const { cache, clock, put } = open();
    await put('a', 10);
    clock.advance(6 * DAY_MS);
    expect(await cache.get(ref('a'))).toMatchObject({ isOld: false });
    clock.advance(2 * DAY_MS);
    expect(await cache.get(ref('a'))).toMatchObject({ isOld: true });
    await put('a', 10);
    expect(await cache.get(ref('a'))).toMatchObject({ isOld: false });
  });

  it('returns nothing when its files were deleted', async () => {
    const { folder, put, has } = open();
    await put('a', 10);
    rmSync(folder, { recursive: true });
    expect(await has('a')).toBe(false);
    await put('a', 10);
    expect(await has('a')).toBe(true);
  });
});
