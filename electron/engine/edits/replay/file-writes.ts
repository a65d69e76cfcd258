import { appError } from '../../../../shared/contract/app-error.ts';
import type { FileOp } from '../../../../shared/model/edits/edit-ops.ts';
import { existing, isGone } from '../../api/existing.ts';
import { contentLocation, createFile, deleteFile, getFile, listFiles } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';

/** How long the requested address is valid, in seconds: it is only compared. */
const TTL_SECONDS = 60;

/** Sends an op about a file of an item. It can be called again after an unknown outcome without a second effect. */
export async function sendFileOp(client: SiteClient, mediaId: string, op: FileOp, signal: AbortSignal): Promise<void> {
  if (op.kind === 'add-embed') return addEmbed(client, mediaId, op, signal);
  try {
    await deleteFile(client, mediaId, op.fileId, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
    // Some libraries answer 404 when a permission is missing: then the file can still be read.
    if ((await existing(getFile(client, mediaId, op.fileId, signal))) !== null)
      throw appError('api.forbidden', { cause: error });
  }
}

/** Adds embedded content unless the item has it. The API returns its address only as the location of the contents. */
async function addEmbed(
  client: SiteClient,
  mediaId: string,
  { url, name }: Extract<FileOp, { kind: 'add-embed' }>,
  signal: AbortSignal,
): Promise<void> {
  for await (const file of listFiles(client, mediaId, signal)) {
    const isStored = file.source === null || file.source === 'upload' || file.source === 'encoding';
    if (isStored || file.display_name !== name) continue;
    if ((await contentLocation(client, mediaId, file.id, TTL_SECONDS, signal)) === new URL(url).href) return;
  }
  await createFile(
    client,
    mediaId,
    { upload_name: name, upload_size: 0, upload_type: 'video', embed_url: url },
    signal,
  );
}
