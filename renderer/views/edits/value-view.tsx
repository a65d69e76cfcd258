import type { EditValue } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { MarkedText } from '../../components/rich-text/marked-text.tsx';
import { canShowFormatted, RichTextView } from '../../components/rich-text/rich-text-view.tsx';
import { type NameOf, valueText } from '../shared/change-text.ts';
import { isProse } from './row-values.ts';

interface ValueViewProps {
  field: AnyField;
  value: EditValue;
  nameOf: NameOf;
  /** The values that the user compares with this one: the one before the edit, the own one, and others. */
  beside: readonly EditValue[];
  /** Whether this is the value before the edit, with which the others are compared. */
  isBase: boolean;
}

/**
 * A value of a field: a description as formatted text, everything else in one line. In texts, the words are marked that differ from
 * the value before the edit, and there those that differ from another value. Descriptions are shown as source when formatted text
 * lacks a part of one of them: the values could look equal otherwise.
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
