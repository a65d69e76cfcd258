import { Fragment, type ReactNode } from 'react';
import type { EditValue } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { texts } from '../common/texts.ts';
import { useCollectionNames } from '../common/use-collection-names.ts';
import styles from './edits.module.css';
import { ValueView } from './value-view.tsx';

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
              <ValueView {...{ field, value, nameOf }} isBase={index === 0} beside={all} />
            </dd>
          </Fragment>
        ))}
      </dl>
      {children}
    </section>
  );
}
