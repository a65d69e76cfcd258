import { type CSSProperties, type ReactNode, useId } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button, classes } from '../button.tsx';
import { texts } from '../texts.ts';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Default: a button that closes the dialog. */
  footer?: ReactNode;
  /** Pixels. */
  width?: number;
  /** Fills the window; its content scrolls by itself. */
  isFull?: boolean;
  /** The content is only text: Tab reaches it, so that the keyboard can scroll it. */
  isText?: boolean;
  /** `alertdialog`: screen readers read its text when it opens. */
  role?: 'dialog' | 'alertdialog';
}

export function Dialog(props: DialogProps) {
  const {
    title,
    isOpen,
    onClose,
    children,
    footer,
    width = 440,
    isFull = false,
    isText = false,
    role = 'dialog',
  } = props;
  const bodyId = useId();
  return (
    <ModalOverlay
      className={classes(styles.veil, isFull && styles.full)}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={styles.modal ?? ''} style={{ '--dialog-width': `${width}px` } as CSSProperties}>
        <AriaDialog
          role={role}
          className={styles.dialog ?? ''}
          {...(role === 'alertdialog' ? { 'aria-describedby': bodyId } : {})}
        >
          <Heading slot="title" className={styles.title ?? ''}>
            {title}
          </Heading>
          <div
            id={bodyId}
            className={styles.body}
            {...(isText ? { role: 'group', 'aria-label': title, tabIndex: 0 } : {})}
          >
            {children}
          </div>
          <div className={styles.footer}>{footer ?? <CloseOnly onClose={onClose} />}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function CloseOnly({ onClose }: { onClose: () => void }) {
  return (
    <>
      <FooterSpace />
      <Button onPress={onClose}>{texts.overlay.close}</Button>
    </>
  );
}

/** Moves the elements after it to the right end of a footer. */
export function FooterSpace() {
  return <span className={styles.space} />;
}

interface ConfirmDialogProps {
  title: string;
  /** One paragraph, or several. */
  text: string | readonly string[];
  /** The label of the button without an effect; it has the focus. */
  keep?: string;
  confirm: string;
  /** `primary`: the action loses nothing. */
  variant?: 'danger' | 'primary';
  isOpen: boolean;
  /** False when `onConfirm` itself closes the dialog or asks again. */
  closesFirst?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation of an action that can't be undone, or interrupts the user. Enter changes nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, keep = texts.overlay.keep, confirm, isOpen, closesFirst = true, onConfirm, onClose } = props;
  const { variant = 'danger' } = props;
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      role="alertdialog"
      width={420}
      footer={
        <>
          <FooterSpace />
          <Button autoFocus onPress={onClose}>
            {keep}
          </Button>
          <Button
            variant={variant}
            onPress={() => {
              if (closesFirst) onClose();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {(typeof text === 'string' ? [text] : text).map((paragraph) => (
        <p key={paragraph} className={styles.text}>
          {paragraph}
        </p>
      ))}
    </Dialog>
  );
}
