import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { BatchDefaults } from '../../../shared/contract/uploads.ts';
import { FOLLOW_UP_KINDS, FOLLOW_UP_STATES } from '../../../shared/model/follow-up-kinds.ts';
import { UPLOAD_STATES } from '../../../shared/model/upload-states.ts';
import type { Database } from './database.ts';

const list = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
const STATES = list(UPLOAD_STATES);
const FOLLOW_UPS = list(FOLLOW_UP_KINDS);
const FOLLOW_UP_PHASES = list(FOLLOW_UP_STATES);

/** What a column must hold to be read. Where it does not, `repaired` takes its place. */
const COLUMNS: readonly { name: string; isSound: string; repaired: string }[] = [
  { name: 'tags', isSound: `json_valid(tags) AND json_type(tags) = 'array'`, repaired: `'[]'` },
  {
    name: 'publish',
    isSound: `json_valid(publish) AND coalesce(publish ->> 'kind', '') IN ('draft', 'now', 'at')`,
    repaired: `'{"kind":"draft"}'`,
  },
  {
    name: 'error',
    isSound: `error IS NULL OR (json_valid(error) AND json_type(error, '$.code') = 'text')`,
    repaired: 'NULL',
  },
  {
    name: 'destination',
    isSound: `destination IS NULL OR (json_valid(destination) AND json_type(destination, '$.upload_url') = 'text'
      AND json_type(destination, '$.upload_post_params') IN ('array', 'object'))`,
    repaired: 'NULL',
  },
  {
    name: 'spoiled_file_ids',
    isSound: `json_valid(spoiled_file_ids) AND json_type(spoiled_file_ids) = 'array'`,
    repaired: `'[]'`,
  },
  { name: 'duplicates', isSound: `duplicates IN ('ask', 'skip', 'upload')`, repaired: `'ask'` },
  {
    name: 'follow_ups',
    isSound: `json_valid(follow_ups) AND json_type(follow_ups) = 'array' AND NOT EXISTS (SELECT 1 FROM
      json_each(follow_ups) WHERE type <> 'object' OR coalesce(value ->> 'kind', '') NOT IN (${FOLLOW_UPS})
      OR coalesce(value ->> 'state', '') NOT IN (${FOLLOW_UP_PHASES}))`,
    repaired: `'[]'`,
  },
  {
    name: 'cancelled_from',
    isSound: `cancelled_from IS NULL OR (json_valid(cancelled_from)
      AND coalesce(cancelled_from ->> 'state', '') IN (${STATES}))`,
    repaired: 'NULL',
  },
  { name: 'state', isSound: `state IN (${STATES})`, repaired: `'failed'` },
];

/**
 * Rows whose contents make no sense (a damaged disk can change a byte without SQLite noticing) become `failed`, with what
 * can't be read left out, so that a person sees them. Answers how many there were.
 */
export function failDamagedRows(database: Database, now: number): number {
  const error: AppErrorData = appError('profile.row-damaged').toData();
  const sets = COLUMNS.filter(({ name }) => name !== 'state' && name !== 'error').map(
    ({ name, isSound, repaired }) => `${name} = CASE WHEN (${isSound}) IS TRUE THEN ${name} ELSE ${repaired} END`,
  );
  const { changes } = database
    .prepare(
      `UPDATE uploads SET ${sets.join(', ')}, state = 'failed', error = $error, ended_at = $now, next_attempt_at = NULL, follow_up_at = NULL
       WHERE ${COLUMNS.map(({ isSound }) => `(${isSound}) IS NOT TRUE`).join(' OR ')}`,
    )
    .run({ error: JSON.stringify(error), now });
  mendBatches(database);
  return changes;
}

/** What a batch began with is told by its rows as well: nothing is lost but a note. */
function mendBatches(database: Database): void {
  const defaults: BatchDefaults = {
    ...{ titleTemplate: '{name}', tags: [], publish: { kind: 'draft' }, duplicates: 'ask' },
    ...{ sidecars: true, source: { kind: 'keep' } },
  };
  database
    .prepare(
      `UPDATE batches SET defaults = $defaults
       WHERE (json_valid(defaults) AND json_type(defaults) = 'object') IS NOT TRUE`,
    )
    .run({ defaults: JSON.stringify(defaults) });
  database
    .prepare(`UPDATE batches SET roots = '[]' WHERE (json_valid(roots) AND json_type(roots) = 'array') IS NOT TRUE`)
    .run();
}
