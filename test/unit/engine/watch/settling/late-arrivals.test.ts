import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../../electron/engine/ports/logger.ts';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { FollowUpRows } from '../../../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { UploadJournal } from '../../../../../electron/engine/uploads/journal/upload-journal.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import type { FolderManifests, RowOfFile } from '../../../../../electron/engine/watch/intake/folder-manifests.ts';
import type { WatchedFileStore } from '../../../../../electron/engine/watch/rows/file-store.ts';
import type { FolderRecord } from '../../../../../electron/engine/watch/rows/folder-store.ts';
import type { WatchedFile } from '../../../../../electron/engine/watch/rows/watched-file.ts';
import { applyLateRows } from '../../../../../electron/engine/watch/settling/late-arrivals.ts';
import { watchRulesSchema } from '../../../../../shared/contract/watch-rules.ts';
import type { Upload } from '../../../../../shared/model/uploads/upload.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { aBatch, anUpload } from '../../../../helpers/data/upload-rows.ts';
import { folderRecord, newWatchedFile } from '../../../../helpers/data/watched-folders.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

const RULES = watchRulesSchema.parse({
  defaults: {
    settings: {
      siteId: 's1',
      collection: { kind: 'fixed', collection: { kind: 'id', id: 'c1', name: 'One' } },
      titleTemplate: '{tag.title}',
      manifest: true,
    },
  },
});
const FOLDER: FolderRecord = { ...folderRecord(RULES), root: '/in' };
const ROW: WatchedFile = {
  seq: 1,
  ...newWatchedFile({ path: 'lecture.mp4', sizeBytes: 1000, number: 1, state: 'queued', uploadId: 'u1', handledAt: 1 }),
  outcome: {
    kind: 'upload',
    ruleId: 'defaults',
    clause: { kind: 'taken' },
    passed: [],
    title: 'From its tags',
  } as never,
};
const GIVEN: RowOfFile = { fields: { title: 'From the row', byline: 'Ada' }, publish: null, collection: null };

let database: Database;
let store: UploadStore;
let journal: UploadJournal;
const events: Upload[] = [];

beforeEach(async () => {
  database = await emptyDatabase();
  store = new UploadStore(database);
  journal = new UploadJournal(store, silentLogger, new FollowUpRows(database));
  new BatchStore(database).add(aBatch());
  store.insert([anUpload({ title: 'From its tags' })], () => 0);
  events.length = 0;
  journal.onDidChange.on(({ after }) => events.push(after));
});
afterEach(() => database.close());

/** Applies a manifest row about the upload; `meanwhile` runs before it is read. Returns the ms until the next try, or null. */
function apply(row: RowOfFile, meanwhile: () => void = () => {}): Promise<number | null> {
  return applyLateRows(
    FOLDER,
    { ...ROW, seq: 2, path: 'manifest.csv', uploadId: null },
    {
      journal,
      clock: new ManualClock(),
      logger: silentLogger,
      uploadOf: (id) => store.get(id),
      describe: async () => ({ results: new Map(), groupId: null }),
      rows: { queuedBelow: () => [ROW], ofUpload: () => [] } as Partial<WatchedFileStore> as WatchedFileStore,
      manifests: {
        async rowOf() {
          await Promise.resolve();
          meanwhile();
          return { kind: 'row', row };
        },
      } as Partial<FolderManifests> as FolderManifests,
      mediaFacts: async (path) => ({ path, changed: null, recorded: null, mediaTags: {}, problem: 'unreadable' }),
    },
  );
}

it('late values are not applied, and tried again after 30 s, when a creation begins while they are read', async () => {
  const againMs = await apply(GIVEN, () => journal.record('u1', { kind: 'item-intended', at: 5 }));
  expect(store.get('u1')).toMatchObject({ itemIntentAt: 5, title: 'From its tags', byline: '' });
  // The library may have created the item already, so the values of the upload must not change now.
  expect(againMs).toBe(30_000);
});

it('a title from tags is replaced by that of a late row, also when the file can no longer be read', async () => {
  expect(await apply(GIVEN)).toBeNull();
  expect(store.get('u1')?.title).toBe('From the row');
});

it('a late collection is not applied to a paused upload, and is tried again after ten minutes', async () => {
  journal.record('u1', { kind: 'paused' });
  events.length = 0;
  const collection = { kind: 'ref', ref: 'Another' } as const;
  expect(await apply({ ...GIVEN, fields: {}, collection })).toBe(600_000);
  expect(events).toEqual([]);
});
