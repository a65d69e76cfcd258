import type { Database, SqlRow } from '../store/database.ts';
import { apiInstantOf } from './mirror-rows.ts';
import type { TitledItem } from './mirrors.ts';

/** Returns the next items of collections in a stable order, with pending edits. Items that are being deleted are omitted. */
export function titlePage(
  database: Database,
  collectionIds: readonly string[],
  after: number,
  limit: number,
): TitledItem[] {
  const select = `SELECT v.seq, v.id, v.title, v.type, v.collection_id, v.duration, v.created_on, v.modified_on, c.display_name
    FROM view_media v LEFT JOIN collections c ON c.id = v.collection_id
    WHERE v.seq > $after AND v.pending < 2 AND v.collection_id IN (SELECT value FROM json_each($ids))
    ORDER BY v.seq LIMIT $limit`;
  return database
    .prepare(select)
    .all({ after, limit, ids: JSON.stringify(collectionIds) })
    .map(itemOf);
}

function itemOf(row: SqlRow): TitledItem {
  const text = (value: SqlRow[string] | undefined) => (value == null ? null : String(value));
  const instant = (value: SqlRow[string] | undefined) => (value == null ? null : apiInstantOf(Number(value)));
  return {
    seq: Number(row.seq),
    id: String(row.id),
    title: String(row.title),
    type: text(row.type),
    collectionId: String(row.collection_id),
    collectionName: text(row.display_name),
    durationSeconds: row.duration === null ? null : Number(row.duration),
    createdOn: instant(row.created_on),
    modifiedOn: instant(row.modified_on),
  };
}
