import { canonicalTag, canonicalText } from '../../../shared/model/edits/canonical.ts';
import { isCollectionOp } from '../../../shared/model/edits/collection-ops.ts';
import type { EditOp } from '../../../shared/model/edits/edit-ops.ts';
import type { EditHistory, EffectFact, FinalAccount } from './edit-history.ts';
import { type PlacedOp, placedOps } from './placed-ops.ts';

export type PlacedItemOp = PlacedOp<EditOp>;

/** The ops of all items. */
export const opsOf = (accounts: readonly FinalAccount[]): PlacedItemOp[] =>
  placedOps(accounts, (op): op is EditOp => !isCollectionOp(op));

/** Returns the field of the effects that an op changes, and the value after the op in canonical form; null: any value. */
export function wantedOf(op: EditOp): { field: EffectFact['field']; value: string | null } {
  switch (op.kind) {
    case 'set-field':
      return { field: op.field, value: canonicalText(op.field, op.mine) };
    case 'move-collection':
      return { field: 'collectionId', value: op.mine };
    case 'add-tag':
      return { field: `tag ${canonicalTag(op.tag)}`, value: 'yes' };
    case 'remove-tag':
      return { field: `tag ${canonicalTag(op.tag)}`, value: 'no' };
    case 'unpublish':
      return { field: 'publication', value: 'draft' };
    case 'publish':
      return { field: 'publication', value: null };
    case 'delete-file':
    case 'add-embed':
      throw new Error(`the simulated editors make no op ${op.kind}`);
    case 'delete':
      return { field: 'item', value: 'no' };
  }
}

function canonicalValue(field: EffectFact['field'], value: string): string {
  return field === 'title' || field === 'byline' || field === 'description' ? canonicalText(field, value) : value;
}

/** The changes of one value of an item. */
export function effectsOn(
  history: EditHistory,
  library: string,
  itemId: string,
  field: EffectFact['field'],
): EffectFact[] {
  return history.effects.filter((each) => each.library === library && each.itemId === itemId && each.field === field);
}

/** Whether two values are the same. A library that rewrites HTML stores another form of it. */
export function isSameValue(history: EditHistory, field: EffectFact['field'], one: string, other: string): boolean {
  const form = (value: string) => {
    const canonical = canonicalValue(field, value);
    return history.scenario.service.rewrites === 'html' ? canonical.replace(/<\/?(?:b|strong)>/g, '') : canonical;
  };
  return form(one) === form(other);
}
