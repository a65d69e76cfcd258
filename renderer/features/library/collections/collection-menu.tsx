import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { ContextMenu } from '../../../kit/components/overlay/context-menu.tsx';
import type { MenuEntry, MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { COLLECTION_COMMANDS, type CollectionCommand } from '../commands/collection-commands.ts';
import { targetsOf } from '../state/collections/collection-selection.ts';
import { useCollections } from '../state/collections/collections-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from './texts.ts';

type CollectionCommandId = keyof typeof COLLECTION_COMMANDS;

/** The context menu of the tree: for one collection, or for all selected collections. */
export function CollectionMenu() {
  const menu = useCollections((state) => state.menu);
  const row = useTree((state) => (menu === null ? undefined : state.rows.get(menu.collectionId)));
  const marks = useTree((state) => state.marks);
  if (menu === null || row === undefined) return null;
  const targets = targetsOf(marks, row.id);
  const isSingle = targets.length === 1;
  return (
    <ContextMenu
      label={isSingle ? texts.menu.label(row.displayName) : texts.menu.several(targets.length)}
      x={menu.x}
      y={menu.y}
      groups={isSingle ? groupsOfOne(row, hasLine(row.id)) : groupsOfMany(targets)}
      onClose={() => useCollections.setState({ menu: null })}
    />
  );
}

/** Returns whether the line of a collection is visible. A name is edited in its line. */
function hasLine(id: string): boolean {
  const lines = document.querySelectorAll<HTMLElement>('[role="tree"] [data-collection-id]');
  return [...lines].some((line) => line.dataset.collectionId === id);
}

const GROUPS: readonly (readonly CollectionCommandId[])[] = [
  ['open', 'newSub'],
  ['rename', 'edit', 'thumbnail', 'podcast', 'people', 'link', 'history'],
  ['move', 'remove'],
];

/** Returns the commands for one collection. `canRename`: its line is visible. */
export function groupsOfOne(row: CollectionRow, canRename = false): MenuGroup[] {
  return groupsOf(({ id, isFor, ...command }) => {
    if (isFor?.(row) === false || (id === 'rename' && !canRename)) return [];
    return [entryOf({ id, ...command }, command.label, () => command.run(row))];
  });
}

function groupsOfMany(ids: readonly string[]): MenuGroup[] {
  return groupsOf((command) => {
    const { several } = command;
    return several === undefined ? [] : [entryOf(command, several.label, () => several.run(ids))];
  });
}

/** Omits groups without an entry. */
function groupsOf(entriesOf: (command: CollectionCommand) => MenuEntry[]): MenuGroup[] {
  return GROUPS.map((ids) => ({ entries: ids.flatMap((id) => entriesOf(COLLECTION_COMMANDS[id])) })).filter(
    ({ entries }) => entries.length > 0,
  );
}

function entryOf(
  { id, icon: Icon, keys, isDanger }: CollectionCommand,
  label: string,
  onAction: () => void,
): MenuEntry {
  return {
    id,
    label,
    icon: <Icon size={14} aria-hidden />,
    onAction,
    ...(keys === undefined ? {} : { detail: keys }),
    ...(isDanger === undefined ? {} : { isDanger }),
  };
}
