import type { AdminJobKind } from '../../../../shared/contract/admin/admin-jobs.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';

/** An administrative command of many steps, until its end. */
export interface StoredJob {
  id: number;
  siteId: string;
  kind: AdminJobKind;
  /** What it is about, for people. */
  subject: string;
  /** JSON: what its steps have in common. */
  note: string;
  /** Epoch milliseconds. */
  givenAt: number;
}

export interface StoredStep {
  position: number;
  /** JSON. */
  step: string;
  state: 'open' | 'done' | 'failed';
  /** The error of a failed step, as JSON. */
  result: string;
}

/**
 * The administrative commands that did not come to their end, with their steps, in the database of the profile. A step is marked after
 * the library made it: after a kill, at most one made step is still open, and each step is made so that a repetition does no harm.
 */
export class JobStore {
  readonly #database: Database;
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new Statements(database);
  }

  /** Stores a command with all its steps, as JSON, in one transaction. */
  begin(job: Omit<StoredJob, 'id'>, steps: readonly string[]): StoredJob {
    return this.#database.transaction(() => {
      const { siteId, kind, subject, note, givenAt } = job;
      const sql = `INSERT INTO admin_jobs (site_id, kind, subject, note, given_at)
        VALUES ($siteId, $kind, $subject, $note, $givenAt) RETURNING id`;
      const row = this.#statements.prepare(sql).get({ siteId, kind, subject, note, givenAt });
      const id = Number(row?.id);
      this.#statements
        .prepare(
          `INSERT INTO admin_job_steps (job_id, position, step, state, result)
           SELECT $id, key, value, 'open', '' FROM json_each($steps)`,
        )
        .run({ id, steps: JSON.stringify(steps) });
      return { id, ...job };
    });
  }

  /** The commands of an account, the oldest first. */
  of(siteId: string): StoredJob[] {
    return this.#statements
      .prepare('SELECT * FROM admin_jobs WHERE site_id = $siteId ORDER BY id')
      .all({ siteId })
      .map(toJob);
  }

  /** The steps of a command in their order; `state`: only those. */
  steps(id: number, state: StoredStep['state'] | null = null): StoredStep[] {
    const sql = `SELECT position, step, state, result FROM admin_job_steps
      WHERE job_id = $id AND ($state IS NULL OR state = $state) ORDER BY position`;
    return this.#statements.prepare(sql).all({ id, state }).map(toStep);
  }

  mark(id: number, position: number, state: StoredStep['state'], result: string): void {
    const sql = `UPDATE admin_job_steps SET state = $state, result = $result WHERE job_id = $id AND position = $position`;
    this.#statements.prepare(sql).run({ id, position, state, result });
  }

  remove(id: number): void {
    this.#database.transaction(() => {
      this.#statements.prepare('DELETE FROM admin_job_steps WHERE job_id = $id').run({ id });
      this.#statements.prepare('DELETE FROM admin_jobs WHERE id = $id').run({ id });
    });
  }
}

function toJob(row: SqlRow): StoredJob {
  return {
    id: Number(row.id),
    siteId: String(row.site_id),
    kind: String(row.kind) as AdminJobKind,
    subject: String(row.subject),
    note: String(row.note),
    givenAt: Number(row.given_at),
  };
}

function toStep(row: SqlRow): StoredStep {
  const state = row.state as StoredStep['state'];
  return { position: Number(row.position), step: String(row.step), state, result: String(row.result) };
}
