import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../components/overlay/dialog.tsx';
import { texts } from './texts.ts';

const MAX_NAME = 100;

interface NameDialogProps {
  title: string;
  /** The name at first. */
  name: string;
  hint?: string;
  action: string;
  /** Resolves with false when it failed; the dialog then stays open. */
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the name of something that is saved. */
export function NameDialog({ title, name, hint, action, onSave, onClose }: NameDialogProps) {
  const [text, setText] = useState(name);
  const [isMissing, setMissing] = useState(false);
  const formId = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (text.trim() === '') setMissing(true);
    else if (await onSave(text.trim())) onClose();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      width={400}
      footer={
        <>
          <FooterSpace />
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" form={formId}>
            {action}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={texts.name}
          value={text}
          maxLength={MAX_NAME}
          autoFocus
          onChange={setText}
          {...(hint === undefined ? {} : { hint })}
          error={isMissing && text.trim() === '' ? { message: texts.nameMissing } : null}
        />
      </form>
    </Dialog>
  );
}
