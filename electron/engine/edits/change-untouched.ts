import type { BulkChange } from '../../../shared/contract/edits.ts';
import { planItem } from '../../../shared/model/edits/bulk-change.ts';
import { canonicalTag, canonicalText } from '../../../shared/model/edits/canonical.ts';
import { type EditableMedia, type EditOp, TEXT_FIELDS } from '../../../shared/model/edits/edit-ops.ts';
import type { ItemFields } from '../../../shared/model/item-fields.ts';
import type { EditHandlers } from './edit-handlers.ts';
import type { Edits } from './edits.ts';

/** New values of an item. Only fields that still have the value of `expected` change. */
export interface UntouchedChange {
  mediaId: string;
  expected: ItemFields;
  fields: Partial<ItemFields>;
}

/**
 * Edits items as one group, without what anyone changed since: a field with another value, also one that is not sent yet, stays.
 * Items that the library no longer has are left out. Throws what reading the items throws.
 */
export async function changeUntouched(
  {
    readItems,
    keepPlan,
    handlers,
  }: Pick<Edits, 'readItems' | 'keepPlan'> & { handlers: Pick<EditHandlers, 'edits.apply'> },
  siteId: string,
  changes: readonly UntouchedChange[],
  label: string,
): Promise<void> {
  const selected = await readItems({ siteId, ids: changes.map(({ mediaId }) => mediaId) });
  const items = new Map(selected.items.map((item) => [item.effective.id, item]));
  const rows = changes.flatMap(({ mediaId, expected, fields }) => {
    const item = items.get(mediaId);
    if (item === undefined) return [];
    const ops = opsOf(item.effective, expected, fields);
    return ops.length === 0 ? [] : [{ item: item.effective, ops, problem: null }];
  });
  if (rows.length === 0) return;
  const planId = keepPlan({ selected: { ...selected, missing: 0 }, change: null, rows, unchanged: 0 });
  await handlers['edits.apply']({ planId, except: [], label });
}

function opsOf(item: EditableMedia, expected: ItemFields, fields: Partial<ItemFields>): EditOp[] {
  const change: BulkChange = {};
  for (const field of TEXT_FIELDS) {
    const value = fields[field];
    const isUntouched = canonicalText(field, item[field]) === canonicalText(field, expected[field]);
    if (value !== undefined && isUntouched) change[field] = { kind: 'set', value };
  }
  const { tags } = fields;
  if (tags !== undefined && tagsKey(item.tags) === tagsKey(expected.tags)) change.tags = { kind: 'replace', tags };
  return planItem(item, change).ops;
}

function tagsKey(tags: readonly string[]): string {
  return tags.map(canonicalTag).sort().join('\n');
}
