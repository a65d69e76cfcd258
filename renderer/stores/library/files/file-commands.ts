import { call } from '../../../bridge/bridge.ts';
import { attempt, notify } from '../../app/messages-store.ts';
import { loadDetail } from '../inspector-store.ts';

/** Deletes a file, and reads the item again. `done`: the sentence that confirms it. */
export function deleteFile(siteId: string, mediaId: string, file: { id: string }, done: string): Promise<void> {
  return attempt(async () => {
    await call('files.delete', { siteId, mediaId, fileId: file.id });
    notify(done);
    await loadDetail();
  });
}
