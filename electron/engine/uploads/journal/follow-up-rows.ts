import type { Database, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';

/** Of a row of `uploads NOT INDEXED`: one of its follow-ups failed. The index holds only these. */
export const HAS_FAILED_FOLLOW_UP = `seq IN
  (SELECT upload_seq FROM follow_ups INDEXED BY follow_ups_failed WHERE state = 'failed')`;

/**
 * Questions about rows with something to be done after the upload. Each names the partial index that answers it: left to
 * choose, SQLite reads every complete row of the queue.
 */
export class FollowUpRows {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /**
   * Ids of rows whose follow-ups are due, the longest waiting first. A time too far ahead is one that a clock set back
   * made so.
   */
  due(now: number, longestWaitMs: number, limit: number, blockedSites: readonly string[]): string[] {
    return this.#due(now, longestWaitMs, limit, sitesClause('NOT IN', blockedSites));
  }

  /** The same for some sites only. */
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

  /** When the next follow-up after `now` is due; null when there is none. */
  nextAt(now: number): number | null {
    const sql = `SELECT min(follow_up_at) AS at FROM uploads INDEXED BY uploads_follow_up
      WHERE follow_up_at > $now AND state IN ('publishing', 'complete')`;
    const at = this.#statements.prepare(sql).get({ now })?.at;
    return at === null || at === undefined ? null : Number(at);
  }

  /** Whether there is something to do after an upload at another site than these. */
  isOpen(otherThan: readonly string[]): boolean {
    return this.due(Number.MAX_SAFE_INTEGER, 0, 1, otherThan).length > 0;
  }

  /** Listed rows with pending and with failed follow-ups, among those in publishing or complete. */
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

  /** Rows with a failed follow-up. */
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

/** A condition about sites, with its parameters; none where no site is given. */
function sitesClause(operator: 'IN' | 'NOT IN', siteIds: readonly string[]): SitesClause {
  const names = siteIds.map((_, index) => `$site${index}`).join(', ');
  const sites: Record<string, SqlValue> = {};
  for (const [index, site] of siteIds.entries()) sites[`site${index}`] = site;
  return { clause: names === '' ? '' : `AND site_id ${operator} (${names})`, sites };
}
