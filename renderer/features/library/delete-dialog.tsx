import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { focusMediaList } from './focus.ts';
import { deleteInspected, keepItem, useInspector } from './state/inspector-store.ts';
import { mediaList } from './state/media-store.ts';
import { texts } from './texts.ts';

/** Asks for confirmation before the shown item is deleted. */
export function DeleteDialog() {
  const title = useInspector((state) => state.deleting);
  if (title === null) return null;
  const remove = async () => {
    const { selection } = mediaList.useList.getState();
    if (!(await deleteInspected())) return;
    // The row below moves to the position of the deleted one, so the arrow keys continue from there.
    mediaList.select({ ids: new Set(), focus: selection.focus, anchor: -1 });
    focusMediaList();
  };
  return (
    <ConfirmDialog
      title={texts.details.deleteTitle(title)}
      text={texts.details.deleteText}
      confirm={texts.details.deleteConfirm}
      isOpen
      onConfirm={() => void remove()}
      onClose={keepItem}
    />
  );
}
