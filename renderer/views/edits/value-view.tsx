import type { EditValue } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { canShowFormatted, RichTextView } from '../../components/rich-text/rich-text-view.tsx';
import { type NameOf, valueText } from '../shared/change-text.ts';

interface ValueViewProps {
  field: AnyField;
  value: EditValue;
  nameOf: NameOf;
  /** The values that the user compares with this one, itself included. */
  beside: readonly EditValue[];
}

/**
 * A value of a field: a description as formatted text, everything else in one line. Descriptions are shown as source when
 * formatted text lacks a part of one of them: the values could look equal otherwise.
 */
export function ValueView({ field, value, nameOf, beside }: ValueViewProps) {
  if (field !== 'description' || typeof value !== 'string' || value.trim() === '')
    return valueText(field, value, nameOf);
  const isFormatted = beside.every((each) => typeof each !== 'string' || canShowFormatted(each));
  return <RichTextView html={value} isSource={!isFormatted} />;
}
