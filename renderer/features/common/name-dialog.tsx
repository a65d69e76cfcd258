import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../kit/components/forms/field.tsx';
import { FormDialog } from '../../kit/components/overlay/form-dialog.tsx';
import { texts } from './texts.ts';

const MAX_NAME = 100;

interface NameDialogProps {
  title: string;
  /** The suggested name. */
  name: string;
  hint?: string;
  action: string;
  /** Saves the name. Resolves with false when that failed; the dialog then stays open. */
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the name of a saved object. */
export function NameDialog({ title, name, hint, action, onSave, onClose }: NameDialogProps) {
  const [text, setText] = useState(name.slice(0, MAX_NAME));
  const input = useRef<HTMLInputElement>(null);
  // Typing replaces the suggestion.
  useEffect(() => input.current?.select(), []);
  const [isMissing, setMissing] = useState(false);
  const submit = async () => {
    if (text.trim() === '') setMissing(true);
    else if (await onSave(text.trim())) onClose();
  };
  return (
    <FormDialog {...{ title, action, onClose }} width={400} onSubmit={submit}>
      <TextField
        label={texts.nameDialog.name}
        value={text}
        maxLength={MAX_NAME}
        autoFocus
        inputRef={input}
        onChange={setText}
        {...(hint === undefined ? {} : { hint })}
        error={isMissing && text.trim() === '' ? { message: texts.nameDialog.missing } : null}
      />
    </FormDialog>
  );
}
