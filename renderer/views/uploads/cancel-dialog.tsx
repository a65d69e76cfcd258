import { ConfirmDialog } from '../../components/dialog.tsx';
import { askToCancel, command, useUploads } from '../../stores/uploads-store.ts';
import { counted } from '../../text/format.ts';

/** Asks before several uploads, or one that is under way, are given up. */
export function CancelDialog() {
  const ids = useUploads((state) => state.cancelling);
  if (ids === null) return null;
  const what = ids.length === 1 ? 'this upload' : counted(ids.length, 'upload');
  return (
    <ConfirmDialog
      title={`Cancel ${what}?`}
      text="What was sent so far is given up and taken out of the library again. The files on this computer stay as they are, and a cancelled upload can be retried."
      confirm={ids.length === 1 ? 'Cancel the upload' : 'Cancel the uploads'}
      isOpen
      onConfirm={() => void command('cancel', { kind: 'ids', ids: [...ids] })}
      onClose={() => askToCancel(null)}
    />
  );
}
