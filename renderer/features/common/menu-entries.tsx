// Menu entries that the rows of several views share.
import { ExternalLink, FolderSearch, LibraryBig } from 'lucide-react';
import type { MenuEntry } from '../../kit/components/overlay/menu.tsx';
import { type ItemPlace, openItem } from './commands/open-item.ts';
import { copy, showInFolder } from './commands/system.ts';
import { texts } from './texts.ts';

export function itemEntry(place: ItemPlace): MenuEntry {
  return {
    id: 'item',
    label: texts.openItem,
    icon: <LibraryBig size={14} aria-hidden />,
    onAction: () => openItem(place),
  };
}

export function webPageEntry(open: () => Promise<void>): MenuEntry {
  return {
    id: 'page',
    label: texts.openPage,
    icon: <ExternalLink size={14} aria-hidden />,
    onAction: () => void open(),
  };
}

export function copyHashEntry(sha256: string): MenuEntry {
  return { id: 'hash', label: texts.copyHash, onAction: () => void copy(sha256) };
}

export function folderEntry(path: string): MenuEntry {
  return {
    id: 'folder',
    label: texts.showInFolder,
    icon: <FolderSearch size={14} aria-hidden />,
    onAction: () => void showInFolder(path),
  };
}
