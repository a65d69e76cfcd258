import { useEffect, useState } from 'react';
import type { MediaRef } from '../../../../shared/contract/media-ref.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { fieldErrorsOf, toErrorData } from '../../../kit/text/errors.ts';
import { embed } from '../state/files/file-commands.ts';
import { texts } from './texts.ts';

interface WebDialogProps {
  item: MediaRef;
  /** The web content to replace; null: the dialog adds new content. */
  old: { id: string; name: string } | null;
  onClose: () => void;
}

interface Problem {
  message: string;
  nextStep: string | null;
}

/** The problems of the fields. */
interface Problems {
  url?: Problem;
  name?: Problem;
}

/** Returns the messages of a refusal by field; messages that belong to no field are returned for the address. */
function problemsOf(thrown: unknown): Problems {
  const error = toErrorData(thrown);
  const { upload_name: name } = fieldErrorsOf(error, ['upload_name']).fields;
  return name === undefined ? { url: error } : { name: { message: name, nextStep: null } };
}

/** Adds content of another website to an item, or changes the address of such content. */
export function WebDialog({ item, old, onClose }: WebDialogProps) {
  const { siteId, mediaId } = item;
  const [url, setUrl] = useState('');
  const [name, setName] = useState(old?.name ?? '');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const oldId = old?.id ?? null;
  useEffect(() => {
    if (oldId === null) return;
    let isOpen = true;
    call('files.webAddress', { siteId, mediaId, fileId: oldId }).then(
      (current) => isOpen && setUrl((typed) => typed || current.url),
      (thrown) => isOpen && setProblems(problemsOf(thrown)),
    );
    return () => {
      isOpen = false;
    };
  }, [siteId, mediaId, oldId]);

  const submit = async () => {
    const address = url.trim();
    if (!isWebAddress(address)) {
      setProblems({ url: { message: texts.web.invalid, nextStep: null } });
      return;
    }
    setBusy(true);
    try {
      await embed(item, { url: address, name: name.trim() || address.slice(0, 500), replaces: old });
      onClose();
    } catch (thrown) {
      setProblems(problemsOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={old === null ? texts.web.addTitle : texts.web.changeTitle}
      action={old === null ? texts.web.add : texts.web.save}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.web.address}
        hint={texts.web.addressHint}
        value={url}
        maxLength={2000}
        spellCheck="false"
        autoFocus
        error={problems.url ?? null}
        onChange={(next) => {
          setUrl(next);
          setProblems({});
        }}
      />
      <TextField
        label={texts.web.name}
        hint={texts.web.nameHint}
        value={name}
        maxLength={500}
        error={problems.name ?? null}
        onChange={(next) => {
          setName(next);
          setProblems(({ url: problem }) => (problem === undefined ? {} : { url: problem }));
        }}
      />
    </FormDialog>
  );
}

function isWebAddress(text: string): boolean {
  return text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
