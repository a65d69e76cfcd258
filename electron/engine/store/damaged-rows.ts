import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import { EDIT_STATES } from '../../../shared/contract/edits.ts';
import type { BatchDefaults } from '../../../shared/contract/uploads.ts';
import { FOLLOW_UP_KINDS, FOLLOW_UP_STATES } from '../../../shared/model/uploads/follow-up-kinds.ts';
import { UPLOAD_STATES } from '../../../shared/model/uploads/upload-states.ts';
import type { Database } from './database.ts';

const list = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
const STATES = list(UPLOAD_STATES);

/** Returns the condition that a column contains the JSON of an error, or null. */
const isError = (column: string) =>
  `(${column} IS NULL OR (json_valid(${column}) AND json_type(${column}, '$.code') = 'text'))`;
/** Returns the condition that a column contains the JSON of the retries by step. */
const isRetries = (column: string) => `(json_valid(${column}) AND json_type(${column}) = 'object')`;

/** The condition for a readable column, and the value `repaired` that replaces an unreadable one. */
const COLUMNS: readonly { name: string; isValid: string; repaired: string }[] = [
  { name: 'tags', isValid: `json_valid(tags) AND json_type(tags) = 'array'`, repaired: `'[]'` },
  {
    name: 'publish',
    isValid: `json_valid(publish) AND coalesce(publish ->> 'kind', '') IN ('draft', 'now', 'at')`,
    repaired: `'{"kind":"draft"}'`,
  },
  {
    // If the kind is unreadable, it is unknown what the upload adds. The row stays an addition, so that a clean-up does not
    // remove its item. Only the thumbnail of a collection has no item.
    name: 'addition',
    isValid: `addition IS NULL OR (json_valid(addition) AND CASE addition ->> 'kind'
      WHEN 'captions' THEN json_type(addition, '$.recordingId') = 'text'
      ELSE coalesce(addition ->> 'kind', '') IN ('file', 'thumbnail') END)`,
    repaired: `iif(media_id IS NULL, '{"kind":"thumbnail","of":"collection"}', '{"kind":"file"}')`,
  },
  { name: 'title_notice', isValid: isError('title_notice'), repaired: 'NULL' },
  { name: 'error', isValid: isError('error'), repaired: 'NULL' },
  { name: 'tries', isValid: isRetries('tries'), repaired: `'{}'` },
  {
    name: 'destination',
    isValid: `destination IS NULL OR (json_valid(destination) AND json_type(destination, '$.upload_url') = 'text'
      AND json_type(destination, '$.upload_post_params') IN ('array', 'object'))`,
    repaired: 'NULL',
  },
  {
    name: 'spoiled_file_ids',
    isValid: `json_valid(spoiled_file_ids) AND json_type(spoiled_file_ids) = 'array'`,
    repaired: `'[]'`,
  },
  { name: 'duplicates', isValid: `duplicates IN ('ask', 'skip', 'upload')`, repaired: `'ask'` },
  {
    name: 'cancelled_from',
    isValid: `cancelled_from IS NULL OR (json_valid(cancelled_from)
      AND coalesce(cancelled_from ->> 'state', '') IN (${STATES}))`,
    repaired: 'NULL',
  },
  { name: 'state', isValid: `state IN (${STATES})`, repaired: `'failed'` },
];

const IS_FOLLOW_UP = `kind IN (${list(FOLLOW_UP_KINDS)}) AND state IN (${list(FOLLOW_UP_STATES)})
  AND ${isError('error')} AND (tries IS NULL OR ${isRetries('tries')})
  AND CASE source WHEN 'move' THEN source_folder IS NOT NULL ELSE coalesce(source, 'keep') IN ('keep', 'trash') END
  AND (kind <> 'source' OR source IS NOT NULL)`;

/** Row numbers of the uploads with an unreadable or missing follow-up. */
export const DAMAGED_FOLLOW_UPS = `SELECT upload_seq FROM follow_ups WHERE (${IS_FOLLOW_UP}) IS NOT TRUE
  UNION SELECT upload_seq FROM follow_ups GROUP BY upload_seq HAVING min(position) <> 0 OR max(position) <> count(*) - 1`;

/**
 * Makes unreadable rows fail with the error `profile.row-damaged`, so that they are visible (a damaged disk can change
 * a byte without an SQLite error). Unreadable values are dropped; the follow-ups of an upload are dropped together,
 * because each depends on the earlier ones. Returns the number of rows.
 */
export function failDamagedRows(database: Database, now: number): number {
  const error: AppErrorData = appError('profile.row-damaged').toData();
  const sets = COLUMNS.filter(({ name }) => name !== 'state' && name !== 'error').map(
    ({ name, isValid, repaired }) => `${name} = CASE WHEN (${isValid}) IS TRUE THEN ${name} ELSE ${repaired} END`,
  );
  // One transaction: otherwise an upload without its follow-ups and without the error would look complete.
  const damaged = database.transaction(() => {
    const { changes } = database
      .prepare(
        `UPDATE uploads SET ${sets.join(', ')}, state = 'failed', error = $error, error_code = $code, ended_at = $now,
           next_attempt_at = NULL, follow_up_at = NULL, cleared_at = NULL
         WHERE ${COLUMNS.map(({ isValid }) => `(${isValid}) IS NOT TRUE`).join(' OR ')}
           OR seq IN (${DAMAGED_FOLLOW_UPS})`,
      )
      .run({ error: JSON.stringify(error), code: error.code, now });
    database.prepare(`DELETE FROM follow_ups WHERE upload_seq IN (${DAMAGED_FOLLOW_UPS})`).run();
    return changes;
  });
  repairErrorCodes(database);
  repairBatches(database);
  return damaged + refuseDamagedEdits(database);
}

/**
 * Refuses edits in an unknown state, which no list would contain, so that the user sees them. Unreadable contents of an edit are
 * found when it is read. Groups with an edit that may have been tried are set to complete, because an incomplete group can only
 * have edits that were never tried.
 */
function refuseDamagedEdits(database: Database): number {
  const error: AppErrorData = appError('edit.unreadable').toData();
  return database.transaction(() => {
    const { changes } = database
      .prepare(
        `UPDATE edits SET state = 'refused', error = $error, error_code = $code, ended_at = NULL
         WHERE state NOT IN (${list(EDIT_STATES)})`,
      )
      .run({ error: JSON.stringify(error), code: error.code });
    database
      .prepare(
        `UPDATE edit_groups SET is_complete = 1 WHERE is_complete <> 1
         AND EXISTS (SELECT 1 FROM edits WHERE group_seq = edit_groups.seq AND (state <> 'pending' OR sent_at IS NOT NULL))`,
      )
      .run();
    return changes;
  });
}

/** Sets the code column to the code in the error, which is readable at this point. */
function repairErrorCodes(database: Database): void {
  const differs = `error_code IS NOT error ->> '$.code'`;
  database.prepare(`UPDATE uploads SET error_code = error ->> '$.code' WHERE ${differs}`).run();
  database.prepare(`UPDATE follow_ups SET error_code = error ->> '$.code' WHERE ${differs}`).run();
}

/** Replaces unreadable defaults and folders of batches. Each upload has its own values, so only the display of these is lost. */
function repairBatches(database: Database): void {
  const defaults: BatchDefaults = {
    titleTemplate: '{name}',
    tags: [],
    publish: { kind: 'draft' },
    duplicates: 'ask',
    sidecars: true,
    source: { kind: 'keep' },
  };
  database
    .prepare(
      `UPDATE batches SET defaults = $defaults
       WHERE (json_valid(defaults) AND json_type(defaults) = 'object') IS NOT TRUE`,
    )
    .run({ defaults: JSON.stringify(defaults) });
  for (const column of ['roots', 'links']) {
    const isList = `json_valid(${column}) AND json_type(${column}) = 'array'`;
    database.prepare(`UPDATE batches SET ${column} = '[]' WHERE (${isList}) IS NOT TRUE`).run();
  }
}
