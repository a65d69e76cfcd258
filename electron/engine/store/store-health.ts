import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import { type Database, sqliteCodeOf } from './database.ts';

/** How long no write may fail after a success before the store counts as working: small writes still fit on a full disk. */
const WORKS_AFTER_MS = 12_000;

/** SQLite's codes of a database that can't be written now: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const FAULT_CODES: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);

/** Whether the profile can be written, by the results of the writes. */
export class StoreHealth {
  readonly #clock: Clock;
  readonly #listeners = new Set<(problem: AppErrorData | null) => void>();
  #problem: AppErrorData | null = null;
  #cancelRecovery: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls the listener with each new problem, and with null when writes succeed again. Returns the function that ends this. */
  onDidChange(listener: (problem: AppErrorData | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes the result of a write; `error` null: it succeeded. Other errors than those of a store that fails are ignored. */
  note(error: unknown): void {
    if (error === null) {
      if (this.#problem !== null) this.#cancelRecovery ??= this.#clock.schedule(WORKS_AFTER_MS, () => this.#set(null));
      return;
    }
    const sqliteCode = sqliteCodeOf(error);
    if (sqliteCode === null || !FAULT_CODES.has(sqliteCode)) return;
    this.dispose();
    if (this.#problem === null) this.#set(appError('profile.store-failing', { details: { sqliteCode } }).toData());
  }

  dispose(): void {
    this.#cancelRecovery?.();
    this.#cancelRecovery = null;
  }

  #set(problem: AppErrorData | null): void {
    this.#cancelRecovery = null;
    this.#problem = problem;
    for (const listener of this.#listeners) listener(problem);
  }
}

/** Wraps a database: `health` gets the result of each write. */
export function withHealth(database: Database, health: StoreHealth): Database {
  const noted = <T>(write: () => T): T => {
    try {
      const result = write();
      health.note(null);
      return result;
    } catch (error) {
      health.note(error);
      throw error;
    }
  };
  return {
    ...database,
    exec: (sql) => noted(() => database.exec(sql)),
    prepare(sql) {
      const statement = database.prepare(sql);
      return { ...statement, run: (parameters) => noted(() => statement.run(parameters)) };
    },
    transaction: (work) => noted(() => database.transaction(work)),
    async whenDurable() {
      try {
        await database.whenDurable();
      } catch (error) {
        health.note(error);
        throw error;
      }
    },
  };
}
