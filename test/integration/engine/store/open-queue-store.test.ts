import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { openDatabase } from '../../../../electron/engine/store/database.ts';
import { openQueueStore } from '../../../../electron/engine/store/open-queue-store.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-store-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const OWNER = `
  import { openQueueStore } from '${new URL('../../../../electron/engine/store/open-queue-store.ts', import.meta.url)}';
  import { nodeClock } from '${new URL('../../../../electron/engine/ports/system/node-clock.ts', import.meta.url)}';
  await openQueueStore(process.argv[1], nodeClock);
  console.log('open');
  setInterval(() => {}, 1000);
`;

describe('the profile', () => {
  it('belongs to one process, and is released when that process is killed', async () => {
    const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', OWNER, dir], { stdio: 'pipe' });
    await once(owner.stdout, 'data');
    await expect(openQueueStore(dir, nodeClock)).rejects.toMatchObject({ code: 'profile.in-use' });
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const store = await openQueueStore(dir, nodeClock);
    expect(store.notices).toEqual([]);
    store.close();
  });

  it('keeps an unreadable queue under another name, and reports it', async () => {
    const garbage = 'this is no database, but it may be valuable '.repeat(100);
    writeFileSync(join(dir, 'queue.db'), garbage);
    const store = await openQueueStore(dir, nodeClock);
    expect(store.notices.map(({ code }) => code)).toEqual(['profile.damaged']);
    const kept = readdirSync(dir).filter((name) => name.startsWith('queue.db.damaged-'));
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(dir, kept[0] ?? ''), 'utf8')).toBe(garbage);
    expect(store.notices[0]?.details?.path).toBe(join(dir, kept[0] ?? ''));
    store.close();
  });

  it('refuses a queue of a newer version and does not change it', async () => {
    const path = join(dir, 'queue.db');
    const newer = await openDatabase(path);
    newer.exec('PRAGMA user_version = 999');
    newer.close();
    await expect(openQueueStore(dir, nodeClock)).rejects.toMatchObject({ code: 'profile.newer' });
    expect(existsSync(path)).toBe(true);
    expect(readdirSync(dir).some((name) => name.includes('damaged'))).toBe(false);
  });

  it('uses WAL mode with full synchronization, so that a commit is kept after a power cut', async () => {
    const { database, close } = await openQueueStore(dir, nodeClock);
    expect(database.prepare('PRAGMA journal_mode').get()?.journal_mode).toBe('wal');
    expect(database.prepare('PRAGMA synchronous').get()?.synchronous).toBe(2);
    close();
  });

  it('rolls back a transaction that fails', async () => {
    const { database, close } = await openQueueStore(dir, nodeClock);
    expect(() =>
      database.transaction(() => {
        database.exec("INSERT INTO settings VALUES ('a', 'b')");
        throw new Error('half-way');
      }),
    ).toThrow('half-way');
    expect(database.prepare('SELECT count(*) AS n FROM settings').get()?.n).toBe(0);
    close();
  });
});
