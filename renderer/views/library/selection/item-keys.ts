import type { KeyboardEvent } from 'react';
import { isMac } from '../../../bridge/bridge.ts';
import { ITEM_COMMANDS } from '../../../commands/item-commands.ts';
import { askToDelete } from '../../../stores/library/inspector-store.ts';
import { selectedTarget } from '../../../stores/library/selection/media-selection.ts';

/** Runs the command of a key in the list of items: Delete asks before the selected items are deleted. */
export function runItemKey(event: KeyboardEvent): void {
  if (!isDeleteKey(event)) return;
  const target = selectedTarget();
  if (target === null) return;
  event.preventDefault();
  if (target.count === 1 && target.title !== null) askToDelete(target.title);
  else ITEM_COMMANDS.delete.run(target);
}

function isDeleteKey({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || shiftKey || ctrlKey) return false;
  return metaKey ? isMac() && key === 'Backspace' : key === 'Delete';
}
