import { Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/forms/field.tsx';
import { TagField } from '../../../components/forms/tag-field.tsx';
import { InlineError } from '../../../components/status/empty-state.tsx';
import { hasFormatting } from '../../../stores/library/description.ts';
import { isDirty } from '../../../stores/library/inspector-draft.ts';
import { askToDelete, edit, revert, save, useInspector } from '../../../stores/library/inspector-store.ts';
import { fieldErrorsOf } from '../../../text/errors.ts';
import { formatDateTime, formatUtc } from '../../../text/format.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';
import { PublishSection } from './publish-section.tsx';

const FIELDS = ['title', 'byline', 'description', 'tags'] as const;

/** The editable fields of an item, and its commands. */
export function InspectorDetails() {
  const detail = useInspector((state) => state.detail);
  const draft = useInspector((state) => state.draft);
  const opened = useInspector((state) => state.opened);
  const busy = useInspector((state) => state.busy);
  const error = useInspector((state) => state.error);
  const problems = useInspector((state) => state.problems);
  if (detail === null || draft === null || opened === null) return null;

  const fromService = error === null ? null : fieldErrorsOf(error, FIELDS);
  const fields = { ...fromService?.fields, ...problems };
  const isElsewhere = fromService !== null && Object.keys(fromService.fields).length === 0;
  const errorOf = (field: (typeof FIELDS)[number]) => {
    const message = fields[field];
    return message === undefined ? null : { message };
  };
  const dirty = isDirty(opened, draft);
  const formatted = hasFormatting(detail.item.description);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key !== 's' && event.key !== 'Enter') return;
    event.preventDefault();
    if (dirty) void save();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the Save shortcut, which the button below has too */}
      <div className={styles.scroll} onKeyDown={onKeyDown}>
        {error !== null && isElsewhere ? (
          <InlineError error={error}>
            {fromService.general.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </InlineError>
        ) : null}
        <TextField
          label={texts.details.title}
          value={draft.title}
          onChange={(title) => edit({ title })}
          error={errorOf('title')}
          isDisabled={busy === 'deleting'}
        />
        <TextField
          label={texts.details.byline}
          value={draft.byline}
          onChange={(byline) => edit({ byline })}
          error={errorOf('byline')}
        />
        <TextField
          label={texts.details.description}
          rows={6}
          value={draft.description}
          onChange={(description) => edit({ description })}
          error={errorOf('description')}
          {...(formatted ? { hint: texts.details.formatted } : {})}
        />
        <TagField
          label={texts.details.tags}
          tags={draft.tags}
          onChange={(tags) => edit({ tags })}
          error={fields.tags}
        />
        <PublishSection item={detail.item} />
        <DatesAndDelete />
      </div>
      {dirty || busy === 'saving' ? (
        <div className={styles.savebar}>
          <span className={styles.grow} role="status" title={texts.details.unsavedHint}>
            <span className={styles.dirtyDot} aria-hidden />
            {texts.details.unsaved}
          </span>
          <Button onPress={revert} isBusy={busy !== null}>
            {texts.details.revert}
          </Button>
          <Button variant="primary" onPress={() => void save()} isBusy={busy !== null}>
            {busy === 'saving' ? texts.details.saving : texts.details.save}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function DatesAndDelete() {
  const item = useInspector((state) => state.detail?.item);
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
        </div>
        <Button
          variant="quiet"
          icon={<Trash2 size={14} aria-hidden />}
          isBusy={busy !== null}
          onPress={() => askToDelete(item.title)}
        >
          {busy === 'deleting' ? texts.details.deleting : texts.details.delete}
        </Button>
      </div>
    </div>
  );
}
