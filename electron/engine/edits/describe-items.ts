import { itemFieldsOf } from '../../../shared/item/fields.ts';
import { changeTo, planItem } from '../../../shared/model/edits/bulk-change.ts';
import { isSameField } from '../../../shared/model/edits/same-field.ts';
import type { DescribedItem, DescribedItems, ItemDescription } from '../../../shared/model/item-description.ts';
import { pickFields } from '../../../shared/model/item-fields.ts';
import type { EditHandlers } from './edit-handlers.ts';
import type { Edits } from './edits.ts';

/**
 * Gives values to items as one edit, which is durable when this returns. An item that has the values already is `described`
 * without an edit. Throws the errors of reading the items; then nothing is changed.
 */
export async function describeItems(
  {
    readItems,
    keepPlan,
    handlers,
  }: Pick<Edits, 'readItems' | 'keepPlan'> & { handlers: Pick<EditHandlers, 'edits.apply'> },
  siteId: string,
  descriptions: readonly ItemDescription[],
  label: string,
): Promise<DescribedItems> {
  const selected = await readItems({ siteId, ids: descriptions.map(({ mediaId }) => mediaId) });
  const items = new Map(selected.items.map(({ effective }) => [effective.id, effective]));
  const results = new Map<string, DescribedItem>();
  const rows = descriptions.flatMap(({ mediaId, fields, mayReplace }) => {
    const item = items.get(mediaId);
    const result = item === undefined ? 'gone' : mayReplace(itemFieldsOf(item)) ? 'described' : 'kept';
    results.set(mediaId, result);
    if (item === undefined || result === 'kept') return [];
    const { ops } = planItem(item, changeTo(pickFields(fields, (field) => !isSameField(field, fields, item))));
    return ops.length === 0 ? [] : [{ item, ops, problem: null }];
  });
  if (rows.length === 0) return { results, groupId: null };
  const planId = keepPlan({ selected: { ...selected, missing: 0 }, change: null, rows, unchanged: 0 });
  const { group } = await handlers['edits.apply']({ planId, except: [], label });
  return { results, groupId: group?.id ?? null };
}
