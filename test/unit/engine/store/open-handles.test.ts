import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Failpoints, NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { openDatabase } from '../../../../electron/engine/store/database.ts';
import { openQueueStore } from '../../../../electron/engine/store/open-queue-store.ts';

/** The files below a folder that this process has open. */
const openBelow = (folder: string) =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // The descriptor of the list itself.
      return [];
    }
  });

it.runIf(process.platform === 'linux')('an opening that fails leaves no file of the profile open', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-handles-'));
  try {
    const store = await openQueueStore(dir, nodeClock);
    store.close();
    const queue = await openDatabase(join(dir, 'queue.db'));
    queue.exec(`INSERT INTO batches (id, site_id, collection_id, collection_name, defaults, added_at)
       VALUES ('batch', 'site', '1', 'c', '{}', 1)`);
    queue.close();
    const failpoints: Failpoints = {
      ...NO_FAILPOINTS,
      run(name, effect) {
        if (name.startsWith('store.') && name !== 'store.set-aside') throw new Error('the disk failed');
        return effect();
      },
    };
    const failed = await openQueueStore(dir, nodeClock, { failpoints }).then(
      (opened) => {
        opened.close();
        return false;
      },
      () => true,
    );
    expect([failed, openBelow(dir)]).toEqual([true, []]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
