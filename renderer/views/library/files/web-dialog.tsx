import { type FormEvent, useEffect, useState } from 'react';
import { call } from '../../../bridge/bridge.ts';
import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../components/overlay/dialog.tsx';
import { embed, type ItemRef } from '../../../stores/library/files/file-commands.ts';
import { toErrorData } from '../../../text/errors.ts';
import styles from './files.module.css';
import { texts } from './texts.ts';

const FORM = 'web-content-form';

interface WebDialogProps {
  item: ItemRef;
  /** The web content that is replaced; null: new content is added. */
  old: { id: string; name: string } | null;
  onClose: () => void;
}

interface Problem {
  message: string;
  nextStep: string | null;
}

/** Adds content of another website to an item, or changes its address. */
export function WebDialog({ item, old, onClose }: WebDialogProps) {
  const { siteId, mediaId } = item;
  const [url, setUrl] = useState('');
  const [name, setName] = useState(old?.name ?? '');
  const [error, setError] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const oldId = old?.id ?? null;
  useEffect(() => {
    if (oldId === null) return;
    let isOpen = true;
    call('files.webAddress', { siteId, mediaId, fileId: oldId }).then(
      (current) => isOpen && setUrl((typed) => typed || current.url),
      (thrown) => isOpen && setError(toErrorData(thrown)),
    );
    return () => {
      isOpen = false;
    };
  }, [siteId, mediaId, oldId]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const address = url.trim();
    if (!isWebAddress(address)) {
      setError({ message: texts.web.invalid, nextStep: null });
      return;
    }
    setBusy(true);
    try {
      await embed(item, { url: address, name: name.trim() || address.slice(0, 500), replaces: old });
      onClose();
    } catch (thrown) {
      setError(toErrorData(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={old === null ? texts.web.addTitle : texts.web.changeTitle}
      isOpen
      onClose={onClose}
      footer={
        <>
          <FooterSpace />
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} isBusy={isBusy}>
            {old === null ? texts.web.add : texts.web.save}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} onSubmit={(event) => void submit(event)}>
        <TextField
          label={texts.web.address}
          hint={texts.web.addressHint}
          value={url}
          maxLength={2000}
          spellCheck="false"
          autoFocus
          error={error}
          onChange={(next) => {
            setUrl(next);
            setError(null);
          }}
        />
        <TextField label={texts.web.name} hint={texts.web.nameHint} value={name} maxLength={500} onChange={setName} />
      </form>
    </Dialog>
  );
}

function isWebAddress(text: string): boolean {
  return text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
