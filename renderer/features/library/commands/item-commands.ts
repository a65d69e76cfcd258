import {
  CalendarClock,
  CodeXml,
  Download,
  Eye,
  EyeOff,
  FolderInput,
  Link,
  type LucideIcon,
  PencilLine,
  Sheet,
  Table2,
  Tags,
  Trash2,
} from 'lucide-react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { EMBED_SIZES, MAX_EMBED_CODES } from '../../../../shared/model/embed-size.ts';
import type { MediaAction } from '../../../../shared/model/media-rights.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { texts } from '../../common/commands/texts.ts';
import { attempt, notify, warn } from '../../common/state/messages-store.ts';
import { downloadItems } from '../state/files/downloads-store.ts';
import { openExport } from '../state/manifest/export-store.ts';
import { openBulkDialog, submitChange } from '../state/selection/bulk-store.ts';
import { selectedItemIds, selectedTarget, type Target } from '../state/selection/media-selection.ts';
import { refusalOf, runIfAllowed } from '../state/selection/rights-store.ts';
import { openTableEditor } from '../state/table/table-store.ts';
import { texts as labels } from '../state/texts.ts';

/** A command for one selected item or for many. */
export interface ItemCommand {
  id: string;
  label: string;
  icon: LucideIcon;
  /** The key that runs it in the list, as menus show it. */
  keys?: string;
  isDanger?: boolean;
  /** What the account must be allowed to do with the items; absent: the command only reads. */
  needs?: MediaAction;
  run: (target: Target) => void;
}

const names = texts.items;

/** The commands for items, in the order of menus; `menu` groups them. Bar, context menu, palette and keys use this list. */
export const ITEM_COMMANDS = {
  fields: {
    id: 'fields',
    label: names.fields,
    icon: PencilLine,
    needs: 'edit',
    run: (target) => openBulkDialog('fields', target),
  },
  table: {
    id: 'table',
    label: names.table,
    icon: Table2,
    needs: 'edit',
    run: (target) => void openTableEditor(target),
  },
  tags: {
    id: 'tags',
    label: names.tags,
    icon: Tags,
    needs: 'edit',
    run: (target) => openBulkDialog('tags', target),
  },
  move: {
    id: 'move',
    label: names.move,
    icon: FolderInput,
    needs: 'edit',
    run: (target) => openBulkDialog('move', target),
  },
  publish: {
    id: 'publish',
    label: names.publish,
    icon: Eye,
    needs: 'publish',
    run: (target) => void submitChange(target, { publication: { kind: 'now' } }, labels.selection.labels.publish),
  },
  schedule: {
    id: 'schedule',
    label: names.schedule,
    icon: CalendarClock,
    needs: 'publish',
    run: (target) => openBulkDialog('schedule', target),
  },
  unpublish: {
    id: 'unpublish',
    label: names.unpublish,
    icon: EyeOff,
    needs: 'publish',
    run: (target) =>
      void submitChange(target, { publication: { kind: 'unpublish' } }, labels.selection.labels.unpublish),
  },
  links: { id: 'links', label: names.links, icon: Link, run: (target) => void copyItemLinks(target) },
  embed: { id: 'embed', label: names.embed, icon: CodeXml, run: (target) => void copyEmbedCodes(target) },
  download: {
    id: 'download',
    label: names.download,
    icon: Download,
    run: (target) => void downloadItems(target),
  },
  export: { id: 'export', label: names.export, icon: Sheet, run: (target) => openExport(target) },
  delete: {
    id: 'delete',
    label: names.remove,
    icon: Trash2,
    keys: 'Del',
    isDanger: true,
    needs: 'delete',
    run: (target) => void submitChange(target, { delete: true }, labels.selection.labels.remove),
  },
} as const satisfies Record<string, ItemCommand>;

export type ItemCommandId = keyof typeof ITEM_COMMANDS;

/** A command in the palette. `reason`: why the account can't use it; running it shows this reason. */
interface PaletteEntry {
  id: string;
  label: string;
  keys?: string;
  reason?: string;
  run: () => void;
}

/** Returns why the account can't use a command for these items; null when it can, or when that is unknown. */
export function refusalOfCommand({ needs }: ItemCommand, target: Target | null): AppErrorData | null {
  return needs === undefined || target === null ? null : refusalOf(target, needs);
}

/** Runs a command, or shows in a message why the account can't use it. */
export function runItemCommand(command: ItemCommand, target: Target): void {
  if (command.needs === undefined) command.run(target);
  else void runIfAllowed(target, command.needs, () => command.run(target));
}

/** The commands for the selected items of the open list, for the palette; none while nothing is selected. */
export function selectedItemCommands(): PaletteEntry[] {
  const target = selectedTarget();
  if (target === null) return [];
  return Object.values<ItemCommand>(ITEM_COMMANDS).map((command) => {
    const { id, label, keys } = command;
    const refusal = refusalOfCommand(command, target);
    return {
      id: `items-${id}`,
      label: texts.selectedItems(label),
      ...(keys === undefined ? {} : { keys }),
      ...(refusal === null ? {} : { reason: refusal.message }),
      run: () => runItemCommand(command, target),
    };
  });
}

/** Each link is a request. */
const MOST_LINKS = 100;

/** Copies the markup of the items' players, one after the other, in the size that the library uses by default. */
function copyEmbedCodes({ selection, count }: Target): Promise<void> {
  return attempt(async () => {
    if (count > MAX_EMBED_CODES)
      return warn(labels.selection.tooManyCodes(count, MAX_EMBED_CODES), labels.selection.tooManyCodesNext);
    const mediaIds = [...(await selectedItemIds(selection))];
    const [size] = EMBED_SIZES;
    const { codes } = await call('library.embedCodes', { siteId: selection.siteId, mediaIds, ...size });
    await copyText(codes.join('\n'));
    notify(labels.selection.embedCopied(codes.length));
  });
}

/** Copies the addresses of the items' web pages, one per line. */
function copyItemLinks({ selection, count }: Target): Promise<void> {
  return attempt(async () => {
    if (count > MOST_LINKS)
      return warn(labels.selection.tooManyLinks(count, MOST_LINKS), labels.selection.tooManyLinksNext);
    const { siteId } = selection;
    const links: string[] = [];
    for (const mediaId of await selectedItemIds(selection)) {
      const { viewUrl } = await call('library.media', { siteId, mediaId });
      if (viewUrl !== null) links.push(viewUrl);
    }
    if (links.length === 0) return warn(labels.selection.noLinks, labels.selection.noLinksNext);
    await copyText(links.join('\n'));
    notify(labels.selection.linksCopied(links.length));
  });
}
