import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Database } from '../../store/database.ts';
import { fromRanges, numbersIn, toRanges } from '../../store/row-ranges.ts';
import { Statements } from '../../store/statements.ts';
import { COMMAND_NAMES, type CommandName } from './command-kinds.ts';
import { HAS_FAILED_FOLLOW_UP } from './follow-up-rows.ts';
import { toUpload, UPLOAD_COLUMNS } from './upload-columns.ts';

/** A bulk command of the user that is not complete. */
export interface GivenCommand {
  readonly id: number;
  readonly name: CommandName;
  /** The numbers of the selected rows, ascending. */
  readonly numbers: readonly number[];
  /** The number of the last processed row; 0 at the beginning. */
  after: number;
}

type Where = 'all' | { batchId: string };

/** Stores the rows of each bulk command, and its progress. Rows are identified by their numbers (`seq`). */
export class CommandStore {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** Stores a command durably before any of it is executed. */
  begin(name: CommandName, numbers: readonly number[], now: number): GivenCommand {
    const sql = `INSERT INTO commands (name, numbers, after_number, given_at) VALUES ($name, $numbers, 0, $now)`;
    this.#statements.prepare(sql).run({ name, numbers: JSON.stringify(toRanges(numbers)), now });
    const row = this.#statements.prepare('SELECT max(id) AS id FROM commands').get();
    return { id: Number(row?.id), name, numbers, after: 0 };
  }

  /** Stores the progress, in the transaction that processes the rows up to the number `after`. */
  advance(id: number, after: number): void {
    this.#statements.prepare('UPDATE commands SET after_number = $after WHERE id = $id').run({ id, after });
  }

  /** Removes a command, in the transaction that processes its last rows. */
  end(id: number): void {
    this.#statements.prepare('DELETE FROM commands WHERE id = $id').run({ id });
  }

  /**
   * Returns the commands in their order. An unreadable one (a disk changed it) is returned by its id, to be dropped.
   */
  pending(): { commands: GivenCommand[]; unreadable: number[] } {
    const commands: GivenCommand[] = [];
    const unreadable: number[] = [];
    for (const row of this.#statements.prepare('SELECT * FROM commands ORDER BY id').all()) {
      const id = Number(row.id);
      const name = COMMAND_NAMES.find((each) => each === row.name);
      const numbers = fromRanges(String(row.numbers));
      if (name === undefined || numbers === null) unreadable.push(id);
      else commands.push({ id, name, numbers, after: Number(row.after_number) });
    }
    return { commands, unreadable };
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
