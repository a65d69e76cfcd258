import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../../service/database/database.ts';
import { openDataDir, readAdmin, readOrMakeAdmin } from '../../../../service/site/data-dir.ts';
import { openDiskBlobs } from '../../../../service/storage/disk-blobs.ts';
import { openScratch } from '../../../../service/storage/scratch.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';

let folder: string;
let umaskBefore: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'library-private-'));
  chmodSync(folder, 0o777);
  umaskBefore = process.umask(0);
});
afterEach(() => {
  process.umask(umaskBefore);
  rmSync(folder, { recursive: true, force: true });
});

/** Modes of all files below the folder, as octal digits by path. */
function modes(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), (statSync(path).mode & 0o777).toString(8)]),
  );
}
const open = () => Object.entries(modes()).filter(([, mode]) => mode !== '600');

function openAll(): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o777 : 0o666);
  }
}

describe.skipIf(process.platform === 'win32')('a data directory with access for everyone', () => {
  test('has a database and a write-ahead log that are private to their owner, whatever the umask', async () => {
    const store = await openStore(join(folder, 'library.sqlite'));
    await store.run('CREATE TABLE touched (id INTEGER)');
    expect(Object.keys(modes())).toEqual(expect.arrayContaining(['library.sqlite', 'library.sqlite-wal']));
    expect(open()).toEqual([]);
    store.close();
  });

  test('has stored files that are private to their owner, including those that a tool wrote', async () => {
    const scratch = openScratch(folder);
    const blobs = await openDiskBlobs(folder, scratch);
    const path = scratch.path();
    writeFileSync(path, 'private', { mode: 0o666 });
    await blobs.put(path);
    expect(Object.keys(modes())).toHaveLength(1);
    expect(open()).toEqual([]);
  });

  test('has only private files after the next start when an earlier version left them readable by everyone', async () => {
    openDataDir(folder);
    readOrMakeAdmin(folder);
    const store = await openStore(join(folder, 'library.sqlite'));
    const scratch = openScratch(folder);
    const blobs = await openDiskBlobs(folder, scratch);
    const path = scratch.path();
    writeFileSync(path, 'private');
    const name = await blobs.put(path);
    openAll();
    store.close();
    openAll();
    openDataDir(folder);
    expect(readAdmin(folder)).not.toBe(null);
    (await openStore(join(folder, 'library.sqlite'))).close();
    (await openDiskBlobs(folder, scratch)).purge(new Set([name]));
    expect(Object.keys(modes()).length).toBeGreaterThanOrEqual(4);
    expect(open()).toEqual([]);
  });

  test('has only private files when the service has accepted an upload and made a thumbnail, also after a restart', async () => {
    const service = await startService({ dataDir: folder, seed: 'demo' });
    try {
      const admin = await clientFor(service);
      const item = await admin.createItem('Private');
      await admin.processed(await admin.upload(item, 'a.png', png(), { upload_type: 'image' }));
      await admin.until(`${item}/thumbs`, ({ items }) => items.length > 0);
      expect(open()).toEqual([]);
      await service.kill9();
      openAll();
      await service.restart();
      expect(open()).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
