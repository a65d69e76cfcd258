import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import { openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { missingRowsNotices } from './missing-rows.ts';
import { type QueueStore, queueFileOf, setAsideNotices } from './open-queue-store.ts';
import { StoreHealth } from './store-health.ts';

/**
 * Copies the queue of a profile that another process uses, and opens the copy. The profile is only read: every write of this
 * process goes to the copy, which is private and removed at the end. Throws `profile.newer`, and errors of SQLite.
 */
export async function copyQueueStore(profileDir: string, clock: Clock): Promise<QueueStore> {
  const path = queueFileOf(profileDir);
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-copy-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'queue.db');
    const live = await openDatabase(path, { readOnly: true });
    try {
      const version = Number(live.prepare('PRAGMA user_version').get()?.user_version ?? 0);
      if (version !== MIGRATIONS.length) {
        throw appError('profile.newer', { details: { version, known: MIGRATIONS.length } });
      }
      live.prepare('VACUUM INTO $copy').all({ copy });
    } finally {
      live.close();
    }
    const database = await openDatabase(copy);
    const health = new StoreHealth(clock);
    return {
      database,
      health,
      notices: [...setAsideNotices(path), ...missingRowsNotices(database, clock.now())],
      close() {
        database.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
