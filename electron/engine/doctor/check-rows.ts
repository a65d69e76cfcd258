import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Finding } from '../../../shared/contract/doctor.ts';
import { MAX_RETRIES } from '../../../shared/model/backoff.ts';
import { ENDED_STATES, UPLOAD_STATES } from '../../../shared/model/uploads/upload-states.ts';
import { DAMAGED_FOLLOW_UPS } from '../store/damaged-rows.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import { counted, fine, firstOf, problem, warning } from './findings.ts';

/** A time in a row may be this far in the future: less is explained by a wrong clock, not by a wrong row. */
const FUTURE_MS = 48 * 3_600_000;

/** An invalid state of a row: its SQL condition, and its meaning. */
interface Invariant {
  code: string;
  where: string;
  message(count: string): string;
  severity?: 'warning';
}

const list = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
const TIMES = ['added_at', 'ended_at', 'sent_at', 'finished_at', 'completed_at'];

/** The condition that the error code column differs from the code in the error. An unreadable error is another finding. */
const hasWrongCode = `error_code IS NOT iif(error IS NULL OR json_valid(error), error ->> '$.code', error_code)`;

/** The condition that a row sends a media file; a thumbnail is no media file. */
const IS_FILE = `coalesce(iif(json_valid(addition), addition ->> 'kind', ''), '') <> 'thumbnail'`;

/** The condition that a row has an item; the thumbnail of a collection has no item. */
const HAS_ITEM = `coalesce(iif(json_valid(addition), addition ->> 'of', ''), '') <> 'collection'`;

const INVARIANTS: readonly Invariant[] = [
  {
    code: 'rows.unknown-state',
    where: `state NOT IN (${list(UPLOAD_STATES)})`,
    message: (count) => `${count} in a state that this version doesn’t know.`,
  },
  {
    code: 'rows.complete-without-proof',
    where: `state = 'complete' AND (completed_at IS NULL OR (media_id IS NULL AND ${HAS_ITEM})
      OR (file_id IS NULL AND ${IS_FILE}))`,
    message: (count) => `${count} marked complete without proof.`,
  },
  {
    code: 'rows.file-without-item',
    where: 'file_id IS NOT NULL AND media_id IS NULL',
    message: (count) => `${count} recorded with a file but without its item.`,
  },
  {
    code: 'rows.sent-without-file',
    where: `sent_at IS NOT NULL AND file_id IS NULL AND ${IS_FILE}`,
    message: (count) => `${count} marked as sent without a destination.`,
  },
  {
    code: 'rows.end-without-time',
    where: `state IN (${list(ENDED_STATES)}) AND ended_at IS NULL`,
    message: (count) => `${count} missing the time of the end.`,
  },
  {
    code: 'rows.open-with-end',
    where: `state NOT IN (${list(ENDED_STATES)}) AND ended_at IS NOT NULL`,
    message: (count) => `${count} in progress, but recorded with an end time.`,
  },
  {
    code: 'rows.open-but-hidden',
    where: `cleared_at IS NOT NULL AND (state NOT IN (${list(ENDED_STATES)}) OR follow_up_at IS NOT NULL)`,
    message: (count) => `${count} still open, but removed from the list.`,
  },
  {
    code: 'rows.failed-without-reason',
    where: `state IN ('failed', 'skipped') AND error IS NULL`,
    message: (count) => `${count} failed or skipped without a reason.`,
  },
  {
    code: 'rows.waiting-for-nothing',
    where: `state = 'waiting' AND next_attempt_at IS NULL`,
    message: (count) => `${count} waiting without a time to resume.`,
  },
  {
    code: 'rows.bad-size',
    where: `size_bytes < 0 OR (size_bytes = 0 AND state <> 'skipped')`,
    message: (count) => `${count} recorded with an impossible size.`,
  },
  {
    code: 'rows.bad-attempts',
    where: `attempts < 0 OR EXISTS (SELECT 1 FROM json_each(iif(json_valid(tries), tries, '{}'))
      WHERE json_extract(value, '$.count') NOT BETWEEN 1 AND ${MAX_RETRIES})`,
    message: (count) => `${count} recorded with an impossible number of attempts.`,
  },
  {
    code: 'rows.future-time',
    where: TIMES.map((column) => `coalesce(${column}, 0) > $future`).join(' OR '),
    message: (count) => `${count} recorded with times in the future. This computer’s clock was wrong, or is wrong now.`,
    severity: 'warning',
  },
  {
    code: 'rows.unreadable',
    where: `seq IN (${DAMAGED_FOLLOW_UPS}) OR ${['tags', 'publish', 'error', 'destination', 'tries']
      .map((column) => `(${column} IS NOT NULL AND NOT json_valid(${column}))`)
      .join(' OR ')}`,
    message: (count) => `${count} recorded with unreadable data.`,
  },
  {
    code: 'rows.wrong-error-code',
    where: `${hasWrongCode} OR seq IN (SELECT upload_seq FROM follow_ups WHERE ${hasWrongCode})`,
    message: (count) => `${count} listed under the wrong error.`,
  },
  {
    code: 'rows.unknown-site',
    where: `site_id NOT IN (SELECT id FROM sites) AND state NOT IN (${list(ENDED_STATES)})`,
    message: (count) => `${count} for a library that is no longer set up here.`,
    severity: 'warning',
  },
  {
    code: 'rows.shared-item',
    where: `media_id IS NOT NULL AND addition IS NULL AND EXISTS (SELECT 1 FROM uploads AS other
      WHERE other.addition IS NULL AND other.site_id = uploads.site_id AND other.media_id = uploads.media_id AND other.seq <> uploads.seq)`,
    message: (count) => `${count} linked to an item that another upload has too.`,
  },
];

const NEXT_STEP = 'This check changed nothing. Report this problem with a copy of this report and the log file.';

/** Queries a database for rows; slow queries may run in another process. */
export type QueryRows = (sql: string) => SqlRow[] | Promise<SqlRow[]>;

/** Checks that the database file is intact and of this version. Uses a read-only connection. */
export async function checkDatabase(ask: QueryRows): Promise<Finding[]> {
  const faults = (await ask('PRAGMA integrity_check(20)')).map(({ integrity_check }) => String(integrity_check));
  if (faults.join() !== 'ok') {
    const nextStep =
      'First copy the profile folder. At its next start, Mediadesk keeps the damaged queue unchanged and starts a new one.';
    return [
      problem({
        code: 'database.damaged',
        message: 'The queue’s database is damaged.',
        nextStep,
        details: firstOf(faults),
      }),
    ];
  }
  const version = Number((await ask('PRAGMA user_version'))[0]?.user_version ?? 0);
  const details = { version, known: MIGRATIONS.length };
  if (version > MIGRATIONS.length) {
    const message = 'A newer version of Mediadesk has used the queue’s database.';
    return [problem({ code: 'database.newer', message, nextStep: 'Update Mediadesk.', details })];
  }
  if (version < MIGRATIONS.length) {
    const message = 'The queue’s database has an older format. Mediadesk updates it at the next start.';
    return [warning({ code: 'database.older', message, details })];
  }
  const orphans = await ask('SELECT "table" AS child, count(*) AS n FROM pragma_foreign_key_check GROUP BY child');
  if (orphans.length > 0) {
    return orphans.map(({ child, n }) => {
      const count = Number(n);
      const message =
        child === 'follow_ups'
          ? `${counted(count, 'follow-up belongs', 'follow-ups belong')} to a missing upload.`
          : `${counted(count, 'row belongs', 'rows belong')} to a missing batch.`;
      return problem({ code: 'database.orphans', message, nextStep: NEXT_STEP, details: { count } });
    });
  }
  return [fine({ code: 'database.sound', message: 'The queue’s database is intact and up to date.', details })];
}

/** Checks each row for contradictions. The database must be of this version. */
export async function checkQueueRows(database: Database, now: number): Promise<Finding[]> {
  const total = Number(database.prepare('SELECT count(*) AS n FROM uploads').get()?.n ?? 0);
  const found: Finding[] = [];
  for (const { code, where, message, severity } of INVARIANTS) {
    // Each query reads the whole queue: other work of this thread runs in between.
    await nextTurn();
    const parameters: Record<string, number> = where.includes('$future') ? { future: now + FUTURE_MS } : {};
    const rows = database
      .prepare(`SELECT id, file_name, state FROM uploads WHERE ${where} ORDER BY seq`)
      .all(parameters);
    if (rows.length === 0) continue;
    const make = severity === 'warning' ? warning : problem;
    const uploads = rows.map((row) => ({ id: row.id, fileName: row.file_name, state: row.state }));
    const text = message(counted(rows.length, 'upload is', 'uploads are'));
    found.push(make({ code, message: text, nextStep: NEXT_STEP, details: firstOf(uploads) }));
  }
  if (found.length > 0) return found;
  const message = `${counted(total, 'upload is', 'uploads are')} in the history. All records are valid.`;
  return [fine({ code: 'rows.in-order', message, details: { count: total } })];
}

/** Reports equal contents that are complete more than once in one library: a duplicate item, or an intended one. */
export function checkDuplicateUploads(database: Database): Finding[] {
  const groups = database
    .prepare(
      `SELECT site_id, sha256, count(*) AS n, group_concat(media_id) AS media_ids, min(file_name) AS file_name
       FROM uploads WHERE state = 'complete' AND sha256 IS NOT NULL AND addition IS NULL GROUP BY site_id, sha256 HAVING n > 1`,
    )
    .all()
    .map((row) => ({ fileName: row.file_name, sha256: row.sha256, mediaIds: String(row.media_ids).split(',') }));
  if (groups.length === 0) return [];
  const message = `${counted(groups.length, 'recording was', 'recordings were')} uploaded more than once with identical contents.`;
  const nextStep = 'Check the items named in the details. In the library, delete those you don’t need.';
  return [warning({ code: 'history.duplicates', message, nextStep, details: firstOf(groups) })];
}
