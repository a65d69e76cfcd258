import type { EditPlan } from '../../../../shared/contract/edits.ts';
import { EDIT_FIELDS } from '../../../../shared/model/edits/edit-ops.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { texts as sharedTexts } from '../../common/texts.ts';
import styles from './selection.module.css';
import { texts } from './texts.ts';

interface ReviewSummaryProps {
  plan: EditPlan;
  excluded: number;
  isDeletion: boolean;
}

/** The changed items by field, and why items of the selection are not changed. */
export function ReviewSummary({ plan, excluded, isDeletion }: ReviewSummaryProps) {
  const { problems, unchanged, missing, byField } = plan;
  const words = texts.review;
  const fields = isDeletion ? [] : EDIT_FIELDS.filter((field) => (byField[field] ?? 0) > 0);
  const notes = [
    ...(problems > 0 ? [{ text: words.problems(problems), isBad: true }] : []),
    ...(excluded > 0 ? [{ text: words.excluded(excluded), isBad: false }] : []),
    ...(unchanged > 0 && plan.total > 0 ? [{ text: words.unchanged(unchanged), isBad: false }] : []),
    ...(missing > 0 ? [{ text: words.missing(missing), isBad: true }] : []),
  ];
  return (
    <div className={styles.summary}>
      {fields.map((field) => (
        <span key={field} className={styles.fieldCount}>
          {sharedTexts.fields[field]} <b>{formatCount(byField[field] ?? 0)}</b>
        </span>
      ))}
      {notes.map(({ text, isBad }) => (
        <span key={text} className={isBad ? styles.badNote : styles.note}>
          {text}
        </span>
      ))}
    </div>
  );
}
