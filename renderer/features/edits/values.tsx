import { Fragment, type ReactNode } from 'react';
import type { EditValue } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { MarkedText } from '../../kit/components/rich-text/marked-text.tsx';
import { canShowFormatted, RichTextView } from '../../kit/components/rich-text/rich-text-view.tsx';
import { type NameOf, valueText } from '../common/change-text.ts';
import { texts } from '../common/texts.ts';
import { useCollectionNames } from '../common/use-collection-names.ts';
import styles from './edits.module.css';
import { isProse } from './row-values.ts';

interface ValueViewProps {
  field: AnyField;
  value: EditValue;
  nameOf: NameOf;
  /** The values that the user compares with this value: the value before the edit, the user's own value, and others. */
  beside: readonly EditValue[];
  /** Whether this is the value before the edit, which the others are compared with. */
  isBase: boolean;
}

/**
 * Shows a value of a field: a description as formatted text, every other field in one line. In texts, the words that differ from
 * the value before the edit are marked; in the value before the edit, the words that differ from another value. Descriptions are
 * shown as source when formatted text hides a part of one of them, because the values could look equal otherwise.
 */
export function ValueView({ field, value, nameOf, beside, isBase }: ValueViewProps) {
  const [base, ...changed] = beside;
  const others = (isBase ? changed : [base]).filter(
    (each) => typeof each === 'string' && each.trim() !== '',
  ) as string[];
  if (!isProse(field) || typeof value !== 'string' || value.trim() === '') return valueText(field, value, nameOf, true);
  if (field !== 'description') {
    const texts = others.map((each) => valueText(field, each, nameOf));
    return <MarkedText text={valueText(field, value, nameOf)} others={texts} />;
  }
  const isFormatted = beside.every((each) => typeof each !== 'string' || canShowFormatted(each));
  return <RichTextView html={value} isSource={!isFormatted} others={others} />;
}

/** A value of the field, with a label that says whose value it is. */
interface NamedValue {
  name: string;
  value: EditValue;
  isMine?: boolean;
}

interface FieldValuesProps {
  siteId: string;
  field: AnyField;
  /** Default: the name of the field. */
  title?: string;
  /** The values. The others are compared with the first one. */
  values: readonly NamedValue[];
  children?: ReactNode;
}

/** Shows the values of one field below each other, so that the user can compare them. */
export function FieldValues({ siteId, field, title = texts.fields[field], values, children }: FieldValuesProps) {
  const all = values.map(({ value }) => value);
  const isCollection = field === 'collection' || field === 'parent';
  const nameOf = useCollectionNames(siteId, isCollection ? all.filter((id) => typeof id === 'string') : []);
  return (
    <section className={styles.rowValues} aria-label={title}>
      <h3 className={styles.field}>{title}</h3>
      <dl className={styles.values}>
        {values.map(({ name, value, isMine = false }, index) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd {...(isMine ? { 'data-mine': true } : {})}>
              <ValueView field={field} value={value} nameOf={nameOf} isBase={index === 0} beside={all} />
            </dd>
          </Fragment>
        ))}
      </dl>
      {children}
    </section>
  );
}
