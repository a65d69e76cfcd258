import type { UploadSelection } from '../../../../shared/contract/uploads.ts';
import { UNDO_COMMAND_MS } from '../../../../shared/model/uploads/cancel-effects.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { announce, attempt, notify, warn } from '../../common/state/messages-store.ts';
import { offerUndo } from '../../common/state/undos.ts';
import { deselect } from './outline/outline-store.ts';
import { texts } from './texts.ts';

/**
 * Removes ended uploads from the list, and offers to undo that for a while. Their receipts stay. `completed` keeps failed uploads
 * and open decisions; `ended` removes them as well.
 */
export function clearUploads(selection: UploadSelection, what: 'completed' | 'ended'): Promise<void> {
  return attempt(async () => {
    const { changed, undoId } = await call('uploads.clear', { selection, what });
    if (undoId === null) {
      announce(texts.nothingToClear);
      return;
    }
    deselect();
    offerUndo(texts.cleared(changed), UNDO_COMMAND_MS, async () => {
      const undone = await call('uploads.undoClear', { undoId });
      if (undone.changed > 0) notify(texts.listedAgain(undone.changed));
      else warn(texts.tooLateToUndo, texts.findInReceipt);
    });
  });
}
