import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, FooterSpace } from '../../../components/overlay/dialog.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

interface FormDialogProps {
  title: string;
  /** The name of the button that submits the form. */
  action: string;
  isBusy: boolean;
  /** Not called while the form is busy. */
  onSubmit: () => Promise<void>;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with one form about a file of an item. */
export function FormDialog({ title, action, isBusy, onSubmit, onClose, children }: FormDialogProps) {
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void onSubmit();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <FooterSpace />
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" form={form} isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}
