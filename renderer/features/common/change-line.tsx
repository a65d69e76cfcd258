import { ArrowRight } from 'lucide-react';
import type { EditFieldChange } from '../../../shared/contract/edits.ts';
import styles from './change-line.module.css';
import { changeName, type NameOf, tagChanges, valueText, wholeChangeText } from './change-text.ts';
import { texts } from './texts.ts';

interface ChangeLineProps {
  change: Pick<EditFieldChange, 'field' | 'before' | 'after'>;
  nameOf: NameOf;
  /** Whether the line contains the name of the field: needed in lists with lines of several fields. */
  showsField: boolean;
}

/** One changed field in one line: before → after, or the added and removed tags. */
export function ChangeLine({ change, nameOf, showsField }: ChangeLineProps) {
  const { field, before, after } = change;
  const name = changeName(change);
  const whole = wholeChangeText(change, nameOf);
  if (whole !== null) {
    return (
      <div className={styles.line} title={whole}>
        <span className={styles.whole}>{whole}</span>
      </div>
    );
  }
  const tags = tagChanges(change);
  const from = valueText(field, before, nameOf);
  const to = valueText(field, after, nameOf);
  return (
    <div className={styles.line} title={texts.values.change(name, from, to)}>
      {showsField ? <span className={styles.field}>{name}</span> : null}
      {tags === null ? (
        <>
          <del className={styles.before}>{from}</del>
          <ArrowRight size={12} className={styles.arrow} aria-hidden />
          <ins className={styles.after}>{to}</ins>
        </>
      ) : (
        <>
          {tags.added.map((tag) => (
            <ins key={tag} className={styles.added}>
              +&#8202;{tag}
            </ins>
          ))}
          {tags.removed.map((tag) => (
            <del key={tag} className={styles.removed}>
              −&#8202;{tag}
            </del>
          ))}
        </>
      )}
    </div>
  );
}
