import type { AnyOp } from '../../../../shared/model/edits/collection-ops.ts';

/**
 * The kinds of ops as powers of two. A column of the journal has the sum of the kinds of a record, so that a query does not
 * search the text of its ops. A number never gets another meaning.
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

/** The kinds of ops that no undo restores once they were sent. */
export const DELETIONS = kindBits(['delete', 'delete-file', 'delete-collection']);
