/** The ops of an edit as rows; none when they can't be read. */
const OPS = `json_each(CASE WHEN json_valid(edits.ops) THEN edits.ops ELSE '[]' END) AS op`;
/** The library did what an op wanted. */
const WAS_DONE = `op.value ->> '$.outcome' IN ('sent', 'same')`;
const COLLECTION_DELETED = `edits.entity_kind = 'collection' AND op.value ->> '$.op.kind' = 'delete-collection' AND ${WAS_DONE}`;

/**
 * The condition that this profile itself deleted the file of a row of `uploads`, or its item: such a file is not lost. A new file
 * replaced it, or an edit deleted the file, its item or the collection that contained it.
 */
export const DELETED_HERE = `(
  EXISTS (
    SELECT 1 FROM follow_ups JOIN uploads AS newer ON newer.seq = follow_ups.upload_seq
    WHERE newer.media_id = uploads.media_id AND newer.site_id = uploads.site_id
      AND follow_ups.kind = 'old-file' AND follow_ups.state = 'done' AND follow_ups.file_id = uploads.file_id
  ) OR EXISTS (
    SELECT 1 FROM edits, ${OPS}
    WHERE edits.site_id = uploads.site_id AND edits.entity_kind = 'media' AND edits.entity_id = uploads.media_id AND ${WAS_DONE}
      AND (op.value ->> '$.op.kind' = 'delete'
        OR op.value ->> '$.op.kind' = 'delete-file' AND op.value ->> '$.op.fileId' = uploads.file_id)
  ) OR (site_id, collection_id) IN (
    SELECT edits.site_id, edits.entity_id FROM edits, ${OPS} WHERE ${COLLECTION_DELETED}
  ) OR (site_id, media_id) IN (
    SELECT edits.site_id, begun.value FROM edits, ${OPS}, json_each(op.value, '$.begunItems') AS begun WHERE ${COLLECTION_DELETED}
  )
)`;
