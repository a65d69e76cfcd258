import {
  CalendarClock,
  Eye,
  EyeOff,
  FolderInput,
  Link,
  type LucideIcon,
  PencilLine,
  Sheet,
  Tags,
  Trash2,
} from 'lucide-react';
import { openExport } from '../stores/library/manifest/export-store.ts';
import { openBulkDialog, submitChange } from '../stores/library/selection/bulk-store.ts';
import { copyItemLinks } from '../stores/library/selection/item-links.ts';
import { selectedTarget, type Target } from '../stores/library/selection/media-selection.ts';
import { texts as labels } from '../stores/library/selection/texts.ts';
import { texts } from './texts.ts';

/** A command for one selected item or for many. */
export interface ItemCommand {
  id: string;
  label: string;
  icon: LucideIcon;
  /** The key that runs it in the list, as menus show it. */
  keys?: string;
  isDanger?: boolean;
  run: (target: Target) => void;
}

const names = texts.items;

/** The commands for items, in the order of menus; `menu` groups them. Bar, context menu, palette and keys use this list. */
export const ITEM_COMMANDS = {
  fields: {
    ...{ id: 'fields', label: names.fields, icon: PencilLine },
    run: (target) => openBulkDialog('fields', target),
  },
  tags: { id: 'tags', label: names.tags, icon: Tags, run: (target) => openBulkDialog('tags', target) },
  move: { id: 'move', label: names.move, icon: FolderInput, run: (target) => openBulkDialog('move', target) },
  publish: {
    ...{ id: 'publish', label: names.publish, icon: Eye },
    run: (target) => void submitChange(target, { publication: { kind: 'now' } }, labels.labels.publish),
  },
  schedule: {
    ...{ id: 'schedule', label: names.schedule, icon: CalendarClock },
    run: (target) => openBulkDialog('schedule', target),
  },
  unpublish: {
    ...{ id: 'unpublish', label: names.unpublish, icon: EyeOff },
    run: (target) => void submitChange(target, { publication: { kind: 'unpublish' } }, labels.labels.unpublish),
  },
  links: { id: 'links', label: names.links, icon: Link, run: (target) => void copyItemLinks(target) },
  export: { id: 'export', label: names.export, icon: Sheet, run: (target) => openExport(target) },
  delete: {
    ...{ id: 'delete', label: names.remove, icon: Trash2, keys: 'Del', isDanger: true },
    run: (target) => void submitChange(target, { delete: true }, labels.labels.remove),
  },
} as const satisfies Record<string, ItemCommand>;

export type ItemCommandId = keyof typeof ITEM_COMMANDS;

/** The commands for the selected items of the open list, for the palette; none while nothing is selected. */
export function selectedItemCommands(): { id: string; label: string; keys?: string; run: () => void }[] {
  const target = selectedTarget();
  if (target === null) return [];
  return Object.values<ItemCommand>(ITEM_COMMANDS).map(({ id, label, keys, run }) => ({
    ...{ id: `items-${id}`, label: texts.selectedItems(label) },
    ...(keys === undefined ? {} : { keys }),
    run: () => run(target),
  }));
}
