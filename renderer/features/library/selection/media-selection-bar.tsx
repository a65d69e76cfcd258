import { ChevronDown, Eye } from 'lucide-react';
import { Button } from '../../../kit/components/button.tsx';
import { ActionMenu, type MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { commandItem, type ToolbarItem } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { SelectionBar } from '../../../kit/components/toolbar/selection-bar.tsx';
import { ITEM_COMMANDS, type ItemCommandId } from '../commands/item-commands.ts';
import { focusMediaList } from '../focus.ts';
import { mediaList } from '../state/media-store.ts';
import { deselectMedia, selectedTarget, useSelectedCount } from '../state/selection/media-selection.ts';
import { useKnownRights } from '../state/selection/rights-store.ts';
import { menuEntry } from './item-menu.tsx';
import { texts } from './texts.ts';

/** By importance: without room, the last commands move into the menu first. */
const BEFORE_PUBLICATION: readonly ItemCommandId[] = ['fields', 'tags', 'move'];
const AFTER_TABLE: readonly ItemCommandId[] = ['delete', 'download', 'export', 'links', 'embed'];

/** The number of selected items, and the commands for them. */
export function MediaSelectionBar() {
  const count = useSelectedCount();
  const total = mediaList.useList((state) => state.total ?? 0);
  useKnownRights();
  if (count < 2) return null;
  return (
    <SelectionBar
      label={texts.bar.label}
      count={texts.bar.count(count, total)}
      deselectLabel={texts.bar.deselect}
      items={[...BEFORE_PUBLICATION.map(item), publicationItem(), tableItem(), ...AFTER_TABLE.map(item)]}
      onDeselect={deselectMedia}
      focusList={focusMediaList}
    />
  );
}

/** The target is read when the command runs: the selection may have changed since the bar was drawn. */
const entry = (id: ItemCommandId) => menuEntry(ITEM_COMMANDS[id], selectedTarget);
const item = (id: ItemCommandId): ToolbarItem => commandItem(entry(id));

/** Returns the command with a short label for the bar; the menu has the full label. */
function tableItem(): ToolbarItem {
  const full = entry('table');
  return { ...commandItem({ ...full, label: texts.bar.table }), menu: [{ entries: [full] }] };
}

function publicationItem(): ToolbarItem {
  const menu: MenuGroup[] = [
    { title: texts.bar.publication, entries: [entry('publish'), entry('schedule'), entry('unpublish')] },
  ];
  return {
    id: 'publication',
    element: (
      <ActionMenu label={texts.bar.publication} placement="top start" groups={menu}>
        <Button variant="quiet" icon={<Eye size={14} aria-hidden />}>
          {texts.bar.publication} <ChevronDown size={12} aria-hidden />
        </Button>
      </ActionMenu>
    ),
    menu,
  };
}
