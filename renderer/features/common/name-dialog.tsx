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
  /** The label of the field; `Name` by default. */
  label?: string;
  /** Characters; 100 by default. A longer present value is not shortened. */
  maxLength?: number;
  action: string;
  /** Saves the name. Resolves with false when that failed; the dialog then stays open. */
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the name of a saved object. */
export function NameDialog(props: NameDialogProps) {
  const { title, name, hint, label = texts.nameDialog.name, action, onSave, onClose } = props;
  const maxLength = Math.max(props.maxLength ?? MAX_NAME, name.length);
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  // Typing replaces the suggestion.
  useEffect(() => input.current?.select(), []);
  const [isMissing, setMissing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    if (text.trim() === '') return setMissing(true);
    // Pressed again meanwhile, it would create a second object.
    setBusy(true);
    if (await onSave(text.trim()).finally(() => setBusy(false))) onClose();
  };
  return (
    <FormDialog {...{ title, action, isBusy, onClose }} width={400} onSubmit={submit}>
      <TextField
        label={label}
        value={text}
        maxLength={maxLength}
        autoFocus
        inputRef={input}
        onChange={setText}
        {...(hint === undefined ? {} : { hint })}
        error={isMissing && text.trim() === '' ? { message: texts.nameDialog.missing } : null}
      />
    </FormDialog>
  );
}
