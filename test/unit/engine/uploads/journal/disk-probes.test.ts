import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../../../../../electron/engine/ports/files.ts';
import { silentLogger } from '../../../../../electron/engine/ports/logger.ts';
import { createNodeVolumes } from '../../../../../electron/engine/ports/system/node-volumes.ts';
import { Scheduler } from '../../../../../electron/engine/scheduler/scheduler.ts';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { FollowUpRows } from '../../../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { UploadJournal } from '../../../../../electron/engine/uploads/journal/upload-journal.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import { DiskProbes } from '../../../../../electron/engine/uploads/local-files/disk-probes.ts';
import { type AppError, appError } from '../../../../../shared/contract/app-error.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { aBatch, anUpload } from '../../../../helpers/data/upload-rows.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

const ROWS = 500;

let database: Database;
let clock: ManualClock;
let store: UploadStore;
let journal: UploadJournal;
let watch: DiskProbes;
let scheduler: Scheduler;
let asked: string[];
/** The error of the disk; null: it answers. */
let trouble: AppError | null;

beforeEach(async () => {
  database = await emptyDatabase();
  clock = new ManualClock();
  store = new UploadStore(database);
  journal = new UploadJournal(store, silentLogger, new FollowUpRows(database));
  asked = [];
  trouble = appError('file.disk-hangs');
  const files = {
    facts: async (path: string) => {
      asked.push(path);
      if (trouble !== null) throw trouble;
      return { kind: 'file', sizeBytes: 1, mtimeMs: 1, identity: '7:1' };
    },
  } as Partial<Files> as Files;
  scheduler = new Scheduler({ clock, logger: silentLogger });
  const volumes = createNodeVolumes(process.platform);
  const tools = { store, journal, files, volumes, clock, logger: silentLogger, onReturn: () => {} };
  watch = scheduler.add((lane) => new DiskProbes(tools, lane));
  scheduler.start();
  new BatchStore(database).add(aBatch());
  const uploads = Array.from({ length: ROWS }, (_, index) =>
    anUpload({ id: `u${index}`, batchId: 'b1', path: `/share/${index}.mp4`, identity: `7:${index}` }),
  );
  journal.add(uploads, (_, index) => index);
  for (const { id } of uploads) {
    const error = appError('file.disk-hangs').toData();
    journal.record(id, { kind: 'delayed', error, until: clock.now() + 600_000, failed: null });
  }
});
afterEach(async () => {
  watch.dispose();
  await scheduler.stop();
  database.close();
});

async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 100) {
    clock.advance(100);
    await new Promise(setImmediate);
  }
}

describe('a share that does not answer', () => {
  it('is probed for all waiting files together, which are queued again when it answers', async () => {
    await pass(60_000);
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.length).toBeLessThan(12);
    trouble = null;
    await pass(12_000);
    expect(journal.counts.waiting).toBe(0);
    expect(journal.counts.queued).toBe(ROWS);
  });

  it('counts as available when it reports that a file is missing', async () => {
    trouble = appError('file.missing');
    await pass(3000);
    expect(journal.counts.waiting).toBe(0);
  });
});
