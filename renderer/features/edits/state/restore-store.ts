import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EditRow } from '../../../../shared/contract/edits.ts';
import { type OfferedItem, offeredItems } from '../../../../shared/model/offered-items.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { notify } from '../../common/state/messages-store.ts';
import { texts } from './texts.ts';

/** The edit of a deleted item or collection that a dialog offers to create again. */
export const useRestore = create<{ row: EditRow | null; isBusy: boolean; error: AppErrorData | null }>(() => ({
  row: null,
  isBusy: false,
  error: null,
}));

export function openRestore(row: EditRow): void {
  useRestore.setState({ row, isBusy: false, error: null });
}

export function closeRestore(): void {
  if (!useRestore.getState().isBusy) useRestore.setState({ row: null, error: null });
}

/** Returns the items that an earlier request may have created; empty unless the error asks which of them it is. */
export function offeredIn(error: AppErrorData | null): OfferedItem[] {
  return error?.code === 'edit.item-unclear' ? offeredItems({ error }) : [];
}

/**
 * Creates the item or collection of the dialog again in a collection. An error is shown in the dialog, and the edits stay.
 * `created`: the answer to the question which item an earlier request created; null: none of them; undefined: no answer yet.
 */
export async function restoreAsNew(collectionId: string, created?: string | null): Promise<void> {
  const { row, isBusy } = useRestore.getState();
  if (row === null || isBusy) return;
  useRestore.setState({ isBusy: true, error: null });
  try {
    const answer = created === undefined ? {} : { created };
    const { name, isPending } = await call('edits.restoreAsNew', { rowId: row.id, collectionId, ...answer });
    useRestore.setState({ row: null, isBusy: false });
    notify(isPending ? texts.restoredLater(name) : texts.restored(name));
  } catch (thrown) {
    useRestore.setState({ isBusy: false, error: toErrorData(thrown) });
  }
}
