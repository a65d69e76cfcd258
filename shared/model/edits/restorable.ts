import type { AppErrorData } from '../../contract/app-error.ts';
import type { EditState } from '../../contract/edits.ts';

/** Returns whether an edit was refused because someone else deleted its item or collection: it can be created again. */
export function isRestorable({
  state,
  error,
}: {
  state: EditState;
  error: Pick<AppErrorData, 'code'> | null;
}): boolean {
  return state === 'refused' && (error?.code === 'edit.item-gone' || error?.code === 'edit.collection-gone');
}
