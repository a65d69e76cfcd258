import type { Database, Statement } from './database.ts';

/** The statements of a database by their text; each is prepared on first use and cached. */
export class Statements {
  readonly #database: Database;
  readonly #known = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  prepare(sql: string): Statement {
    let statement = this.#known.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#known.set(sql, statement);
    }
    return statement;
  }
}
