import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { CandidateStore } from '../../../../../electron/engine/uploads/duplicates/candidate-store.ts';
import { UploadLists } from '../../../../../electron/engine/uploads/journal/upload-lists.ts';
import { emptyCounts, type StateCounts } from '../../../../../electron/engine/uploads/journal/upload-tally.ts';
import { FILTER_STATES, UPLOAD_STATES } from '../../../../../shared/model/uploads/upload-states.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { anUpload } from '../../../../helpers/data/upload-rows.ts';

let database: Database;
let asked: string[];

beforeEach(async () => {
  database = await emptyDatabase();
  asked = [];
});
afterEach(() => database.close());

/** The same database, which records each statement that is run. */
const noting = (): Database => ({
  ...database,
  prepare(sql) {
    const statement = database.prepare(sql);
    return {
      ...statement,
      all(parameters) {
        asked.push(sql);
        return statement.all(parameters);
      },
      get(parameters) {
        asked.push(sql);
        return statement.get(parameters);
      },
    };
  },
});

/** The query plans for `uploads` of the statements that were run. */
function plans(): string[] {
  const steps = asked.splice(0).flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  return steps.map(({ detail }) => String(detail)).filter((detail) => /\buploads\b/.test(detail));
}

const ROWS_OF_PAGE = 'SEARCH uploads USING INTEGER PRIMARY KEY (rowid=?)';
const cleared = { counts: emptyCounts(), duplicates: 0 };
const tally = { counts: { ...emptyCounts(), failed: 1000, waiting: 1000 }, duplicates: 500, cleared };

it.each([
  ['failed', /^SCAN uploads USING (COVERING )?INDEX uploads_failed$/],
  ['needs-decision', /^SCAN uploads USING (COVERING )?INDEX uploads_asking$/],
] as const)('the list “%s” is read without reading the other failed rows', (filter, index) => {
  const lists = new UploadLists(noting());
  for (const batchId of [null, 'b1']) {
    lists.page(filter, batchId, { offset: 10, limit: 5, tally });
    expect(plans()).toEqual([ROWS_OF_PAGE, expect.stringMatching(index)]);
    lists.ids(filter, batchId);
    expect(plans()).toEqual([expect.stringMatching(index)]);
  }
});

it('a page of a batch is read without reading rows of other states or cleared rows', () => {
  const lists = new UploadLists(noting());
  for (const filter of ['unskipped', 'skipped', 'active', 'waiting', 'complete'] as const) {
    const full = {
      counts: Object.fromEntries(UPLOAD_STATES.map((state) => [state, 9])) as StateCounts,
      duplicates: 0,
      cleared,
    };
    lists.page(filter, 'b1', { offset: 4, limit: 2, tally: full });
    const [ofPage, ...parts] = plans();
    expect(ofPage).toBe(ROWS_OF_PAGE);
    expect(parts).toHaveLength(FILTER_STATES[filter].length);
    for (const part of parts) {
      expect(part).toBe(
        'SEARCH uploads USING COVERING INDEX uploads_by_batch (batch_id=? AND state=? AND cleared_at=?)',
      );
    }
  }
});

it('uploads that wait for another with the same contents are found without reading other waiting uploads', () => {
  new CandidateStore(noting()).waitingFor(anUpload());
  expect(plans()).toEqual([expect.stringMatching(/^SEARCH uploads USING INDEX uploads_twins_waiting /)]);
});
