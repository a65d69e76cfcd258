import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { CommandRows } from '../../../../../electron/engine/uploads/journal/command-rows.ts';
import { FollowUpRows } from '../../../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';

let database: Database;
let asked: string[];
let rows: FollowUpRows;
let commands: CommandRows;

beforeEach(async () => {
  database = await emptyDatabase();
  asked = [];
  const noting: Database = {
    ...database,
    prepare(sql) {
      asked.push(sql);
      return database.prepare(sql);
    },
  };
  rows = new FollowUpRows(noting);
  commands = new CommandRows(noting);
});
afterEach(() => database.close());

/** The query plans for `uploads` and `follow_ups` of each statement that `work` runs. */
function plansOf(work: () => unknown): string[] {
  asked = [];
  work();
  const steps = asked.flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  return steps.map(({ detail }) => String(detail)).filter((detail) => /\b(uploads|follow_ups)\b/.test(detail));
}

const PENDING = [/USING (COVERING )?INDEX uploads_follow_up( |$)/];
/** Two ranges of the index are read, so that rows that are not due are not read. */
const DUE = [
  /SEARCH uploads USING INDEX uploads_follow_up \(follow_up_at<\?\)/,
  /SEARCH uploads USING INDEX uploads_follow_up \(follow_up_at>\?\)/,
];
const FAILED = [
  /SEARCH uploads USING INTEGER PRIMARY KEY \(rowid=\?\)/,
  /(SCAN|SEARCH) follow_ups USING (COVERING )?INDEX follow_ups_failed( |$)/,
];

describe('queries for follow-ups in a long queue', () => {
  it.each<[string, () => unknown, RegExp[]]>([
    ['that are due', () => rows.due(1, 1, 1, []), DUE],
    ['that are due at sites with a closed breaker', () => rows.due(1, 1, 1, ['s1', 's2']), DUE],
    ['that are due at some sites', () => rows.dueAtSites(1, 1, 1, ['s1']), DUE],
    ['that are due next', () => rows.nextAt(1), PENDING],
    ['that are open', () => rows.isOpen(['s1']), DUE],
    ['that are counted', () => rows.counts(), [...PENDING, ...FAILED]],
    ['that failed', () => rows.withFailed(), FAILED],
    ['that a retry of all uploads concerns', () => commands.withFailedFollowUps('all'), FAILED],
    ['that a retry of a batch concerns', () => commands.withFailedFollowUps({ batchId: 'b1' }), FAILED],
  ])('use an index to find those %s', (_, work, indexes) => {
    const plans = plansOf(work);
    expect(plans).toEqual(indexes.map((index) => expect.stringMatching(index)));
  });
});
