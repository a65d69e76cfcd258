import { useMemo } from 'react';
import { htmlToText, PARAGRAPHS } from '../../../../shared/api/html-text.ts';
import { Button } from '../../../kit/components/button.tsx';
import { conflictsOf, type Draft, type DraftField } from '../state/inspector-draft.ts';
import { settleConflict, useInspector } from '../state/inspector-store.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/** The maximum number of characters of the other value that are shown. */
const MOST_SHOWN = 600;

/**
 * Shown below a field with an unsaved draft that someone else changed too: the value of the library, and the choice between both.
 */
export function DraftConflictNote({ field }: { field: Exclude<DraftField, 'tags'> }) {
  const values = useInspector((state) => state.values);
  const edits = useInspector((state) => state.edits);
  const isConflict = useMemo(
    () => values !== null && conflictsOf(values, edits).includes(field),
    [values, edits, field],
  );
  if (values === null || !isConflict) return null;
  const theirs = shown(field, values);
  return (
    <div className={styles.conflict} role="alert">
      <strong>{texts.conflict.changed}</strong>
      <blockquote dir="auto">{theirs === '' ? texts.conflict.nothing : theirs}</blockquote>
      <div className={styles.row}>
        <Button onPress={() => settleConflict(field, 'mine')}>{texts.conflict.mine}</Button>
        <Button onPress={() => settleConflict(field, 'theirs')}>{texts.conflict.theirs}</Button>
      </div>
    </div>
  );
}

function shown(field: Exclude<DraftField, 'tags'>, values: Draft): string {
  const text = field === 'description' ? htmlToText(values.description, PARAGRAPHS) : values[field];
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
