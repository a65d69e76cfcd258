import { FileText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { MediaFile } from '../../../../shared/api/files.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CaptionsFacts } from '../../../../shared/contract/file-calls.ts';
import type { MediaRef } from '../../../../shared/contract/media-ref.ts';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { CAPTIONS_ENCODINGS, type CaptionsEncoding } from '../../../../shared/formats/captions/captions-kinds.ts';
import { readCaptionName, savedCaptionLabel } from '../../../../shared/model/caption-name.ts';
import { call, pathForFile } from '../../../kit/bridge/bridge.ts';
import { chooseFiles } from '../../../kit/bridge/files-and-clipboard.ts';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { removeUpload } from '../../uploads/state/upload-row-commands.ts';
import { report } from '../state/files/file-commands.ts';
import { isElsewhere } from '../state/files/playable.ts';
import { FileField } from './file-field.tsx';
import styles from './files.module.css';
import { LanguagePicker } from './language-picker.tsx';
import { languageText } from './languages.ts';
import { texts } from './texts.ts';

interface CaptionsDialogProps {
  item: MediaRef;
  /** The captions to change; null: the dialog adds new ones. */
  captions: { id: string; name: string } | null;
  /** An upload of captions that the library refused: the added captions replace it. */
  failed: UploadRow | null;
  files: readonly MediaFile[];
  onClose: () => void;
}

interface ChosenFile {
  path: string;
  name: string;
  facts: CaptionsFacts;
  /** The user's choice; null: detected. */
  encoding: CaptionsEncoding | null;
}

const ACCEPTED = '.vtt,.srt,.dfxp,.ttml,.xml';

/** Adds captions, or changes their file, label and language. A refusal of the library is shown at its field. */
export function CaptionsDialog({ item, captions, failed, files, onClose }: CaptionsDialogProps) {
  const recordings = files.filter((file) => (file.type === 'video' || file.type === 'audio') && !isElsewhere(file));
  const named = readCaptionName(captions?.name ?? failed?.fileName ?? '');
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [label, setLabel] = useState(named.label);
  /** undefined: the typed text is no language. */
  const [language, setLanguage] = useState<string | null | undefined>(named.language);
  const [recordingId, setRecordingId] = useState(
    failed?.addition?.kind === 'captions' ? failed.addition.recordingId : (recordings[0]?.id ?? ''),
  );
  const [fileError, setFileError] = useState<AppErrorData | null>(failed?.error ?? null);
  const [languageError, setLanguageError] = useState<{ message: string } | null>(null);
  const [isBusy, setBusy] = useState(false);

  const choose = async () => {
    const [chosen] = await chooseFiles({ accept: ACCEPTED, multiple: false });
    if (chosen !== undefined) await read({ path: pathForFile(chosen), name: chosen.name }, null);
  };

  /** Reads a file in the encoding that the user chose; null: detected. */
  const read = async ({ path, name }: Pick<ChosenFile, 'path' | 'name'>, encoding: CaptionsEncoding | null) => {
    try {
      const facts = await call('files.checkCaptions', { path, encoding });
      setFile({ path, name, facts, encoding });
      setFileError(null);
      // A language that the user chose stays.
      if (language === null && facts.language !== null) setLanguage(facts.language);
    } catch (thrown) {
      setFile(null);
      setFileError(toErrorData(thrown));
    }
  };

  const submit = async () => {
    if (language === undefined) {
      setLanguageError({ message: texts.captions.unknownLanguage });
      return;
    }
    if (file === null && captions === null) {
      setFileError({ code: 'input.invalid', message: texts.captions.fileMissing, nextStep: null, details: null });
      return;
    }
    setBusy(true);
    try {
      const name = { label: label.trim() || nameless(language), language };
      const added =
        file === null
          ? await call('files.renameCaptions', { ...item, fileId: captions?.id ?? '', recordingId, ...name })
          : await call('files.addCaptions', {
              ...item,
              recordingId,
              path: file.path,
              encoding: file.encoding,
              replaces: captions?.id ?? failed?.fileId ?? null,
              ...name,
            });
      if (failed !== null) await removeUpload(failed.id);
      await report(added);
      onClose();
    } catch (thrown) {
      setFileError(toErrorData(thrown));
    } finally {
      setBusy(false);
    }
  };

  return (
    <FormDialog
      title={captions === null ? texts.captions.addTitle : texts.captions.editTitle}
      action={captions === null ? texts.captions.add : texts.captions.save}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <FileField
        label={texts.captions.file}
        icon={<FileText size={15} aria-hidden />}
        name={file?.name ?? captions?.name ?? failed?.fileName ?? null}
        hint={file === null ? texts.captions.formats : file.facts.isGuessed ? texts.captions.guessed : null}
        error={fileError}
        autoFocus={captions === null}
        onChoose={() => void choose()}
      />
      {file !== null && hasChoice(file) ? (
        <EncodingSelect file={file} onChange={(next) => void read(file, next)} />
      ) : null}
      {recordings.length < 2 ? null : (
        <Select
          label={texts.captions.recording}
          value={recordingId}
          options={recordings.map(({ id, display_name }) => ({ value: id, label: display_name }))}
          onChange={setRecordingId}
        />
      )}
      <TextField
        label={texts.captions.label}
        hint={labelHint(label, language ?? null)}
        value={label}
        maxLength={200}
        onChange={setLabel}
      />
      <LanguagePicker
        key={file?.path ?? ''}
        value={language ?? null}
        error={languageError}
        onChange={(next) => {
          setLanguage(next);
          setLanguageError(null);
        }}
      />
      {captions === null ? null : <p className={styles.small}>{texts.captions.editHint}</p>}
    </FormDialog>
  );
}

/** Returns whether the user can choose an encoding: nothing names that of SRT unless it is UTF-8. */
function hasChoice({ facts, encoding }: ChosenFile): boolean {
  return facts.format === 'srt' && (facts.encoding !== 'utf-8' || encoding !== null);
}

interface EncodingSelectProps {
  file: ChosenFile;
  onChange: (encoding: CaptionsEncoding) => void;
}

/** The encoding of captions, with a text by which the user can judge it. */
function EncodingSelect({ file: { facts }, onChange }: EncodingSelectProps) {
  return (
    <>
      <Select
        label={texts.captions.encoding}
        value={facts.encoding}
        options={CAPTIONS_ENCODINGS.map((value) => ({ value, label: texts.captions.encodings[value] }))}
        onChange={onChange}
      />
      {facts.sample === '' ? null : <p className={styles.small}>{texts.captions.sample(facts.sample)}</p>}
    </>
  );
}

/** Returns the hint below a label: how it is saved when it can't be saved as typed; otherwise the meaning of a label. */
function labelHint(label: string, language: string | null): ReactNode {
  const typed = label.trim();
  if (typed === '') return texts.captions.labelHint;
  const saved = savedCaptionLabel({ label: typed, language });
  return saved === typed ? (
    texts.captions.labelHint
  ) : (
    <span className={styles.changed}>{texts.captions.labelChanged(saved)}</span>
  );
}

/** Returns a label for captions without one, because players need a name: the name of the language, or a general one. */
function nameless(language: string | null): string {
  return language === null ? texts.captions.plainName : languageText(language);
}
