import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../button.tsx';
import { texts } from '../texts.ts';
import styles from './dialog.module.css';
import { Dialog, FooterSpace } from './dialog.tsx';

interface FormDialogProps {
  title: string;
  /** The name of the button that submits the form. */
  action: string;
  /** The form is being submitted. */
  isBusy?: boolean;
  /** The form can't be submitted in its present state. */
  isDisabled?: boolean;
  /** Pixels. */
  width?: number;
  /** Not called while the form is busy or disabled. */
  onSubmit: () => unknown;
  onClose: () => void;
  /** The fields, which show their own problems. */
  children: ReactNode;
}

/** An open dialog with one form. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isBusy = false, isDisabled = false, width, onSubmit, onClose, children } = props;
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In React, a dialog is a child of the form that opened it: that form would receive the event as well.
    event.stopPropagation();
    if (!isBusy && !isDisabled) onSubmit();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      {...(width === undefined ? {} : { width })}
      footer={
        <>
          <FooterSpace />
          <Button onPress={onClose}>{texts.overlay.cancel}</Button>
          <Button variant="primary" type="submit" form={form} isBusy={isBusy} isDisabled={isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        {children}
      </form>
    </Dialog>
  );
}
