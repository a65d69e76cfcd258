import type { Database, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';

/**
 * The condition that a follow-up of a row failed, for queries of `uploads NOT INDEXED`: SQLite then starts from the index
 * `follow_ups_failed`, which contains only failed follow-ups.
 */
export const HAS_FAILED_FOLLOW_UP = `seq IN
  (SELECT upload_seq FROM follow_ups INDEXED BY follow_ups_failed WHERE state = 'failed')`;

/**
 * The queries for rows with follow-ups to be done. Each names its partial index: otherwise SQLite reads every complete row of the
 * queue.
 */
export class FollowUpRows {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /**
   * Returns the ids of rows whose follow-ups are due, the longest waiting first. A follow-up whose time is more than
   * `longestWaitMs` ahead is due, too: the clock was set back since.
   */
  due(now: number, longestWaitMs: number, limit: number, blockedSites: readonly string[]): string[] {
    return this.#due(now, longestWaitMs, limit, sitesClause('NOT IN', blockedSites));
  }

  /** Returns the same as `due`, for some sites only. */
  dueAtSites(now: number, longestWaitMs: number, limit: number, siteIds: readonly string[]): string[] {
    return siteIds.length === 0 ? [] : this.#due(now, longestWaitMs, limit, sitesClause('IN', siteIds));
  }

  #due(now: number, longestWaitMs: number, limit: number, { clause, sites }: SitesClause): string[] {
    // Two ranges of the index: with OR, SQLite reads all pending rows, due or not.
    const range = (condition: string) => `SELECT id, follow_up_at FROM uploads INDEXED BY uploads_follow_up
      WHERE ${condition} AND state IN ('publishing', 'complete') ${clause}`;
    const sql = `${range('follow_up_at <= $now')} UNION ALL ${range('follow_up_at > $ahead')}
      ORDER BY follow_up_at LIMIT $limit`;
    return this.#statements
      .prepare(sql)
      .all({ ...sites, now, ahead: now + longestWaitMs, limit })
      .map((row) => String(row.id));
  }

  /** Returns when the next follow-up after `now` is due, in epoch milliseconds; null when there is none. */
  nextAt(now: number): number | null {
    const sql = `SELECT min(follow_up_at) AS at FROM uploads INDEXED BY uploads_follow_up
      WHERE follow_up_at > $now AND state IN ('publishing', 'complete')`;
    const at = this.#statements.prepare(sql).get({ now })?.at;
    return at === null || at === undefined ? null : Number(at);
  }

  /** Returns whether a follow-up is still to be done at another site than these. */
  isOpen(otherThan: readonly string[]): boolean {
    return this.due(Number.MAX_SAFE_INTEGER, 0, 1, otherThan).length > 0;
  }

  /** Returns the numbers of listed rows in publishing or complete that have pending, and that have failed, follow-ups. */
  counts(): { pending: number; failed: number } {
    const count = (index: string, condition: string) => {
      const sql = `SELECT count(*) AS n FROM uploads ${index}
        WHERE ${condition} AND state IN ('publishing', 'complete') AND cleared_at IS NULL`;
      return Number(this.#statements.prepare(sql).get()?.n ?? 0);
    };
    return {
      pending: count('INDEXED BY uploads_follow_up', 'follow_up_at IS NOT NULL'),
      failed: count('NOT INDEXED', HAS_FAILED_FOLLOW_UP),
    };
  }

  /** Returns the ids of complete rows with a failed follow-up. */
  withFailed(): string[] {
    return this.#statements
      .prepare(`SELECT id FROM uploads NOT INDEXED WHERE ${HAS_FAILED_FOLLOW_UP} AND state = 'complete' ORDER BY seq`)
      .all()
      .map((row) => String(row.id));
  }
}

interface SitesClause {
  clause: string;
  sites: Record<string, SqlValue>;
}

/** Returns a condition about sites, with its parameters; empty when no site is given. */
function sitesClause(operator: 'IN' | 'NOT IN', siteIds: readonly string[]): SitesClause {
  const names = siteIds.map((_, index) => `$site${index}`).join(', ');
  const sites: Record<string, SqlValue> = {};
  for (const [index, site] of siteIds.entries()) sites[`site${index}`] = site;
  return { clause: names === '' ? '' : `AND site_id ${operator} (${names})`, sites };
}
