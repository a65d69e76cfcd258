import { type KeyboardEvent, useState } from 'react';
import { isSafeLink } from '../../../../shared/model/rich-text/rich-text.ts';
import { Button } from '../button.tsx';
import { TextField } from '../forms/field.tsx';
import { texts } from '../texts.ts';
import styles from './rich-text.module.css';

interface LinkFormProps {
  /** The address of the link at the selection; null when there is none. */
  href: string | null;
  /** Called with the address of the link; null removes it. */
  onSubmit: (href: string | null) => void;
  onCancel: () => void;
}

/** Asks for the address of a link. */
export function LinkForm({ href, onSubmit, onCancel }: LinkFormProps) {
  const [typed, setTyped] = useState(href ?? '');
  const [isBad, setIsBad] = useState(false);
  const submit = () => {
    const address = completeLink(typed);
    if (address === null) setIsBad(true);
    else onSubmit(address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') submit();
    else if (event.key === 'Escape') onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.link} onKeyDownCapture={(event) => (isField(event.target) ? onKeyDown(event) : undefined)}>
      <TextField
        autoFocus
        label={texts.richText.linkAddress}
        value={typed}
        placeholder={texts.richText.linkHint}
        spellCheck="false"
        onChange={(next) => {
          setTyped(next);
          setIsBad(false);
        }}
        error={isBad ? { message: texts.richText.badLink } : null}
      />
      <div className={styles.linkButtons}>
        <Button variant="primary" onPress={submit}>
          {texts.richText.setLink}
        </Button>
        {href === null ? null : <Button onPress={() => onSubmit(null)}>{texts.richText.removeLink}</Button>}
        <Button variant="quiet" onPress={onCancel}>
          {texts.richText.cancel}
        </Button>
      </div>
    </div>
  );
}

function isField(target: EventTarget): boolean {
  return target instanceof HTMLInputElement;
}

/** Returns the address of a link, completed; null when the text can't be an address. */
function completeLink(typed: string): string | null {
  const address = typed.trim();
  if (address === '' || /\s/.test(address)) return null;
  if (/^[^@/:]+@[^@/:.]+\.[^@/:]+$/.test(address)) return `mailto:${address}`;
  if (/^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#:]|$)/i.test(address)) return `https://${address}`;
  return isSafeLink(address) ? address : null;
}
