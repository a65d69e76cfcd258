import type { AnyOp } from '../../../../shared/model/edits/collection-ops.ts';

/**
 * The kinds of ops as powers of two. The journal has the sum of those of a record in a column, so that a query does not search the
 * text of its ops. A number never gets another meaning.
 */
const BITS: Readonly<Record<AnyOp['kind'], number>> = {
  'set-field': 1,
  'add-tag': 2,
  'remove-tag': 4,
  'move-collection': 8,
  publish: 16,
  unpublish: 32,
  delete: 64,
  'delete-file': 128,
  'add-embed': 256,
  'set-collection-field': 512,
  'set-podcast-field': 1024,
  'move-to-parent': 2048,
  'create-collection': 4096,
  'delete-collection': 8192,
};

/** Returns the sum of these kinds, each once. */
export function kindBits(kinds: readonly AnyOp['kind'][]): number {
  return kinds.reduce((sum, kind) => sum | BITS[kind], 0);
}

/** What nothing restores once it was sent. */
export const DELETIONS = kindBits(['delete', 'delete-file', 'delete-collection']);
