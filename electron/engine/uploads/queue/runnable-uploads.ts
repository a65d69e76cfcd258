import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';
import { mayAsk } from '../delivery/planner.ts';
import { toUpload, UPLOAD_COLUMNS } from '../journal/upload-columns.ts';

export interface Turn {
  /** Wall clock, epoch milliseconds. */
  now: number;
  limit: number;
  /** Whether any row waits for its time; when none does, none is read. */
  areWaiting: boolean;
  blockedSites: readonly string[];
  /** Sites that refuse changes: only uploads that still have a read to do may start. */
  readOnlySites: readonly string[];
  /** Sites on which only one upload may start. */
  soloSites: ReadonlySet<string>;
  /** Rows that are running, or must not start. */
  isBusy(id: string): boolean;
  /** Whether only one file of the disk may be read at a time. */
  isSerial(device: string): boolean;
  /** Disks with a file that is being read; only the serial ones matter. */
  busyDevices: ReadonlySet<string>;
}

/** During a maintenance this number of uploads at the head of the queue do their reads; the others wait behind them. */
const ASK_AHEAD = 8;

/** A retry that is overdue by this time goes before new uploads of its priority. */
const RETRY_IS_LATE_MS = 60_000;

interface Candidate {
  row: SqlRow;
  lane: number;
  isLate: boolean;
  rank: number;
  seq: number;
}

/**
 * Chooses the uploads that start next: queued ones, and waiting ones whose time has come, in the order of the queue. Each pair of
 * site and disk has a query of its own, so that a hundred thousand files of a blocked one cost nothing.
 */
export class RunnableUploads {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  next(turn: Turn): Upload[] {
    const taken = new Set(turn.busyDevices);
    const begun = new Set<string>();
    const chosen: Upload[] = [];
    for (const { row } of [...this.#queued(turn), ...this.#due(turn)].sort(byTurn)) {
      if (chosen.length >= turn.limit) break;
      if (turn.isBusy(String(row.id))) continue;
      const site = String(row.site_id);
      if (turn.soloSites.has(site) && begun.has(site)) continue;
      const device = deviceOf(String(row.identity));
      if (turn.isSerial(device)) {
        if (taken.has(device)) continue;
        taken.add(device);
      }
      begun.add(site);
      chosen.push(toUpload(row));
    }
    return chosen;
  }

  #queued({ now, limit, blockedSites, readOnlySites, isBusy, isSerial, busyDevices }: Turn): Candidate[] {
    const sql = `SELECT ${UPLOAD_COLUMNS} FROM uploads INDEXED BY uploads_queued WHERE state = 'queued' AND site_id = $site
      AND device = $device ORDER BY lane, rank, seq LIMIT $limit OFFSET $offset`;
    return this.#groups().flatMap(({ site, device }) => {
      if (blockedSites.includes(site) || (isSerial(device) && busyDevices.has(device))) return [];
      if (readOnlySites.includes(site)) {
        const rows = this.#statements.prepare(sql).all({ site, device, limit: ASK_AHEAD, offset: 0 });
        return rows.filter((row) => mayAsk(toUpload(row), now)).map((row) => candidate(row, false));
      }
      const free: SqlRow[] = [];
      // A queued row can be busy: it was put back into the queue, and its last step has not ended yet.
      for (let offset = 0; free.length < limit; offset += limit) {
        const rows = this.#statements.prepare(sql).all({ site, device, limit, offset });
        free.push(...rows.filter((row) => !isBusy(String(row.id))));
        if (rows.length < limit) break;
      }
      return free.map((row) => candidate(row, false));
    });
  }

  #due({ now, areWaiting, blockedSites, readOnlySites }: Turn): Candidate[] {
    if (!areWaiting) return [];
    return this.#statements
      .prepare(
        `SELECT ${UPLOAD_COLUMNS} FROM uploads INDEXED BY uploads_due
         WHERE state = 'waiting' AND next_attempt_at <= $now`,
      )
      .all({ now })
      .filter((row) => !blockedSites.includes(String(row.site_id)))
      .filter((row) => !readOnlySites.includes(String(row.site_id)) || mayAsk(toUpload(row), now))
      .map((row) => candidate(row, now - Number(row.next_attempt_at) > RETRY_IS_LATE_MS));
  }

  /** Returns the pairs of site and disk of the queued files. There are few of these, however many files. */
  #groups(): { site: string; device: string }[] {
    const groups: { site: string; device: string }[] = [];
    const first = (condition: string, by: Record<string, SqlValue>) => {
      const sql = `SELECT site_id AS site, device FROM uploads INDEXED BY uploads_queued
        WHERE state = 'queued' ${condition} ORDER BY site_id, device LIMIT 1`;
      const row = this.#statements.prepare(sql).get(by);
      return row === undefined ? null : { site: String(row.site), device: String(row.device) };
    };
    // The next pair takes two queries: for a condition on both columns, SQLite would read a whole group to find its end.
    for (let group = first('', {}); group !== null; ) {
      groups.push(group);
      const { site, device } = group;
      group =
        first('AND site_id = $site AND device > $device', { site, device }) ?? first('AND site_id > $site', { site });
    }
    return groups;
  }
}

function candidate(row: SqlRow, isLate: boolean): Candidate {
  return { row, isLate, lane: Number(row.lane), rank: Number(row.rank), seq: Number(row.seq) };
}

function byTurn(a: Candidate, b: Candidate): number {
  return a.lane - b.lane || Number(b.isLate) - Number(a.isLate) || a.rank - b.rank || a.seq - b.seq;
}
