import type { EditValue } from '../../../../shared/contract/edits.ts';
import { keyOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import type { AnyOp } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditRecord } from './edit-row.ts';

/** Returns the values of the open ops of records that set the same value as an op, the oldest first. */
export function laterValues(op: AnyOp, later: readonly EditRecord[]): EditValue[] {
  const key = keyOfAnyOp(op);
  return later.flatMap(({ ops }) =>
    (ops ?? []).flatMap((stored) =>
      stored.outcome === null && keyOfAnyOp(stored.op) === key ? [wantedValue(stored.op)] : [],
    ),
  );
}

/** Returns the value that an op wants, as screens show it. */
export function wantedValue(op: AnyOp): EditValue {
  switch (op.kind) {
    case 'set-field':
    case 'move-collection':
    case 'set-collection-field':
    case 'set-podcast-field':
    case 'move-to-parent':
      return op.mine;
    case 'create-collection':
      return String(op.values.display_name ?? '');
    case 'publish':
      if (typeof op.when === 'object') return { status: 'scheduled', publishOn: op.when.at };
      return { status: 'published', publishOn: op.when === 'kept' ? op.base.publishOn : null };
    case 'add-embed':
      return op.url;
    case 'unpublish':
      return { status: 'draft', publishOn: op.base.publishOn };
    default:
      return null;
  }
}
