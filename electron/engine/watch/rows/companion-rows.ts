import { companionKindOf, isRecordingName } from '../../../../shared/model/pairing/pair-files.ts';
import {
  keysOfCompanions,
  keysOfPictures,
  keysOfRecordings,
  pairKeyOf,
  type WantedKeys,
} from '../../../../shared/model/pairing/pair-keys.ts';
import { nameOf } from '../../../../shared/model/watch/watched-file.ts';
import type { Database } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';
import type { WatchedFile } from './watched-file.ts';
import { toFile } from './watched-file-columns.ts';

/** The maximum number of rows that are read for one list of keys, those with the shortest names first. */
const MOST_ROWS = 500;
/** The number of rows that get a new key in one transaction. */
const CHUNK_ROWS = 5000;
/** The key that a migration gives to all rows. */
const UNKNOWN_KEY = '?';

/** The rows of recordings and of the files that belong to them, found by their pair keys. */
export class CompanionRows {
  readonly #database: Database;
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new Statements(database);
  }

  /** Computes the keys of rows that an earlier version wrote. A crash in between leaves the rest for the next start. */
  updateKeys(): void {
    const some = this.#statements.prepare(
      `SELECT seq, path FROM watched_files WHERE pair_key = '${UNKNOWN_KEY}' AND seq > $after ORDER BY seq LIMIT ${CHUNK_ROWS}`,
    );
    const set = this.#statements.prepare('UPDATE watched_files SET pair_key = $key WHERE seq = $seq');
    for (let after = 0; ; ) {
      const rows = some.all({ after });
      this.#database.transaction(() => {
        for (const { seq, path } of rows) set.run({ seq: seq ?? null, key: pairKeyOf(String(path)) });
      });
      if (rows.length < CHUNK_ROWS) return;
      after = Number(rows.at(-1)?.seq);
    }
  }

  /**
   * Returns every row that `pairFiles` needs to decide about one file as it would among all files of its folder: rows of existing
   * files, and rows with an upload that was queued since a time (epoch milliseconds); at most `MOST_ROWS` for each list of keys.
   */
  of(folderId: string, path: string, since: number): WatchedFile[] {
    const find = (wanted: WantedKeys) => this.#find(folderId, wanted, since);
    // Only by keys, not by ranges: a range finds recordings whose names only begin like that of a file, and these matter only for
    // a file without a recording. Here, files that have one matter.
    const recordingsOf = (files: readonly WatchedFile[]) =>
      find(joined(files.map((file) => keysOfRecordings(file.path))));
    if (isRecordingName(nameOf(path))) {
      const companions = find(keysOfCompanions(path));
      return unique([...find({ keys: [pairKeyOf(path)], range: null }), ...companions, ...recordingsOf(companions)]);
    }
    const recordings = find(keysOfRecordings(path));
    if (companionKindOf(nameOf(path)) !== 'thumbnail') return recordings;
    // A recording has at most one thumbnail, so the decision depends on the other pictures with its name.
    const pictures = find(joined(recordings.map((recording) => keysOfPictures(recording.path))));
    return unique([...recordings, ...pictures, ...recordingsOf(pictures)]);
  }

  /**
   * Makes files that wait for a recording that is no longer at its path due at `dueAt` (monotonic), as if they arrived at `now`
   * (epoch milliseconds): the recording may have been renamed, and they may be renamed next.
   */
  release(folderId: string, recording: string, { dueAt, now }: { dueAt: number; now: number }): void {
    if (!isRecordingName(nameOf(recording))) return;
    const sql = `UPDATE watched_files SET state = 'settling', due_at = $dueAt, unchanged_since = $now
      WHERE folder_id = $folderId AND state = 'attached' AND upload_id IS NULL AND gone_at IS NULL
        AND ${KEY_MATCHES} AND iif(json_valid(outcome), outcome ->> '$.clause.recording', '') = $recording`;
    this.#statements
      .prepare(sql)
      .run({ folderId, recording, dueAt, now, ...parametersOf(keysOfCompanions(recording)) });
  }

  #find(folderId: string, wanted: WantedKeys, since: number): WatchedFile[] {
    if (wanted.keys.length === 0 && wanted.range === null) return [];
    const sql = `SELECT * FROM watched_files WHERE folder_id = $folderId AND kind = 'file' AND ${KEY_MATCHES}
      AND (gone_at IS NULL OR (upload_id IS NOT NULL AND handled_at >= $since))
      ORDER BY length(pair_key), path LIMIT ${MOST_ROWS}`;
    return this.#statements
      .prepare(sql)
      .all({ folderId, since, ...parametersOf(wanted) })
      .map(toFile);
  }
}

const KEY_MATCHES = `(pair_key IN (SELECT value FROM json_each($keys)) OR (pair_key > $from AND pair_key < $to))`;

function parametersOf({ keys, range }: WantedKeys) {
  return { keys: JSON.stringify(keys), from: range?.from ?? '', to: range?.to ?? '' };
}

/** All keys, without ranges. */
function joined(all: readonly WantedKeys[]): WantedKeys {
  return { keys: [...new Set(all.flatMap(({ keys }) => keys))], range: null };
}

function unique(rows: readonly WatchedFile[]): WatchedFile[] {
  return [...new Map(rows.map((row) => [row.seq, row])).values()];
}
