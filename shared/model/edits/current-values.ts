import { recordOf, TEXT_FIELDS, type TextFieldKey } from '../../item/fields.ts';
import { canonicalTag } from './canonical.ts';
import type { EditableMedia } from './edit-ops.ts';

/** One value of a selection: `value` is the value of all items; with different values it is null and `isMixed` true. */
interface CurrentValue {
  value: string | null;
  isMixed: boolean;
}

/** The present values of a selection, for a form that edits all items at once. */
export interface CurrentValues extends Record<TextFieldKey, CurrentValue> {
  collectionId: CurrentValue;
  status: CurrentValue;
  publishOn: CurrentValue;
  /** Every tag with the number of items that have it, the most frequent first. */
  tags: { tag: string; items: number }[];
}

/** Returns the common values of many items. Without items every value is null and not mixed. */
export function currentValuesOf(items: readonly EditableMedia[]): CurrentValues {
  const tags = new Map<string, { tag: string; items: number }>();
  for (const item of items) {
    for (const tag of item.tags) {
      const known = tags.get(canonicalTag(tag));
      if (known === undefined) tags.set(canonicalTag(tag), { tag, items: 1 });
      else known.items += 1;
    }
  }
  return {
    ...recordOf(TEXT_FIELDS, (field) => common(items, field)),
    collectionId: common(items, 'collectionId'),
    status: common(items, 'status'),
    publishOn: common(items, 'publishOn'),
    tags: [...tags.values()].sort((one, other) => other.items - one.items || (one.tag < other.tag ? -1 : 1)),
  };
}

function common(items: readonly EditableMedia[], field: keyof EditableMedia & string): CurrentValue {
  const first = items[0]?.[field] as string | null | undefined;
  const isMixed = items.some((item) => item[field] !== first);
  return { value: isMixed ? null : (first ?? null), isMixed };
}
