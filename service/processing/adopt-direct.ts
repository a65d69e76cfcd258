import type { FileRow } from '../resources/files/file-row.ts';
import type { Site } from '../site/site.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';

/** The reason of a file whose content somebody deleted in the storage before it was processed. */
export const CONTENT_VANISHED = 'The uploaded content is not in the storage any more.';

/**
 * Copies what a client has sent to the storage itself to a name that nobody else can write to. Returns the row as it is then;
 * `deleted` when the file was deleted meanwhile, `vanished` when its content was.
 */
export async function adoptDirect(
  site: Site,
  row: FileRow,
  signal: AbortSignal,
): Promise<FileRow | 'deleted' | 'vanished'> {
  const { store, blobs } = site;
  const { incoming_name: name } = row;
  if (name === null) return row;
  if (blobs.direct === undefined) throw new Error('The storage has no direct uploads any more.');
  const storedName = await blobs.direct.adopt(name, signal);
  if (storedName === undefined) return 'vanished';
  const size = await blobs.size(storedName);
  if (size === undefined) throw new StorageUnavailable('the copy is not there');
  const changed = await store.transaction(async () => {
    const kept = await store.run(
      `UPDATE files SET stored_name = ?, incoming_name = NULL, size = ?, received_name = display_name
       WHERE id = ? AND status = 'processing' AND incoming_name = ?`,
      storedName,
      size,
      row.id,
      name,
    );
    return kept.changes > 0;
  });
  await blobs.direct.remove(name);
  if (changed) return { ...row, stored_name: storedName, incoming_name: null, size };
  await blobs.remove(storedName);
  return 'deleted';
}
