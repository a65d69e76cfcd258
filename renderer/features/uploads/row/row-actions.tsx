import {
  Ban,
  ChevronsUp,
  FileCheck,
  LibraryBig,
  ListStart,
  Pause,
  Play,
  RotateCw,
  SkipForward,
  Upload,
  X,
} from 'lucide-react';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { offeredItems } from '../../../../shared/model/offered-items.ts';
import { canClear } from '../../../../shared/model/uploads/clear-rule.ts';
import { PRIORITIES } from '../../../../shared/model/uploads/priorities.ts';
import { hasReplacedFile } from '../../../../shared/model/uploads/replaced-file.ts';
import { asksAboutDuplicate, asksAboutItem } from '../../../../shared/model/uploads/upload-machine.ts';
import { type MenuEntry, type MenuGroup, RowButton, RowMenu } from '../../../kit/components/overlay/menu.tsx';
import { openCollection, openWebPage } from '../../common/commands/commands.ts';
import { folderEntry, itemEntry, webPageEntry } from '../../common/menus.tsx';
import { showAccount } from '../../common/state/app-store.ts';
import { cancelUploads, clearUploads } from '../state/cancel-uploads.ts';
import { canMove } from '../state/move-uploads.ts';
import {
  acceptReplaced,
  chooseItem,
  command,
  resolveDuplicates,
  sendNext,
  setPriority,
} from '../state/upload-commands.ts';
import { texts } from '../texts.ts';
import { duplicateOf, PRIORITY_LOOKS, type RowAction, rowActions } from './row-text.ts';

// The icons are created once: React does not render the same element again with its row.
const ACTIONS = {
  pause: { label: texts.row.pause, icon: <Pause size={14} aria-hidden /> },
  resume: { label: texts.row.resume, icon: <Play size={14} aria-hidden /> },
  retry: { label: texts.row.retry, icon: <RotateCw size={14} aria-hidden /> },
  cancel: { label: texts.row.cancel, icon: <Ban size={14} aria-hidden /> },
} as const satisfies Record<RowAction, unknown>;

/**
 * The commands of one upload: the most likely one as a button, all of them in a menu. Cancel is never the button: it would appear
 * where “Pause” was a moment before.
 */
export function RowActions({ row }: { row: UploadRow }) {
  const actions = rowActions(row);
  const first = actions.find((action) => action !== 'cancel');
  const selection = { kind: 'ids' as const, ids: [row.id] };
  const run = (action: RowAction) => void (action === 'cancel' ? cancelUploads(selection) : command(action, selection));
  const primary = first === undefined ? null : ACTIONS[first];
  const groups = () => menuOf(row, actions, run);
  return (
    <>
      {first === undefined || primary === null ? null : (
        <RowButton label={texts.row.action(primary.label, row.fileName)} onClick={() => run(first)}>
          {primary.icon}
        </RowButton>
      )}
      <RowMenu rowId={row.id} label={texts.row.more(row.fileName)} groups={groups} />
    </>
  );
}

function menuOf(row: UploadRow, actions: readonly RowAction[], run: (action: RowAction) => void): MenuGroup[] {
  const entries: MenuEntry[] = actions.map((action) => {
    const { label, icon } = ACTIONS[action];
    return {
      id: action,
      label: action === 'retry' && row.state === 'waiting' ? texts.row.tryNow : label,
      icon,
      isDanger: action === 'cancel',
      onAction: () => run(action),
    };
  });
  const ids = { kind: 'ids' as const, ids: [row.id] };
  const asks = asksAboutDuplicate(row);
  if (asks) {
    entries.push({
      id: 'skip',
      label: texts.row.skip,
      icon: <SkipForward size={14} aria-hidden />,
      onAction: () => void resolveDuplicates(ids, 'skip'),
    });
  }
  if (asks || (row.state === 'skipped' && duplicateOf(row) !== null)) {
    entries.push({
      id: 'upload-anyway',
      label: texts.row.uploadAnyway,
      icon: <Upload size={14} aria-hidden />,
      onAction: () => void resolveDuplicates(ids, 'upload'),
    });
  }
  if (hasReplacedFile(row)) {
    entries.push({
      id: 'accept-replaced',
      label: texts.row.sendReplaced,
      icon: <FileCheck size={14} aria-hidden />,
      onAction: () => void acceptReplaced(ids),
    });
  }
  if (canClear(row)) {
    entries.push({
      id: 'remove',
      label: texts.row.remove,
      icon: <X size={14} aria-hidden />,
      onAction: () => void clearUploads(ids, 'ended'),
    });
  }
  return [entries, itemEntries(row), orderEntries(row), placeEntries(row)]
    .filter((group) => group.length > 0)
    .map((group) => ({ entries: group }));
}

/** Returns the entries that continue the upload in an item that it may have created, or in a new item. */
function itemEntries(row: UploadRow): MenuEntry[] {
  if (!asksAboutItem(row)) return [];
  return [
    ...offeredItems(row).map(({ id, title }) => ({
      id: `item-${id}`,
      label: texts.row.useItem(title === '' ? texts.row.untitled : title),
      icon: <LibraryBig size={14} aria-hidden />,
      onAction: () => void chooseItem(row.id, id),
    })),
    {
      id: 'item-new',
      label: texts.row.createItem,
      icon: <Upload size={14} aria-hidden />,
      onAction: () => void chooseItem(row.id, null),
    },
  ];
}

function orderEntries(row: UploadRow): MenuEntry[] {
  if (!canMove(row)) return [];
  const selection = { kind: 'ids' as const, ids: [row.id] };
  return [
    {
      id: 'next',
      label: texts.row.sendNext,
      icon: <ListStart size={14} aria-hidden />,
      onAction: () => void sendNext(selection),
    },
    ...PRIORITIES.map((priority) => ({
      id: `priority-${priority}`,
      label: texts.row.withPriority(PRIORITY_LOOKS[priority].word),
      icon: <ChevronsUp size={14} aria-hidden />,
      isChecked: row.priority === priority,
      onAction: () => void setPriority(selection, priority),
    })),
  ];
}

/** Returns the entries that open the upload's item, its collection and its file. */
function placeEntries(row: UploadRow): MenuEntry[] {
  const { siteId, collectionId } = row;
  const duplicate = duplicateOf(row);
  const mediaId = row.mediaId ?? duplicate?.mediaId ?? null;
  const url = duplicate?.url ?? null;
  return [
    ...(mediaId === null ? [] : [itemEntry({ siteId, collectionId, mediaId })]),
    ...(url === null ? [] : [webPageEntry(() => openWebPage(url))]),
    ...(collectionId === '' ? [] : [collectionEntry(row)]),
    folderEntry(row.path),
  ];
}

function collectionEntry({ siteId, collectionId, collectionName }: UploadRow): MenuEntry {
  return {
    id: 'collection',
    label: texts.row.openCollection(collectionName),
    icon: <LibraryBig size={14} aria-hidden />,
    onAction: () => {
      if (showAccount(siteId)) openCollection(collectionId);
    },
  };
}
