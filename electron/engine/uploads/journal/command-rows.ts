import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Database } from '../../store/database.ts';
import { numbersIn } from '../../store/row-ranges.ts';
import { Statements } from '../../store/statements.ts';
import { HAS_FAILED_FOLLOW_UP } from './follow-up-rows.ts';
import { toUpload, UPLOAD_COLUMNS } from './upload-columns.ts';

type Where = 'all' | { batchId: string };

/** Finds the rows that a command concerns, by their numbers (`seq`). */
export class CommandRows {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** Returns the numbers of rows of a batch, or of all, in one of `states`: listed rows, or those that the user cleared. */
  inStates(where: Where, states: readonly UploadState[], areCleared = false): number[] {
    const inStates = `state IN (${states.map((state) => `'${state}'`).join(', ')})`;
    return this.#numbers(where, `${inStates} AND cleared_at IS ${areCleared ? 'NOT NULL' : 'NULL'}`);
  }

  /** Returns the numbers of listed complete uploads with a failed follow-up. */
  withFailedFollowUps(where: Where): number[] {
    return this.#numbers(where, `${HAS_FAILED_FOLLOW_UP} AND state = 'complete' AND cleared_at IS NULL`, 'NOT INDEXED');
  }

  /** Returns the numbers of the rows with these ids; unknown ids are omitted. */
  ofIds(ids: readonly string[]): number[] {
    const sql =
      'SELECT json_group_array(uploads.seq) AS numbers FROM json_each($ids) JOIN uploads ON uploads.id = value';
    return numbersIn(this.#statements.prepare(sql).get({ ids: JSON.stringify(ids) }));
  }

  /** Returns the rows with these numbers, ascending. */
  rows(numbers: readonly number[]): Upload[] {
    return this.#statements
      .prepare(
        `SELECT ${UPLOAD_COLUMNS} FROM uploads WHERE seq IN (SELECT value FROM json_each($numbers)) ORDER BY seq`,
      )
      .all({ numbers: JSON.stringify(numbers) })
      .map(toUpload);
  }

  #numbers(where: Where, condition: string, index = ''): number[] {
    const [clause, only] = where === 'all' ? ['', {}] : ['AND batch_id = $batchId', { batchId: where.batchId }];
    const sql = `SELECT json_group_array(seq) AS numbers FROM uploads ${index} WHERE ${condition} ${clause}`;
    return numbersIn(this.#statements.prepare(sql).get(only));
  }
}
