import type { ItemField } from '../../../../shared/item/fields.ts';
import type { NameOf } from '../../common/change-text.ts';
import { valueText } from '../../common/change-text.ts';
import { texts } from './texts.ts';
import type { Current } from './use-current-values.ts';

type CurrentField = ItemField | 'collection' | 'publication';

const MOST_TAGS = 3;

/** Returns the current value of a field in the selected items as text; “Mixed” when the values differ. */
export function currentText(field: CurrentField, current: Current, nameOf: NameOf): string {
  const words = texts.form;
  if (current === undefined) return words.reading;
  if (current === null) return words.notRead;
  if (field === 'tags') {
    const tags = current.tags.slice(0, MOST_TAGS).map(({ tag }) => tag);
    return tags.length === 0 ? words.empty : tags.join(', ') + (current.tags.length > MOST_TAGS ? ', …' : '');
  }
  if (field === 'publication') {
    const { status, publishOn } = current;
    if (status.isMixed || status.value === null) return words.mixed;
    // Items that are scheduled for different times all have the same status.
    const isTimed = status.value === 'scheduled' && !publishOn.isMixed;
    return valueText('publication', { status: status.value, publishOn: isTimed ? publishOn.value : null }, nameOf);
  }
  const { value, isMixed } = field === 'collection' ? current.collectionId : current[field];
  return isMixed ? words.mixed : valueText(field, value ?? '', nameOf);
}
