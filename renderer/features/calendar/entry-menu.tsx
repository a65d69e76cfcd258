import { CalendarClock, Eye, EyeOff, FolderOpen, PanelRightOpen, Play } from 'lucide-react';
import type { MediaRow } from '../../../shared/contract/library.ts';
import { ContextMenu } from '../../kit/components/overlay/context-menu.tsx';
import type { MenuEntry, MenuGroup } from '../../kit/components/overlay/menu.tsx';
import { openItem } from '../common/commands/commands.ts';
import { texts as commands } from '../common/commands/texts.ts';
import { openInspector } from '../common/state/layout-store.ts';
import { showItem } from '../library/state/files/show-item.ts';
import { openBulkDialog, submitChange } from '../library/state/selection/bulk-store.ts';
import { refusalOf, runIfAllowed, useKnownRights } from '../library/state/selection/rights-store.ts';
import { texts as libraryTexts } from '../library/state/texts.ts';
import { selectItem, useCalendar } from './state/calendar-store.ts';
import { closeEntryMenu, useEntryMenu } from './state/entry-menu-store.ts';
import { targetOfItem } from './state/reschedule.ts';
import { closeSlotList } from './state/slot-lists.ts';
import { texts } from './texts.ts';

const { labels } = libraryTexts.selection;

/** The menu of the item that was clicked with the right button, or for which the keyboard asked. */
export function EntryMenu() {
  const open = useEntryMenu((state) => state.open);
  const siteId = useCalendar((state) => state.siteId);
  useKnownRights(open !== null);
  if (open === null || siteId === null) return null;
  const { row, x, y } = open;
  return (
    <ContextMenu
      label={texts.entry.more(row.title)}
      x={x}
      y={y}
      groups={entryGroups(siteId, row)}
      onClose={closeEntryMenu}
    />
  );
}

/** Returns the commands for an item of the calendar and of its lists. */
export function entryGroups(siteId: string, row: MediaRow): MenuGroup[] {
  const target = targetOfItem(siteId, row);
  const { id: mediaId, collectionId } = row;
  /** A command that changes the publication; an account without the right sees why. */
  const publishing = (entry: Omit<MenuEntry, 'onAction'>, run: () => void): MenuEntry => {
    const refusal = refusalOf(target, 'publish');
    const onAction = () => {
      closeSlotList();
      void runIfAllowed(target, 'publish', run);
    };
    return { ...entry, ...(refusal === null ? {} : { reason: refusal.message }), onAction };
  };
  const change = (kind: 'now' | 'unpublish', label: string) =>
    void submitChange(target, { publication: { kind } }, label);
  const isPublic = row.status === 'published';
  return [
    {
      entries: [
        {
          id: 'play',
          label: texts.entry.open,
          icon: <Play size={14} aria-hidden />,
          detail: 'Enter',
          onAction: () => {
            closeSlotList();
            void showItem({ siteId, mediaId });
          },
        },
        {
          id: 'details',
          label: texts.entry.details,
          icon: <PanelRightOpen size={14} aria-hidden />,
          onAction: () => {
            closeSlotList();
            selectItem(row);
            openInspector();
          },
        },
        {
          id: 'place',
          label: texts.entry.showInLibrary,
          icon: <FolderOpen size={14} aria-hidden />,
          onAction: () => {
            closeSlotList();
            openItem({ siteId, collectionId, mediaId });
          },
        },
      ],
    },
    {
      entries: [
        ...(isPublic
          ? []
          : [
              publishing(
                { id: 'schedule', label: commands.items.schedule, icon: <CalendarClock size={14} aria-hidden /> },
                () => openBulkDialog('schedule', target),
              ),
              publishing({ id: 'publish', label: commands.items.publish, icon: <Eye size={14} aria-hidden /> }, () =>
                change('now', labels.publish),
              ),
            ]),
        ...(row.status === 'draft'
          ? []
          : [
              publishing(
                { id: 'unpublish', label: commands.items.unpublish, icon: <EyeOff size={14} aria-hidden /> },
                () => change('unpublish', labels.unpublish),
              ),
            ]),
      ],
    },
  ];
}
