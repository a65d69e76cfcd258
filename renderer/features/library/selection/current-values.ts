import { useEffect, useState } from 'react';
import type { ItemField } from '../../../../shared/item/fields.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { type NameOf, valueText } from '../../common/change-text.ts';
import { showError } from '../../common/state/messages-store.ts';
import { useEdits } from '../../edits/state/edits-store.ts';
import { loadCurrentValues, type PlannedValues } from '../state/selection/bulk-store.ts';
import type { Target } from '../state/selection/media-selection.ts';
import { texts } from './texts.ts';

/** The current values of the items: `undefined` while they are read, null when there are too many items to read them all. */
export type Current = PlannedValues | null | undefined;

const DELAY_MS = 200;

/** Reads the current values of a selection shortly after its last change, and again after edits were sent. */
export function useCurrentValues(target: Target): Current {
  const [read, setRead] = useState<{ key: string; values: PlannedValues | null } | null>(null);
  const key = JSON.stringify(target.selection);
  const isSent = useEdits(({ totals }) => totals.pending === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the selection; sent edits change the values
  useEffect(() => {
    let cancel = () => {};
    const timer = window.setTimeout(() => {
      cancel = untilCancelled(loadCurrentValues(target), (values) => setRead({ key, values }), showError);
    }, DELAY_MS);
    return () => {
      window.clearTimeout(timer);
      cancel();
    };
  }, [key, isSent]);
  return read?.key === key ? read.values : undefined;
}

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
