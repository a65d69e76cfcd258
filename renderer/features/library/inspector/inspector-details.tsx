import { Trash2 } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { ITEM_FIELD, isTextField } from '../../../../shared/item/fields.ts';
import { Button } from '../../../kit/components/button.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { TagField } from '../../../kit/components/forms/tag-field.tsx';
import { RichTextField } from '../../../kit/components/rich-text/rich-text-field.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { fieldErrorsOf } from '../../../kit/text/errors.ts';
import { formatDateTime, formatUtc } from '../../../kit/text/format.ts';
import { askToDelete } from '../state/inspector-commands.ts';
import { DRAFT_FIELDS, type Draft, type DraftField } from '../state/inspector-draft.ts';
import { edit, save, useInspector } from '../state/inspector-store.ts';
import { suggestTags } from '../state/suggest-tags.ts';
import { texts } from '../texts.ts';
import { EmbedSection } from './embed-section.tsx';
import styles from './inspector.module.css';
import { DraftConflictNote, GoneNotice, RefusalNotice, RightsNotice } from './notices.tsx';
import { PublishSection } from './publish-section.tsx';
import { SaveBar } from './save-bar.tsx';

/** The editable fields of an item, and its commands. */
export function InspectorDetails() {
  const detail = useInspector((state) => state.detail);
  const draft = useInspector((state) => state.draft);
  const error = useInspector((state) => state.error);
  const problems = useInspector((state) => state.problems);
  const rights = useInspector((state) => state.rights);
  const isGone = useInspector((state) => state.gone !== null || state.busy === 'deleting');
  if (detail === null || draft === null) return null;

  const isLocked = isGone || (rights !== null && rights.edit !== null);
  const fromService = error === null ? null : fieldErrorsOf(error, DRAFT_FIELDS);
  const fields = { ...fromService?.fields, ...problems };
  const isElsewhere = fromService !== null && Object.keys(fromService.fields).length === 0;
  const errorOf = (field: DraftField) => {
    const message = fields[field];
    return message === undefined ? null : { message };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key !== 's' && event.key !== 'Enter') return;
    event.preventDefault();
    void save();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the Save shortcut, which the button below has too */}
      <div className={styles.scroll} onKeyDown={onKeyDown}>
        <GoneNotice />
        <RightsNotice />
        {error !== null && isElsewhere ? (
          <InlineError error={error}>
            {fromService.general.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </InlineError>
        ) : null}
        {DRAFT_FIELDS.map((field) => (
          <Field key={field} name={field}>
            <FieldEditor field={field} draft={draft} error={errorOf(field)} isLocked={isLocked} />
            {isTextField(field) ? <DraftConflictNote field={field} /> : null}
          </Field>
        ))}
        <PublishSection item={detail.item} />
        <EmbedSection detail={detail} />
        <DatesAndDelete />
      </div>
      <SaveBar />
    </>
  );
}

interface FieldEditorProps {
  field: DraftField;
  draft: Draft;
  error: { message: string } | null;
  isLocked: boolean;
}

/** The editor for the kind of a field. */
function FieldEditor({ field, draft, error, isLocked }: FieldEditorProps) {
  const label = texts.details[field];
  if (!isTextField(field)) {
    return (
      <TagField
        label={label}
        tags={draft[field]}
        suggest={suggestTags}
        onChange={(tags) => edit({ [field]: tags })}
        error={error?.message}
        isDisabled={isLocked}
      />
    );
  }
  const common = { label, error, isReadOnly: isLocked, onChange: (text: string) => edit({ [field]: text }) };
  if (ITEM_FIELD[field].kind === 'html') return <RichTextField {...common} html={draft[field]} />;
  return <TextField {...common} value={draft[field]} spellCheck="true" />;
}

/** A field with a name, by which the focus returns to it when another item is shown. */
function Field({ name, children }: { name: DraftField; children: ReactNode }) {
  return (
    <div className={styles.field} data-field={name}>
      {children}
    </div>
  );
}

function DatesAndDelete() {
  const item = useInspector((state) => state.detail?.item);
  const refused = useInspector((state) => state.rights?.delete ?? null);
  const busy = useInspector((state) => state.busy);
  if (item === undefined) return null;
  return (
    <div className={styles.section}>
      <div className={styles.row}>
        <div className={`${styles.grow} ${styles.small}`}>
          {item.created_on === null ? null : (
            <div title={formatUtc(item.created_on)}>{texts.details.added(formatDateTime(item.created_on))}</div>
          )}
          {item.modified_on === null ? null : (
            <div title={formatUtc(item.modified_on)}>{texts.details.changed(formatDateTime(item.modified_on))}</div>
          )}
          <div>{texts.details.numbers(item.views_count, item.likes_count, item.comments_count)}</div>
        </div>
        <Button
          variant="quiet"
          icon={<Trash2 size={14} aria-hidden />}
          isBusy={busy !== null}
          isDisabled={refused !== null}
          onPress={() => askToDelete(item.title)}
        >
          {busy === 'deleting' ? texts.details.deleting : texts.details.delete}
        </Button>
      </div>
      <RefusalNotice error={refused} />
    </div>
  );
}
