import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { confirmRemoval, keepFolder, useRemoval } from './state/watch-commands.ts';
import { texts } from './texts.ts';

/** Asks for confirmation before a folder is no longer watched. */
export function RemoveFolderDialog() {
  const folder = useRemoval((state) => state.folder);
  if (folder === null) return null;
  return (
    <ConfirmDialog
      title={texts.remove.title(folder.name)}
      text={texts.remove.text}
      keep={texts.remove.keep}
      confirm={texts.remove.confirm}
      isOpen
      closesFirst={false}
      onConfirm={() => void confirmRemoval()}
      onClose={keepFolder}
    />
  );
}
