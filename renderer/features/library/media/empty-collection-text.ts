import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { texts } from '../texts.ts';

/** Returns title and text for a list without items. `name` null: the whole library. `row` null: not loaded. */
export function emptyCollectionWords(
  name: string | null,
  row: Pick<CollectionRow, 'childCount' | 'mediaCountBelow'> | null,
): { title: string; text: string } {
  if (name === null) return texts.empty.library;
  if (row === null || row.childCount === 0) return texts.empty.collection(name);
  const title = texts.empty.directly(name);
  const { mediaCountBelow: below } = row;
  if (below === null) return { title, text: texts.empty.maybeBelow };
  if (below === 0) return texts.empty.branch(name);
  return { title, text: texts.empty.below(below) };
}
