import { textSum } from '../../../shared/model/text-sum.ts';
import type { Database } from '../store/database.ts';
import { fromRanges, toRanges } from '../store/row-ranges.ts';
import { Statements } from '../store/statements.ts';

/** The parts of the engine with bulk commands. */
const PARTS = ['uploads', 'edits'] as const;
export type Part = (typeof PARTS)[number];

/** A stored command that is not complete. */
export interface StoredCommand<Name extends string> {
  readonly id: number;
  readonly name: Name;
  /** The numbers of its rows, ascending. */
  readonly numbers: readonly number[];
  /** What else its part needs to execute it; empty: nothing. */
  readonly parameters: string;
  /** The number of rows that are processed. */
  done: number;
}

export interface NewCommand<Name extends string> {
  name: Name;
  /** Ascending. */
  numbers: readonly number[];
  parameters?: string;
  /** Is part of the transaction that stores the command. */
  alongside?: () => void;
}

/** The rows of the bulk commands of one part of the engine, and their progress. */
export class BulkCommandStore {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #part: Part;

  constructor(database: Database, part: Part) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#part = part;
  }

  /** Stores a command durably before any of it is executed. `now`: epoch ms. */
  begin<Name extends string>(
    { name, numbers, parameters = '', alongside }: NewCommand<Name>,
    now: number,
  ): StoredCommand<Name> {
    const ranges = JSON.stringify(toRanges(numbers));
    const sql = `INSERT INTO bulk_commands (part, name, numbers, parameters, sum, done, given_at)
      VALUES ($part, $name, $ranges, $parameters, $sum, 0, $now)`;
    const id = this.#database.transaction(() => {
      const sum = sumOf(ranges, parameters);
      this.#statements.prepare(sql).run({ part: this.#part, name, ranges, parameters, sum, now });
      alongside?.();
      return Number(this.#statements.prepare('SELECT max(id) AS id FROM bulk_commands').get()?.id);
    });
    return { id, name, numbers, parameters, done: 0 };
  }

  /** Stores the progress, in the transaction that processes the rows. */
  advance(id: number, done: number): void {
    this.#statements.prepare('UPDATE bulk_commands SET done = $done WHERE id = $id').run({ id, done });
  }

  /** Removes a command, in the transaction that completes it. */
  end(id: number): void {
    this.#statements.prepare('DELETE FROM bulk_commands WHERE id = $id').run({ id });
  }

  /** Returns whether a command with this name and these parameters is not complete. */
  has(name: string, parameters: string): boolean {
    const sql =
      'SELECT 1 AS n FROM bulk_commands WHERE part = $part AND name = $name AND parameters = $parameters LIMIT 1';
    return this.#statements.prepare(sql).get({ part: this.#part, name, parameters }) !== undefined;
  }

  /**
   * Returns the commands of the part in their order. A damaged one (a disk changed it), which could change other rows, is returned
   * by its id, to be dropped. So is one of no part: both parts find it.
   */
  pending<Name extends string>(names: readonly Name[]): { commands: StoredCommand<Name>[]; damaged: number[] } {
    const commands: StoredCommand<Name>[] = [];
    const damaged: number[] = [];
    const sql = `SELECT * FROM bulk_commands
      WHERE part = $part OR part NOT IN (SELECT value FROM json_each($parts)) ORDER BY id`;
    for (const row of this.#statements.prepare(sql).all({ part: this.#part, parts: JSON.stringify(PARTS) })) {
      const [id, ranges, parameters, done] = [
        Number(row.id),
        String(row.numbers),
        String(row.parameters),
        Number(row.done),
      ];
      const name = row.part === this.#part ? names.find((each) => each === row.name) : undefined;
      // Commands of earlier versions have no checksum.
      const isSound = row.sum === null || row.sum === sumOf(ranges, parameters);
      const numbers = isSound ? fromRanges(ranges) : null;
      if (name === undefined || numbers === null || done < 0 || done > numbers.length) damaged.push(id);
      else commands.push({ id, name, numbers, parameters, done });
    }
    return { commands, damaged };
  }
}

function sumOf(ranges: string, parameters: string): string {
  return textSum(ranges + parameters);
}
