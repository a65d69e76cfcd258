import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FolderEvents } from '../../../../../electron/engine/ports/folder-events.ts';
import { silentLogger } from '../../../../../electron/engine/ports/logger.ts';
import { type Database, openDatabase } from '../../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../../electron/engine/store/migrations.ts';
import { FolderWatch } from '../../../../../electron/engine/watch/detection/folder-watch.ts';
import { type FolderRecord, FolderStore } from '../../../../../electron/engine/watch/rows/folder-store.ts';
import { plainRules } from '../../../../helpers/data/watched-folders.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

const FOLDER: FolderRecord = {
  ...{ id: 'f1', root: '/recordings', volume: 'v', volumeName: 'V', place: '', rootId: '1', rules: plainRules() },
  ...{ isPaused: false, sweepEveryMs: null, sweepOnly: null, misses: 0, baseline: 'done', lastSweepAt: null },
  ...{ numbered: 0, addedAt: 1 },
};

let database: Database;
beforeEach(async () => {
  database = await openDatabase(':memory:');
  for (const step of MIGRATIONS) database.exec(step);
});
afterEach(() => database.close());

it('has no subscription after the stop, although a sweep that ends then asks for one', async () => {
  let open = 0;
  const events: FolderEvents = {
    subscribe() {
      open += 1;
      return async () => {
        open -= 1;
      };
    },
  };
  const folders = new FolderStore(database);
  folders.add(FOLDER);
  const watch = new FolderWatch({
    ...{ folders, events, clock: new ManualClock(), logger: silentLogger },
    onWork: () => {},
    onDidChange: () => {},
  });
  watch.runtime('f1').root = 'there';
  watch.subscribe(FOLDER);
  expect(open).toBe(1);
  const stopped = watch.stop();
  watch.subscribe(FOLDER);
  await stopped;
  expect(open).toBe(0);
});
