import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../../electron/engine/ports/logger.ts';
import { failDamagedRows } from '../../../../../electron/engine/store/damaged-rows.ts';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { FollowUpRows } from '../../../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { UploadJournal } from '../../../../../electron/engine/uploads/journal/upload-journal.ts';
import { UploadLists } from '../../../../../electron/engine/uploads/journal/upload-lists.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import type { Upload, UploadEvent } from '../../../../../shared/model/uploads/upload.ts';
import { countFor } from '../../../../../shared/model/uploads/upload-counts.ts';
import { asksAboutDuplicate } from '../../../../../shared/model/uploads/upload-machine.ts';
import {
  FILTER_STATES,
  isEnded,
  UPLOAD_STATES,
  type UploadState,
} from '../../../../../shared/model/uploads/upload-states.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { aBatch, anUpload, storedRows } from '../../../../helpers/data/upload-rows.ts';

const ROWS = 24;
const BATCHES = ['b1', 'b2', 'b3'];
const error = appError('upload.duplicate').toData();
const lost = appError('file.missing').toData();

const DUPLICATE = JSON.stringify(appError('upload.duplicate', { details: { mediaId: '1' } }).toData());
const LEFT_OUT = JSON.stringify(appError('upload.duplicate-skipped').toData());

/** The events of an upload that change the counts. */
const EVENTS: readonly UploadEvent[] = [
  { kind: 'started' },
  { kind: 'file-seen', sizeBytes: 7, mtimeMs: 2, identity: '1:2', edgeHash: null },
  { kind: 'delayed', error: lost, until: 9, failed: { step: 'send', answered: 0 } },
  { kind: 'failed', error, at: 1 },
  { kind: 'failed', error: lost, at: 1 },
  { kind: 'duplicate-resolved', choice: 'skip', error, at: 2 },
  { kind: 'duplicate-resolved', choice: 'upload', error: null, at: 2 },
  { kind: 'retried' },
  { kind: 'cancelled', at: 3 },
  { kind: 'paused' },
  { kind: 'resumed', transferAlive: false },
  { kind: 'finished', at: 4 },
  { kind: 'file-created', fileId: 'f1', destination: null, at: 4 },
  { kind: 'sent', at: 4, sha256: null },
  { kind: 'file-dropped' },
  { kind: 'completed', at: 5 },
  { kind: 'cancel-undone' },
  { kind: 'cleared', at: 6 },
  { kind: 'clear-undone' },
];

async function openQueue() {
  const database = await emptyDatabase();
  const store = new UploadStore(database);
  const batches = new BatchStore(database);
  const lists = new UploadLists(database);
  for (const id of BATCHES) batches.add(aBatch({ id }));
  const open = () => new UploadJournal(store, silentLogger, new FollowUpRows(database));
  const journal = open();
  const uploads = Array.from({ length: ROWS }, (_, index) =>
    anUpload({ id: `u${index}`, batchId: BATCHES[index % 2] ?? '', sizeBytes: 100 + index }),
  );
  journal.add(uploads, (_, index) => index);
  return { database, batches, lists, open, journal };
}

/** Returns the counts of a batch, or of the queue (null), computed from each stored row. */
function counted(database: Database, batchId: string | null) {
  const all = storedRows(database).filter((row) => batchId === null || row.batchId === batchId);
  const of = (rows: readonly Upload[], measure: (row: Upload) => number) =>
    Object.fromEntries(
      UPLOAD_STATES.map((state) => [
        state,
        rows.filter((row) => row.state === state).reduce((sum, row) => sum + measure(row), 0),
      ]),
    );
  const part = (rows: readonly Upload[]) => ({
    counts: of(rows, () => 1),
    duplicates: rows.filter(asksAboutDuplicate).length,
  });
  const deliveredBytes = sumOf(all.filter((row) => !isEnded(row.state) && wasSent(row)));
  return {
    ...part(all.filter(({ clearedAt }) => clearedAt === null)),
    cleared: part(all.filter(({ clearedAt }) => clearedAt !== null)),
    bytes: of(all, (row) => row.sizeBytes),
    deliveredBytes,
  };
}

const wasSent = ({ sentAt, finishedAt }: Upload) => sentAt !== null || finishedAt !== null;
const sumOf = (rows: readonly Upload[]) => rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Bytes of the active batches, and how many of these were sent, computed from the rows. */
function workIn(database: Database) {
  const batches = [...Map.groupBy(storedRows(database), ({ batchId }) => batchId).values()];
  const atWork = batches.filter((rows) => rows.some(({ state }) => !isEnded(state))).flat();
  const open = atWork.filter(({ state }) => !isEnded(state));
  const complete = sumOf(atWork.filter(({ state }) => state === 'complete'));
  return { totalBytes: sumOf(open) + complete, sentBytes: sumOf(open.filter(wasSent)) + complete };
}

const happenings = fc.array(fc.tuple(fc.nat(ROWS - 1), fc.constantFrom(...EVENTS)), { maxLength: 80 });

describe('the counts of batches and of the queue', () => {
  it('equal a full count after any change of uploads, and after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const { database, open, journal } = await openQueue();
        for (const [index, event] of all) journal.record(`u${index}`, event);
        for (const batchId of [null, ...BATCHES]) {
          expect(journal.tally(batchId)).toEqual(counted(database, batchId));
          expect(open().tally(batchId)).toEqual(counted(database, batchId));
        }
        expect(journal.work).toEqual(workIn(database));
        expect(open().work).toEqual(workIn(database));
        database.close();
      }),
      { numRuns: 60 },
    );
  });

  it('equal the counts of the repaired rows when the disk damaged some', async () => {
    const { database, open } = await openQueue();
    database.exec(`UPDATE uploads SET state = 'quite odd', tags = '{' WHERE seq % 5 = 0`);
    database.exec(`UPDATE uploads SET state = 'failed', error = '{"code":"upload.dup' WHERE seq % 7 = 0`);
    expect(failDamagedRows(database, 1)).toBeGreaterThan(0);
    for (const batchId of [null, ...BATCHES]) expect(open().tally(batchId)).toEqual(counted(database, batchId));
    database.close();
  });

  it('do not change when an event could not be stored', async () => {
    const { database, journal } = await openQueue();
    database.exec(`CREATE TRIGGER full BEFORE UPDATE ON uploads BEGIN SELECT raise(ABORT, 'full'); END`);
    expect(() => journal.record('u0', { kind: 'cancelled', at: 1 })).toThrow('full');
    for (const batchId of [null, ...BATCHES]) expect(journal.tally(batchId)).toEqual(counted(database, batchId));
    database.close();
  });
});

describe('the list of batches', () => {
  it('is read in pages, newest first; of batches with equal times, the one that was added last is first', async () => {
    const { database, batches } = await openQueue();
    const add = (id: string, addedAt: number) => batches.add(aBatch({ id, addedAt }));
    add('newest', 9);
    add('older', 5);
    const pages = [0, 2, 4, 6].map((offset) => batches.newest(2, offset).map(({ id }) => id));
    expect(pages).toEqual([['newest', 'older'], ['b3', 'b2'], ['b1'], []]);
    database.close();
  });
});

describe('a page of the list', () => {
  it('contains the listed rows of its filter in queue order for any offset and state', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom<UploadState>(...UPLOAD_STATES), fc.nat(3), fc.nat(3)), { minLength: 1 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 12 }),
        async (places, offset, limit) => {
          const { database, lists, open } = await openQueue();
          for (const [index, [state, lane, rank]] of places.entries()) {
            const error = [null, DUPLICATE, LEFT_OUT][(lane + rank) % 3] ?? null;
            const cleared = isEnded(state) && index % 4 === 0 ? 9 : null;
            const row = { state, lane, rank, seq: (index % ROWS) + 1, error, cleared };
            const sets = `state = $state, lane = $lane, rank = $rank, error = $error, error_code = $error ->> 'code',
              cleared_at = $cleared`;
            database.prepare(`UPDATE uploads SET ${sets} WHERE seq = $seq`).run(row);
          }
          const all = storedRows(database);
          for (const filter of Object.keys(FILTER_STATES) as (keyof typeof FILTER_STATES)[]) {
            for (const batchId of [null, ...BATCHES]) {
              const states: readonly UploadState[] = FILTER_STATES[filter];
              const fitting = all.filter(
                (row) =>
                  row.clearedAt === null &&
                  states.includes(row.state) &&
                  (batchId === null || row.batchId === batchId) &&
                  (filter !== 'needs-decision' || asksAboutDuplicate(row)) &&
                  (filter !== 'failed' || !asksAboutDuplicate(row)),
              );
              const tally = open().tally(batchId);
              const page = lists.page(filter, batchId, { offset, limit, tally });
              const whole = lists.page(filter, batchId, { offset: 0, limit: 99, tally, withCleared: true });
              const isOfFilter = ({ id }: Upload) => fitting.some((row) => row.id === id);
              expect(whole.rows.slice(0, fitting.length).map(({ id }) => id)).toEqual(fitting.map(({ id }) => id));
              expect(whole.rows.slice(fitting.length).some(isOfFilter)).toBe(false);
              expect(whole.total).toBe(whole.rows.length);
              expect(countFor(filter, tally)).toBe(fitting.length);
              expect(lists.ids(filter, batchId)).toEqual(fitting.map(({ id }) => id));
              expect(page.total).toBe(fitting.length);
              expect(page.rows.map(({ id }) => id)).toEqual(fitting.slice(offset, offset + limit).map(({ id }) => id));
            }
          }
          database.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});
