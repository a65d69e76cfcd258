import type { ItemField, ItemFields } from '../../item/fields.ts';
import { canonicalTag, canonicalText } from './canonical.ts';

/** Values of an item, each of which may be unknown. */
export type KnownFields = { readonly [Field in ItemField]?: Readonly<ItemFields[Field]> };

/** Returns whether two values of a field are equal for a user. An unknown value differs from all others. */
export function isSameField(field: ItemField, one: KnownFields, other: KnownFields): boolean {
  if (field === 'tags') {
    return one.tags !== undefined && other.tags !== undefined && tagsKey(one.tags) === tagsKey(other.tags);
  }
  const [own, others] = [one[field], other[field]];
  return own !== undefined && others !== undefined && canonicalText(field, own) === canonicalText(field, others);
}

function tagsKey(tags: readonly string[]): string {
  return tags.map(canonicalTag).sort().join('\n');
}
