import type { KeyboardEvent } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { isChord } from '../../common/commands/chords.ts';
import { ITEM_COMMANDS, runItemCommand } from '../commands/item-commands.ts';
import { ONE_ITEM_COMMANDS, runForRow } from '../commands/one-item-commands.ts';
import { askToDelete } from '../state/inspector-commands.ts';
import { mediaList } from '../state/media-store.ts';
import { selectedTarget } from '../state/selection/media-selection.ts';
import { runIfAllowed } from '../state/selection/rights-store.ts';
import { useTree } from '../state/tree-store.ts';

/**
 * Runs the command of a key in the list of items: Delete asks before the selected items are deleted, the keys of `ONE_ITEM_COMMANDS`
 * are for the current row.
 */
export function runItemKey(event: KeyboardEvent): void {
  const pressed = { key: event.key, mod: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey };
  const command = ONE_ITEM_COMMANDS.find(({ chord }) => chord !== undefined && isChord(chord, pressed));
  const { focus } = mediaList.useList.getState().selection;
  if (command !== undefined && focus >= 0) {
    event.preventDefault();
    void runForRow(command, focus);
    return;
  }
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
