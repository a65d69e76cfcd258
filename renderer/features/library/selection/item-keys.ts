import type { KeyboardEvent } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { ITEM_COMMANDS, runItemCommand } from '../commands/item-commands.ts';
import { askToDelete } from '../state/inspector-commands.ts';
import { mediaList } from '../state/media-store.ts';
import { selectedTarget } from '../state/selection/media-selection.ts';
import { runIfAllowed } from '../state/selection/rights-store.ts';
import { useTree } from '../state/tree-store.ts';

/** Runs the command of a key in the list of items: Delete asks before the selected items are deleted. */
export function runItemKey(event: KeyboardEvent): void {
  if (!isDeleteKey(event)) return;
  const target = selectedTarget();
  if (target === null) return;
  event.preventDefault();
  const { count, title } = target;
  if (count > 1 || title === null) runItemCommand(ITEM_COMMANDS.delete, target);
  else void runIfAllowed(target, 'delete', () => askToDelete(title));
}

function isDeleteKey({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || shiftKey || ctrlKey) return false;
  return metaKey ? isMac() && key === 'Backspace' : key === 'Delete';
}

/** The collection of an item, for lists. */
interface ItemPlace {
  /** The name in the row, or the name in the tree when the tree has loaded the collection. */
  collection: string;
  /** Whether the list contains the items of this collection only: its name in each row would be redundant. */
  isHere: boolean;
}

export function useItemPlace(row: MediaRow | undefined): ItemPlace {
  const known = useTree((state) => (row === undefined ? undefined : state.rows.get(row.collectionId)?.displayName));
  const isHere = mediaList.useList(({ query }) => query?.collectionId === row?.collectionId && !query?.includesBelow);
  return { collection: row?.collectionName ?? known ?? '', isHere };
}
