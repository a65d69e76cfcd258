import { ExternalLink, Eye, History, Layers, type LucideIcon, PanelRightOpen, PencilLine, Play } from 'lucide-react';
import type { MediaAction } from '../../../../shared/model/media-rights.ts';
import { openItemPage } from '../../common/commands/commands.ts';
import { texts } from '../../common/commands/texts.ts';
import { useApp } from '../../common/state/app-store.ts';
import { showHistory } from '../../edits/state/edits-store.ts';
import { focusInspector } from '../focus.ts';
import { previewRow, showItem } from '../state/files/show-item.ts';
import { useInspector } from '../state/inspector-store.ts';
import { mediaList, placeInOpenList, selectMedia } from '../state/media-store.ts';
import { startItemRename } from '../state/rename-store.ts';
import { targetOf } from '../state/selection/media-selection.ts';
import { showRelated } from './search-commands.ts';

interface OneItem {
  siteId: string;
  mediaId: string;
  title: string;
}

/** A command for exactly one item. */
export interface OneItemCommand {
  id: string;
  label: string;
  icon: LucideIcon;
  /** The key that runs it for the current row of the list. */
  chord?: string;
  /** What the account must be allowed to do with the item; absent: the command only reads. */
  needs?: MediaAction;
  /** The palette lists it as another command, or not at all. */
  isElsewhere?: true;
  run: (item: OneItem) => void;
}

const names = texts.shownItem;

/** The commands for one item, in the order of its context menu. The palette offers them for the item in the inspector. */
export const ONE_ITEM_COMMANDS: readonly OneItemCommand[] = [
  { id: 'play', label: names.play, icon: Play, chord: 'enter', run: (item) => void showItem(item) },
  { id: 'preview', label: names.preview, icon: Eye, chord: 'space', run: preview },
  {
    id: 'details',
    label: names.details,
    icon: PanelRightOpen,
    chord: 'alt+enter',
    isElsewhere: true,
    run: ({ mediaId }) => {
      // The inspector shows the selected items: several stay selected.
      if ((targetOf(mediaId)?.count ?? 0) <= 1) selectMedia(mediaId);
      focusInspector();
    },
  },
  {
    id: 'rename',
    label: names.rename,
    icon: PencilLine,
    chord: 'f2',
    needs: 'edit',
    run: (item) => void startItemRename(item, item.title),
  },
  {
    id: 'related',
    label: names.related,
    icon: Layers,
    isElsewhere: true,
    run: ({ mediaId, title }) => showRelated(mediaId, title),
  },
  {
    id: 'history',
    label: names.history,
    icon: History,
    run: ({ siteId, mediaId, title }) => showHistory({ siteId, entityKind: 'media', entityId: mediaId, name: title }),
  },
  { id: 'page', label: names.webPage, icon: ExternalLink, run: (item) => void openItemPage(item) },
];

function preview({ siteId, mediaId }: OneItem): void {
  const place = placeInOpenList(mediaId);
  const row = place === null ? undefined : mediaList.rowAt(place.index);
  if (row !== undefined) previewRow(siteId, row);
}

/** Runs a command for the row of the list at an index, which is loaded first. */
export async function runForRow({ run }: OneItemCommand, index: number): Promise<void> {
  const { query } = mediaList.useList.getState();
  if (mediaList.rowAt(index) === undefined) await mediaList.loadRange(index, index);
  const row = mediaList.rowAt(index);
  if (query !== null && row !== undefined && mediaList.useList.getState().query === query) {
    run({ siteId: query.siteId, mediaId: row.id, title: row.title });
  }
}

/** Runs the command of this id for a row. */
export function runRowCommand(id: 'play' | 'preview', index: number): void {
  const command = ONE_ITEM_COMMANDS.find((each) => each.id === id);
  if (command !== undefined) void runForRow(command, index);
}

/** The commands for the item in the inspector, for the palette; none while no item is shown. */
export function shownItemCommands(): { id: string; label: string; run: () => void }[] {
  const { siteId, detail } = useInspector.getState();
  if (siteId === null || detail === null || useApp.getState().view !== 'library') return [];
  const { id: mediaId, title } = detail.item;
  return ONE_ITEM_COMMANDS.filter(({ isElsewhere }) => isElsewhere !== true).map(({ id, label, run }) => ({
    id: `shown-${id}`,
    label: names.inPalette(label),
    run: () => run({ siteId, mediaId, title }),
  }));
}
