import { FolderOpen } from 'lucide-react';
import type { FolderSettings, PublishPolicy } from '../../../../shared/contract/watch-rules.ts';
import { titleTemplateProblem } from '../../../../shared/model/title-template.ts';
import { PRIORITIES } from '../../../../shared/model/uploads/priorities.ts';
import { WATCH_TITLE_TOKENS } from '../../../../shared/model/watch/watch-title.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox, Segments } from '../../../kit/components/forms/choice.tsx';
import { fieldStyles, TextField } from '../../../kit/components/forms/field.tsx';
import { TagField } from '../../../kit/components/forms/tag-field.tsx';
import { TokenButtons, withToken } from '../../../kit/components/forms/token-buttons.tsx';
import { attempt } from '../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { TIME_UNITS } from './amount.ts';
import { AmountField } from './amount-field.tsx';
import styles from './rules.module.css';

interface SettingProps<K extends keyof FolderSettings> {
  value: FolderSettings[K];
  onChange: (value: FolderSettings[K]) => void;
}

const { fields } = texts;

/** The tokens with a button. */
const OFFERED = (['name', 'clean', 'folder', 'top', 'day', 'nn', 'recorded', 'tag.title', 'tag.artist'] as const).map(
  (token) => ({ token, meaning: WATCH_TITLE_TOKENS[token] }),
);

/** The title template, with its tokens. */
export function TitleSetting({ value, onChange }: SettingProps<'titleTemplate'>) {
  const problem = titleTemplateProblem(value, WATCH_TITLE_TOKENS);
  return (
    <div className={styles.titles} data-field="titles">
      <TextField
        label={fields.titles}
        value={value}
        onChange={onChange}
        spellCheck="false"
        error={problem === null ? null : { message: problem }}
      />
      <TokenButtons label={fields.tokens} tokens={OFFERED} onAdd={(token) => onChange(withToken(value, token))} />
    </div>
  );
}

export function TagsField({ value, onChange }: SettingProps<'tags'>) {
  return <TagField label={fields.tags} tags={value} onChange={onChange} />;
}

const FIRST_DELAY_MS = 24 * 60 * 60_000;
const LEAST_DELAY_MS = 60_000;
const MOST_DELAY_MS = 366 * 24 * 60 * 60_000;
const [MINUTES] = TIME_UNITS;

/** When an item is published. */
export function PublishField({ value, onChange }: SettingProps<'publish'>) {
  const choose = (kind: PublishPolicy['kind']) =>
    onChange(kind === 'after' ? { kind, delayMs: value.kind === 'after' ? value.delayMs : FIRST_DELAY_MS } : { kind });
  return (
    <>
      <Segments
        label={fields.publish}
        value={value.kind}
        options={[
          { value: 'draft', label: fields.publishDraft },
          { value: 'now', label: fields.publishNow },
          { value: 'after', label: fields.publishAfter },
        ]}
        onChange={choose}
      />
      {value.kind !== 'after' || MINUTES === undefined ? null : (
        <div className={styles.nested}>
          <AmountField
            label={fields.publishDelay}
            value={value.delayMs}
            units={TIME_UNITS}
            startUnit={MINUTES}
            min={LEAST_DELAY_MS}
            max={MOST_DELAY_MS}
            onChange={(delayMs) => onChange({ kind: 'after', delayMs })}
          />
        </div>
      )}
    </>
  );
}

export function PriorityField({ value, onChange }: SettingProps<'priority'>) {
  return (
    <Segments
      label={fields.priority}
      value={value}
      options={PRIORITIES.map((priority) => ({ value: priority, label: fields.priorities[priority] }))}
      onChange={onChange}
    />
  );
}

export function DuplicatesSetting({ value, onChange }: SettingProps<'duplicates'>) {
  return (
    <Segments
      label={fields.duplicates}
      value={value}
      options={[
        { value: 'ask', label: fields.duplicatesAsk },
        { value: 'skip', label: fields.duplicatesSkip },
        { value: 'upload', label: fields.duplicatesUpload },
      ]}
      onChange={onChange}
    />
  );
}

export function SidecarsSetting({ value, onChange }: SettingProps<'sidecars'>) {
  return (
    <Checkbox isSelected={value} onChange={onChange}>
      {fields.sidecarsOn}
    </Checkbox>
  );
}

export function DetailsField({ value, onChange }: SettingProps<'details'>) {
  return (
    <Checkbox isSelected={value} onChange={onChange}>
      {fields.detailsOn}
    </Checkbox>
  );
}

export function ManifestSetting({ value, onChange }: SettingProps<'manifest'>) {
  return (
    <Checkbox isSelected={value} onChange={onChange}>
      {fields.manifestOn}
    </Checkbox>
  );
}

interface SourceFieldProps extends SettingProps<'source'> {
  error?: string | null;
}

/** Chooses how to handle the file on this computer after its upload. */
export function SourceSetting({ value, onChange, error = null }: SourceFieldProps) {
  const folder = value.kind === 'move' && value.folder !== '' ? value.folder : null;
  const choose = () =>
    void attempt(async () => {
      const { path } = await call('shell.chooseFolder', { title: fields.folderTitle });
      if (path !== null) onChange({ kind: 'move', folder: path });
    });
  return (
    <div className={styles.stack}>
      <Segments
        label={fields.after}
        value={value.kind}
        options={[
          { value: 'keep', label: fields.afterKeep },
          { value: 'move', label: fields.afterMove },
          { value: 'trash', label: fields.afterTrash },
        ]}
        onChange={(kind) => onChange(kind === 'move' ? { kind, folder: folder ?? '' } : { kind })}
      />
      {value.kind === 'move' ? (
        <div className={styles.folder} data-field="source-folder">
          <Button icon={<FolderOpen size={14} aria-hidden />} onPress={choose}>
            {folder === null ? fields.chooseFolder : fields.otherFolder}
          </Button>
          <span className={styles.path} title={folder ?? ''}>
            {folder ?? fields.noFolder}
          </span>
        </div>
      ) : null}
      {error === null ? null : (
        <span className={fieldStyles.error} role="alert">
          {error}
        </span>
      )}
      <p className={styles.meaning}>{fields.afterHint[value.kind]}</p>
    </div>
  );
}
