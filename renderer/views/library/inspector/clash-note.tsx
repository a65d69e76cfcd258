import { useMemo } from 'react';
import { htmlToText, PARAGRAPHS } from '../../../../shared/api/html-text.ts';
import { Button } from '../../../components/button.tsx';
import { clashesOf, type Draft, type DraftField } from '../../../stores/library/inspector-draft.ts';
import { settleClash, useInspector } from '../../../stores/library/inspector-store.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/** The longest part of the other value that is shown. */
const MOST_SHOWN = 600;

/** Below a field that someone else changed too: their value, and the choice between the two. */
export function ClashNote({ field }: { field: Exclude<DraftField, 'tags'> }) {
  const values = useInspector((state) => state.values);
  const edits = useInspector((state) => state.edits);
  const isClash = useMemo(() => values !== null && clashesOf(values, edits).includes(field), [values, edits, field]);
  if (values === null || !isClash) return null;
  const theirs = shown(field, values);
  return (
    <div className={styles.clash} role="alert">
      <strong>{texts.clash.changed}</strong>
      <blockquote dir="auto">{theirs === '' ? texts.clash.nothing : theirs}</blockquote>
      <div className={styles.row}>
        <Button onPress={() => settleClash(field, 'mine')}>{texts.clash.mine}</Button>
        <Button onPress={() => settleClash(field, 'theirs')}>{texts.clash.theirs}</Button>
      </div>
    </div>
  );
}

function shown(field: Exclude<DraftField, 'tags'>, values: Draft): string {
  const text = field === 'description' ? htmlToText(values.description, PARAGRAPHS) : values[field];
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
