import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FolderEvents } from '../../../../../electron/engine/ports/folder-events.ts';
import { silentLogger } from '../../../../../electron/engine/ports/logger.ts';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { FolderWatch } from '../../../../../electron/engine/watch/detection/folder-watch.ts';
import { FolderStore } from '../../../../../electron/engine/watch/rows/folder-store.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { folderRecord } from '../../../../helpers/data/watched-folders.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

const FOLDER = folderRecord();

let database: Database;
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.close());

it('a stopped watch has no subscription, also when a sweep that ends later requests one', async () => {
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
    folders,
    events,
    clock: new ManualClock(),
    logger: silentLogger,
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
