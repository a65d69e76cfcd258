import type { ReactNode } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import styles from './admin.module.css';
import type { useDeletion } from './state/use-deletion.ts';

interface DeletionDialogProps {
  title: string;
  keep: string;
  action: string;
  /** Shown until it is known what the deletion removes. */
  checking: string;
  deletion: Pick<ReturnType<typeof useDeletion>, 'preview' | 'unread' | 'failure' | 'isBusy' | 'load' | 'confirm'>;
  /** Why it can't be confirmed yet. */
  isWaiting?: boolean;
  onClose: () => void;
  /** What the deletion removes. */
  children: ReactNode;
}

/** The question before a deletion, which can be confirmed once the user sees what it removes. */
export function DeletionDialog({ title, keep, action, checking, deletion, children, ...props }: DeletionDialogProps) {
  const { preview, unread, failure, isBusy, load, confirm } = deletion;
  const { isWaiting = false, onClose } = props;
  // A running deletion can't be stopped: the dialog stays until it ends.
  const close = () => {
    if (!isBusy) onClose();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={close}
      role="alertdialog"
      footer={
        <>
          <FooterSpace />
          <Button autoFocus isDisabled={isBusy} onPress={close}>
            {keep}
          </Button>
          <Button
            variant="danger"
            isBusy={isBusy || preview === null || isWaiting}
            isDisabled={unread !== null}
            onPress={() => void confirm()}
          >
            {action}
          </Button>
        </>
      }
    >
      {unread === null ? null : <InlineError error={unread} onRetry={() => void load()} />}
      {failure === null ? null : <InlineError error={failure} />}
      {preview === null ? unread === null ? <p className={styles.note}>{checking}</p> : null : children}
    </Dialog>
  );
}
