import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import type { MediaAction } from '../../../../shared/model/media-rights.ts';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { type MenuEntry, type MenuGroup, RowMenu } from '../../../kit/components/overlay/menu.tsx';
import { chordText } from '../../common/commands/chords.ts';
import { useApp } from '../../common/state/app-store.ts';
import { ITEM_FILE_COMMANDS, refusalOfFileCommand, showFilesTab } from '../commands/item-file-commands.ts';
import { ONE_ITEM_COMMANDS } from '../commands/one-item-commands.ts';
import { itemEntries, selectionGroups } from '../selection/item-menu.tsx';
import { askToDelete, publish, unpublish } from '../state/inspector-commands.ts';
import { selectMedia } from '../state/media-store.ts';
import { targetOf } from '../state/selection/media-selection.ts';
import { loadRightsTo, refusalOf, runAllowed, useKnownRights } from '../state/selection/rights-store.ts';
import { texts } from '../texts.ts';

// Commands for one item that use the inspector apply to the selected item, so they select their own first.

/** The menu of an item in the list: for this item only, or for all selected items when it is one of several. */
export function MediaRowMenu({ row }: { row: MediaRow }) {
  const [wasOpened, setOpened] = useState(false);
  // Only opened menus follow the rights: otherwise every answer would render all visible rows again.
  useKnownRights(wasOpened);
  const groups = () => ((targetOf(row.id)?.count ?? 0) > 1 ? selectionGroups() : groupsFor(row));
  const onOpen = () => {
    setOpened(true);
    const target = targetOf(row.id);
    if (target !== null) void loadRightsTo(target);
  };
  return <RowMenu rowId={row.id} label={texts.row.more(row.title)} groups={groups} onOpen={onOpen} />;
}

function groupsFor(row: MediaRow): MenuGroup[] {
  const { siteId } = useApp.getState();
  if (siteId === null) return [];
  const run = (work: () => void) => () => {
    selectMedia(row.id);
    work();
  };
  const target = targetOf(row.id);
  /** Returns the entry, or its disabled form with the reason why the account can't use it. */
  const allowed = (action: MediaAction, entry: MenuEntry): MenuEntry => {
    const refusal = target === null ? null : refusalOf(target, action);
    if (refusal === null) return entry;
    return { ...entry, reason: refusal.message, onAction: () => runAllowed(refusal, entry.onAction) };
  };
  const publication: MenuEntry =
    row.status === 'published'
      ? {
          id: 'unpublish',
          label: texts.row.unpublish,
          icon: <EyeOff size={14} aria-hidden />,
          onAction: run(() => void unpublish()),
        }
      : {
          id: 'publish',
          label: texts.row.publish,
          icon: <Eye size={14} aria-hidden />,
          onAction: run(() => void publish(null)),
        };
  return [
    {
      entries: [
        ...ONE_ITEM_COMMANDS.map(({ id, label, icon: Icon, chord, needs, run: runFor }): MenuEntry => {
          const entry = {
            id,
            label,
            icon: <Icon size={14} aria-hidden />,
            ...(chord === undefined ? {} : { detail: chordText(chord, modKey()) }),
            onAction: () => runFor({ siteId, mediaId: row.id, title: row.title }),
          };
          return needs === undefined ? entry : allowed(needs, entry);
        }),
        ...itemEntries(['links', 'download'], () => targetOf(row.id)),
      ],
    },
    {
      title: texts.row.add,
      entries: ITEM_FILE_COMMANDS.map((command): MenuEntry => {
        const { id, label, icon: Icon, run: runFor } = command;
        return {
          id,
          label,
          icon: <Icon size={14} aria-hidden />,
          onAction: run(() => {
            showFilesTab();
            runFor({ siteId, mediaId: row.id });
          }),
          ...refusalOfFileCommand(command, row.type === 'video' || row.type === 'audio'),
        };
      }),
    },
    { entries: itemEntries(['tags', 'move'], () => targetOf(row.id)) },
    {
      entries: [
        allowed('publish', publication),
        ...itemEntries(row.status === 'published' ? [] : ['schedule'], () => targetOf(row.id)),
      ],
    },
    {
      entries: [
        allowed('delete', {
          id: 'delete',
          label: texts.row.remove,
          icon: <Trash2 size={14} aria-hidden />,
          detail: 'Del',
          isDanger: true,
          onAction: run(() => askToDelete(row.title)),
        }),
      ],
    },
  ];
}
