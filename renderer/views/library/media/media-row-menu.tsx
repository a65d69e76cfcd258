import { Download, Eye, EyeOff, History, Layers, PanelRightOpen, Trash2 } from 'lucide-react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import type { MediaAction } from '../../../../shared/model/media-rights.ts';
import { openItemPage } from '../../../commands/open-item.ts';
import { showRelated } from '../../../commands/search-commands.ts';
import { type MenuEntry, type MenuGroup, RowMenu } from '../../../components/overlay/menu.tsx';
import { useApp } from '../../../stores/app/app-store.ts';
import { showHistory } from '../../../stores/edits/edits-store.ts';
import { startDownload } from '../../../stores/library/files/downloads-store.ts';
import { askToDelete, publish, unpublish } from '../../../stores/library/inspector-store.ts';
import { selectMedia } from '../../../stores/library/media-store.ts';
import { targetOf } from '../../../stores/library/selection/media-selection.ts';
import { loadRightsTo, refusalOf, runAllowed, useKnownRights } from '../../../stores/library/selection/rights-store.ts';
import { webPageEntry } from '../../shared/menu-entries.tsx';
import { focusInspector } from '../focus.ts';
import { itemEntries, selectionGroups } from '../selection/item-menu.tsx';
import { texts } from '../texts.ts';

// Commands for one item that use the inspector apply to the selected item, so they select their own first.

/** The menu of an item in the list: for it alone, or for all selected items when it is one of several. */
export function MediaRowMenu({ row }: { row: MediaRow }) {
  useKnownRights();
  const groups = () => ((targetOf(row.id)?.count ?? 0) > 1 ? selectionGroups() : groupsFor(row));
  const onOpen = () => {
    const target = targetOf(row.id);
    if (target !== null) void loadRightsTo(target);
  };
  return <RowMenu label={texts.row.more(row.title)} groups={groups} onOpen={onOpen} />;
}

function groupsFor(row: MediaRow): MenuGroup[] {
  const { siteId } = useApp.getState();
  if (siteId === null) return [];
  const run = (work: () => void) => () => {
    selectMedia(row.id);
    work();
  };
  const target = targetOf(row.id);
  /** An entry that says why the account can't use it. */
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
        {
          id: 'details',
          label: texts.row.details,
          icon: <PanelRightOpen size={14} aria-hidden />,
          onAction: run(focusInspector),
        },
        {
          id: 'related',
          label: texts.row.related,
          icon: <Layers size={14} aria-hidden />,
          onAction: () => showRelated(row.id, row.title),
        },
        {
          id: 'history',
          label: texts.row.history,
          icon: <History size={14} aria-hidden />,
          onAction: () => showHistory({ siteId, entityKind: 'media', entityId: row.id, name: row.title }),
        },
        webPageEntry(() => openItemPage({ siteId, mediaId: row.id })),
        ...itemEntries(['links'], () => targetOf(row.id)),
        {
          id: 'download',
          label: texts.row.download,
          icon: <Download size={14} aria-hidden />,
          onAction: () => void startDownload(siteId, [{ mediaId: row.id, fileId: null }]),
        },
      ],
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
