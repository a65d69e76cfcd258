import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../kit/components/forms/field.tsx';
import { FormDialog } from '../../kit/components/overlay/form-dialog.tsx';
import { RestoredNote } from './restored-note.tsx';
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
  /** Where the typed name stays until it is saved or discarded; by default it goes with the dialog. */
  draft?: { text: string | null; store: (text: string | null) => void };
  /** Saves the name. Resolves with false when that failed; the dialog then stays open. */
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the name of a saved object. */
export function NameDialog(props: NameDialogProps) {
  const { title, name, hint, label = texts.nameDialog.name, action, draft, onSave, onClose } = props;
  const maxLength = Math.max(props.maxLength ?? MAX_NAME, name.length);
  const [text, setText] = useState(draft?.text ?? name);
  const [isRestored, setRestored] = useState(draft != null && draft.text !== null);
  const type = (next: string) => {
    setText(next);
    draft?.store(next.trim() === '' ? null : next);
  };
  const input = useRef<HTMLInputElement>(null);
  // Typing replaces the suggestion.
  useEffect(() => input.current?.select(), []);
  const [isMissing, setMissing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    if (text.trim() === '') return setMissing(true);
    // Pressed again meanwhile, it would create a second object.
    setBusy(true);
    if (!(await onSave(text.trim()).finally(() => setBusy(false)))) return;
    draft?.store(null);
    onClose();
  };
  return (
    <FormDialog title={title} action={action} isBusy={isBusy} onClose={onClose} width={400} onSubmit={submit}>
      {isRestored ? (
        <RestoredNote
          onDiscard={() => {
            type('');
            setRestored(false);
            input.current?.focus();
          }}
        />
      ) : null}
      <TextField
        label={label}
        value={text}
        maxLength={maxLength}
        autoFocus
        inputRef={input}
        onChange={type}
        {...(hint === undefined ? {} : { hint })}
        error={isMissing && text.trim() === '' ? { message: texts.nameDialog.missing } : null}
      />
    </FormDialog>
  );
}
