import { useMemo } from 'react';
import { htmlToText, PARAGRAPHS } from '../../../../shared/api/html-text.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { ITEM_FIELD } from '../../../../shared/item/fields.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { Button } from '../../../kit/components/button.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { formatDateTime } from '../../../kit/text/format.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { focusMediaList } from '../focus.ts';
import { discardGone } from '../state/inspector-commands.ts';
import {
  DRAFT_FIELDS,
  type Draft,
  type DraftEdits,
  type DraftField,
  hasEdits,
  itemForm,
} from '../state/inspector-draft.ts';
import { loadDetail, settleConflict, useInspector } from '../state/inspector-store.ts';
import { deselectMedia } from '../state/selection/media-selection.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';

/**
 * A notice above the fields of an item that was deleted while it was open: the user can copy unsaved changes before they are
 * discarded.
 */
export function GoneNotice() {
  const gone = useInspector((state) => state.gone);
  const edits = useInspector((state) => state.edits);
  if (gone === null) return null;
  const isDirty = hasEdits(edits);
  const copy = () =>
    attempt(async () => {
      copyText(textOf(edits));
      notify(texts.item.gone.copied);
    });
  const discard = () => {
    discardGone();
    deselectMedia();
    focusMediaList();
  };
  return (
    <InlineError error={{ ...gone, message: texts.item.gone.title, nextStep: texts.item.gone.text }}>
      {isDirty ? <p>{texts.item.gone.edits}</p> : null}
      <div className={styles.row}>
        {isDirty ? <Button onPress={() => void copy()}>{texts.item.gone.copy}</Button> : null}
        {isDirty ? <Button onPress={discard}>{texts.item.gone.discard}</Button> : null}
        <Button onPress={() => void loadDetail()}>{texts.item.gone.check}</Button>
      </div>
    </InlineError>
  );
}

/** Returns the changed fields as text, each with its name. */
function textOf(edits: DraftEdits): string {
  const parts = DRAFT_FIELDS.flatMap((field) => {
    const mine = edits[field]?.mine;
    if (mine === undefined) return [];
    const label = texts.details[field];
    if (typeof mine !== 'string') return [`${label}: ${mine.join(', ')}`];
    return [ITEM_FIELD[field].kind === 'html' ? `${label}:\n${htmlToText(mine, PARAGRAPHS)}` : `${label}: ${mine}`];
  });
  return parts.join('\n\n');
}

/** The maximum number of characters of the other value that are shown. */
const MOST_SHOWN = 600;

/**
 * Shown below a field with an unsaved draft that someone else changed too: the value of the library, and the choice between both.
 */
export function DraftConflictNote({ field }: { field: Exclude<DraftField, 'tags'> }) {
  const values = useInspector((state) => state.values);
  const edits = useInspector((state) => state.edits);
  const isConflict = useMemo(
    () => values !== null && itemForm.conflicts(values, edits).includes(field),
    [values, edits, field],
  );
  if (values === null || !isConflict) return null;
  const theirs = shown(field, values);
  return (
    <div className={styles.conflict} role="alert">
      <strong>{texts.item.conflict.changed}</strong>
      <blockquote dir="auto">{theirs === '' ? texts.item.conflict.nothing : theirs}</blockquote>
      <div className={styles.row}>
        <Button onPress={() => settleConflict(field, 'mine')}>{texts.item.conflict.mine}</Button>
        <Button onPress={() => settleConflict(field, 'theirs')}>{texts.item.conflict.theirs}</Button>
      </div>
    </div>
  );
}

function shown(field: Exclude<DraftField, 'tags'>, values: Draft): string {
  const text = field === 'description' ? htmlToText(values.description, PARAGRAPHS) : values[field];
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** A notice above fields that the account can't edit, or can edit only until a time: the reason, and that time. */
export function RightsNotice() {
  const rights = useInspector((state) => state.rights);
  const isGone = useInspector((state) => state.gone !== null);
  const hasError = useInspector((state) => state.error !== null);
  if (rights === null || isGone) return null;
  if (rights.edit !== null) {
    // The error of a refused save already contains the reason.
    return hasError ? null : <InlineError isNotice error={rights.edit} />;
  }
  if (rights.ownUntil === null) return null;
  return (
    <p className={styles.muted}>
      {texts.item.rights.ownUntil(formatDateTime(new Date(rights.ownUntil).toISOString()))}
    </p>
  );
}

/** The reason below disabled buttons: why the account can't use them, and the next step. */
export function RefusalNotice({ error }: { error: AppErrorData | null }) {
  if (error === null) return null;
  return (
    <p className={styles.muted} data-refusal={error.code}>
      {error.message} {error.nextStep}
    </p>
  );
}
