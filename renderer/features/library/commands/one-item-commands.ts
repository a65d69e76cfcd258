import { ExternalLink, History, Layers, type LucideIcon, Play } from 'lucide-react';
import { openItemPage } from '../../common/commands/commands.ts';
import { texts } from '../../common/commands/texts.ts';
import { useApp } from '../../common/state/app-store.ts';
import { showHistory } from '../../edits/state/edits-store.ts';
import { showItem } from '../state/files/player-store.ts';
import { useInspector } from '../state/inspector-store.ts';
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
  /** The palette lists it as another command. */
  isElsewhere?: true;
  run: (item: OneItem) => void;
}

const names = texts.shownItem;

/** The commands for one item, in the order of its context menu. The palette offers them for the item in the inspector. */
export const ONE_ITEM_COMMANDS: readonly OneItemCommand[] = [
  { id: 'play', label: names.play, icon: Play, run: (item) => void showItem(item) },
  {
    ...{ id: 'related', label: names.related, icon: Layers, isElsewhere: true },
    run: ({ mediaId, title }) => showRelated(mediaId, title),
  },
  {
    ...{ id: 'history', label: names.history, icon: History },
    run: ({ siteId, mediaId, title }) => showHistory({ siteId, entityKind: 'media', entityId: mediaId, name: title }),
  },
  { id: 'page', label: names.webPage, icon: ExternalLink, run: (item) => void openItemPage(item) },
];

/** The commands for the item in the inspector, for the palette; none while no item is shown. */
export function shownItemCommands(): { id: string; label: string; run: () => void }[] {
  const { siteId, detail } = useInspector.getState();
  if (siteId === null || detail === null || useApp.getState().view !== 'library') return [];
  const { id: mediaId, title } = detail.item;
  return ONE_ITEM_COMMANDS.filter(({ isElsewhere }) => isElsewhere !== true).map(({ id, label, run }) => ({
    ...{ id: `shown-${id}`, label: names.inPalette(label) },
    run: () => run({ siteId, mediaId, title }),
  }));
}
