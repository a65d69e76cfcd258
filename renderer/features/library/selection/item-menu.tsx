import type { MenuEntry, MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import {
  ITEM_COMMANDS,
  type ItemCommand,
  type ItemCommandId,
  refusalOfCommand,
  runItemCommand,
} from '../commands/item-commands.ts';
import { selectedTarget, type Target } from '../state/selection/media-selection.ts';

/** Returns a menu entry of a command. `targetOf` is called when the entry is rendered, and again when it runs. */
export function menuEntry(command: ItemCommand, targetOf: () => Target | null): MenuEntry {
  const { id, label, icon: Icon, keys, isDanger } = command;
  const refusal = refusalOfCommand(command, targetOf());
  return {
    id,
    label,
    icon: <Icon size={14} aria-hidden />,
    ...(keys === undefined ? {} : { detail: keys }),
    ...(isDanger === undefined ? {} : { isDanger }),
    ...(refusal === null ? {} : { reason: refusal.message }),
    onAction: () => {
      const target = targetOf();
      if (target !== null) runItemCommand(command, target);
    },
  };
}

const GROUPS: readonly (readonly ItemCommandId[])[] = [
  ['fields', 'table', 'tags', 'move'],
  ['publish', 'schedule', 'unpublish'],
  ['links', 'embed', 'download', 'export'],
  ['delete'],
];

/** The context menu of several selected items. */
export function selectionGroups(): MenuGroup[] {
  return GROUPS.map((ids) => ({ entries: ids.map((id) => menuEntry(ITEM_COMMANDS[id], selectedTarget)) }));
}

/** Returns the commands for the context menu of one item. */
export function itemEntries(ids: readonly ItemCommandId[], targetOf: () => Target | null): MenuEntry[] {
  return ids.map((id) => menuEntry(ITEM_COMMANDS[id], targetOf));
}
