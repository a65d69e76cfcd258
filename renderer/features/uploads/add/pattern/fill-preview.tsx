import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import { ITEM_FIELDS, type ItemField } from '../../../../../shared/item/fields.ts';
import { classes } from '../../../../kit/components/button.tsx';
import { Segments } from '../../../../kit/components/forms/choice.tsx';
import { InlineError } from '../../../../kit/components/status/empty-state.tsx';
import { recordedText } from '../../state/file-text.ts';
import type { FilledRow, FillPlan } from '../../state/fill-pattern.ts';
import parts from '../parts.module.css';
import { texts as sheetTexts } from '../texts.ts';
import styles from './fill-dialog.module.css';

const texts = sheetTexts.fill;
/** The maximum number of rows in the preview; more would delay every key. */
const MOST_ROWS = 100;
type Shown = 'all' | 'problems';

interface FillPreviewProps {
  /** The result of the pattern; null while there is nothing to preview. */
  plan: FillPlan | null;
  /** The hint for missing input. */
  hint: string | null;
  /** The reason why the contents of files are unknown. */
  error: AppErrorData | null;
}

/** The result of a pattern: each file with its values, or the reason why it has none. */
export function FillPreview({ plan, hint, error }: FillPreviewProps) {
  const [chosen, setShown] = useState<Shown>('all');
  if (error !== null) return <InlineError error={error} />;
  if (hint !== null || plan === null) {
    return (
      <div className={styles.preview}>
        <p className={classes(parts.empty, styles.empty)} role="status">
          {hint}
        </p>
      </div>
    );
  }
  const shown = plan.problems === 0 ? 'all' : chosen;
  const rows = shown === 'all' ? plan.rows : plan.rows.filter(({ problem }) => problem !== null);
  const fields = ITEM_FIELDS.filter((field) => plan.rows.some(({ cells }) => cells[field] !== undefined));
  return (
    <div className={styles.preview}>
      <div className={styles.previewHead}>
        <p role="status">
          {plan.pending > 0
            ? texts.reading(plan.rows.length - plan.pending, plan.rows.length)
            : texts.counts(plan.changed, plan.problems)}
        </p>
        {plan.problems === 0 ? null : (
          <Segments<Shown>
            label={texts.shownRows}
            hideLabel
            value={shown}
            options={[
              { value: 'all', label: texts.shown.all(plan.rows.length) },
              { value: 'problems', label: texts.shown.problems(plan.problems) },
            ]}
            onChange={setShown}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={styles.scroller} aria-label={texts.values} tabIndex={0}>
        <table className={styles.table} style={{ minWidth: 190 + 150 * fields.length }}>
          <thead>
            <tr>
              <th scope="col" className={styles.head}>
                {texts.file}
              </th>
              {fields.map((field) => (
                <th key={field} scope="col" className={styles.head}>
                  {texts.fields[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((row) => (
              <PreviewRow key={row.row} row={row} fields={fields} />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > MOST_ROWS ? <p className={styles.more}>{texts.listedFirst(MOST_ROWS)}</p> : null}
    </div>
  );
}

interface PreviewRowProps {
  row: FilledRow;
  fields: readonly ItemField[];
}

function PreviewRow({ row: { fileName, cells, recorded, isPending, problem }, fields }: PreviewRowProps) {
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <div className={styles.value} title={fileName}>
          {fileName}
        </div>
        {recorded === null ? null : <div className={styles.source}>{recordedText(recorded)}</div>}
        {problem === null ? null : (
          <div className={styles.problem}>
            <CircleAlert size={13} className={styles.problemIcon} aria-hidden />
            {problem}
          </div>
        )}
      </th>
      {fields.map((field) => (
        <td key={field} className={styles.cell}>
          <div className={styles.value} title={cells[field] ?? ''}>
            {cells[field] ?? <span className={styles.keeps}>{isPending ? texts.readingRow : texts.keeps}</span>}
          </div>
        </td>
      ))}
    </tr>
  );
}
