import { DatabaseError } from 'pg';
import { StorageUnavailable } from '../../storage/storage-unavailable.ts';

/** A transaction that met another one, which it can't follow (serialization_failure, deadlock_detected). */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);
/** A row that another transaction has added meanwhile: seen in the next attempt, the work can say what is wrong (unique_violation). */
const UNIQUE = '23505';
/** A prepared statement whose columns have changed: another process has migrated the schema (feature_not_supported). */
const CHANGED_COLUMNS = '0A000';
/** How often a transaction may fail in each way, the last time included. */
const MOST_FAILURES = { conflict: 12, unique: 2, stale: 3 };

/** The failures of one transaction. Each kind counts alone: a conflict doesn't use up the attempt that a stale plan needs. */
export class Failures {
  readonly #counts = { conflict: 0, unique: 0, stale: 0 };

  /**
   * Notes that the transaction failed. Returns how long to wait before it is tried again, in milliseconds, with `random` from 0 to 1;
   * undefined when another attempt is useless.
   */
  note(error: unknown, random: number): number | undefined {
    const kind = kindOf(error);
    if (kind === undefined) return undefined;
    this.#counts[kind] += 1;
    const { conflict, unique, stale } = this.#counts;
    return this.#counts[kind] < MOST_FAILURES[kind]
      ? random * Math.min(200, 2 ** (conflict + unique + stale))
      : undefined;
  }
}

function kindOf(error: unknown): keyof typeof MOST_FAILURES | undefined {
  const code = sqlState(error) ?? '';
  if (CONFLICTS.has(code)) return 'conflict';
  if (isStalePlan(error)) return 'stale';
  return code === UNIQUE ? 'unique' : undefined;
}

/** Returns whether a statement has to be prepared again. The code is that of other errors, too. */
export function isStalePlan(error: unknown): boolean {
  return sqlState(error) === CHANGED_COLUMNS && (error as DatabaseError).routine === 'RevalidateCachedQuery';
}

/** Returns `StorageUnavailable` in place of a conflict that many attempts did not get past: the caller may try again later. */
export function asContended(error: unknown): unknown {
  const state = sqlState(error) ?? '';
  return CONFLICTS.has(state) ? new StorageUnavailable(`database ${state}`, { cause: error }) : error;
}

/** Connection exceptions, too many connections, a server that stops or starts, and statements that took too long. */
const UNAVAILABLE = /^(?:08|53300$|57)/;

/**
 * Returns the error as `StorageUnavailable` when the database could not be asked, and otherwise as it is. What the driver says about its
 * connection has no code of PostgreSQL.
 */
export function asUnavailable(error: unknown): unknown {
  const state = sqlState(error);
  if (state !== undefined && !UNAVAILABLE.test(state)) return error;
  const code = state ?? (error as { code?: string }).code ?? 'connection';
  return new StorageUnavailable(`database ${code}`, { cause: error });
}

/** Returns the code of an error that the server reported. */
function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}
