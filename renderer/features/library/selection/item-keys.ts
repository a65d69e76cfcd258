import type { KeyboardEvent } from 'react';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { ITEM_COMMANDS, runItemCommand } from '../commands/item-commands.ts';
import { askToDelete } from '../state/inspector-store.ts';
import { selectedTarget } from '../state/selection/media-selection.ts';
import { runIfAllowed } from '../state/selection/rights-store.ts';

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
