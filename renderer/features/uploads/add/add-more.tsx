import { FolderOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DuplicateChoice, SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox, Segments } from '../../../kit/components/forms/choice.tsx';
import { attempt } from '../../common/state/messages-store.ts';
import styles from './add-sheet.module.css';
import { duplicatesSentence, sourceSentence } from './preview-text.ts';
import { texts } from './texts.ts';

const DUPLICATES: readonly { value: DuplicateChoice; label: string }[] = (['ask', 'skip', 'upload'] as const).map(
  (value) => ({ value, label: texts.sheet.duplicates[value] }),
);

interface DuplicatesFieldProps {
  value: DuplicateChoice;
  /** The number of likely duplicates; null while it is unknown. */
  likely: number | null;
  onChange: (value: DuplicateChoice) => void;
}

/** Chooses how to handle files that the collection already contains. */
export function DuplicatesField({ value, likely, onChange }: DuplicatesFieldProps) {
  return (
    <Choice text={duplicatesSentence(value, likely)}>
      <Segments label={texts.sheet.duplicatesLabel} value={value} options={DUPLICATES} onChange={onChange} />
    </Choice>
  );
}

interface SidecarsFieldProps {
  isOn: boolean;
  /** The number of captions and thumbnails found; null while it is unknown. */
  found: number | null;
  onChange: (isOn: boolean) => void;
}

/** Chooses whether captions and thumbnails beside a recording are uploaded with it. */
export function SidecarsField({ isOn, found, onChange }: SidecarsFieldProps) {
  const count = found === null || !isOn ? '' : texts.sheet.sidecarsFound(found);
  return (
    <Choice text={texts.sheet.sidecarsMeaning}>
      <Checkbox isSelected={isOn} onChange={onChange}>
        {texts.sheet.sidecars}
        {count}
      </Checkbox>
    </Choice>
  );
}

type SourceKind = SourceChoice['kind'];

const SOURCES: readonly { value: SourceKind; label: string }[] = (['keep', 'move', 'trash'] as const).map((value) => ({
  value,
  label: texts.sheet.sources[value],
}));

interface SourceFieldProps {
  kind: SourceKind;
  folder: string | null;
  error: string | null;
  onChange: (kind: SourceKind, folder: string | null) => void;
}

/** Chooses how to handle the files on this computer after the upload. */
export function SourceField({ kind, folder, error, onChange }: SourceFieldProps) {
  const choose = () =>
    void attempt(async () => {
      const { path } = await call('shell.chooseFolder', { title: texts.sheet.folderDialog });
      if (path !== null) onChange('move', path);
    });
  return (
    <Choice text={sourceSentence(kind)}>
      <Segments
        label={texts.sheet.sourceLabel}
        value={kind}
        options={SOURCES}
        onChange={(next) => onChange(next, folder)}
      />
      {kind === 'move' ? (
        <div className={styles.folder} data-field="source-folder">
          <Button icon={<FolderOpen size={14} aria-hidden />} onPress={choose}>
            {folder === null ? texts.sheet.chooseFolder : texts.sheet.otherFolder}
          </Button>
          <span className={styles.folderPath} title={folder ?? ''}>
            {folder ?? texts.sheet.noFolder}
          </span>
        </div>
      ) : null}
      {error === null ? null : (
        <span className={styles.problem} role="alert">
          {error}
        </span>
      )}
    </Choice>
  );
}

function Choice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className={styles.choice}>
      {children}
      <p className={styles.meaning}>{text}</p>
    </div>
  );
}
