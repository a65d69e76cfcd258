// Menu entries that the rows of several views share.
import { ChevronDown, Columns3, ExternalLink, FolderSearch, LibraryBig, Upload } from 'lucide-react';
import { Button, IconButton } from '../../kit/components/button.tsx';
import { ActionMenu, type MenuEntry } from '../../kit/components/overlay/menu.tsx';
import { type CommandPlace, copyToClipboard, importSpreadsheet, openItem, pick } from './commands/commands.ts';
import { showInFolder } from './state/show-in-folder.ts';
import { texts } from './texts.ts';

export function itemEntry(place: CommandPlace): MenuEntry {
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
  return { id: 'hash', label: texts.copyHash, onAction: () => void copyToClipboard(sha256) };
}

export function folderEntry(path: string): MenuEntry {
  return {
    id: 'folder',
    label: texts.showInFolder,
    icon: <FolderSearch size={14} aria-hidden />,
    onAction: () => void showInFolder(path),
  };
}

/** Lets the user choose files or a folder to upload. `label` names the menu. */
export function AddButton({ label }: { label: string }) {
  return (
    <ActionMenu
      label={label}
      placement="bottom end"
      groups={[
        {
          entries: [
            { id: 'files', label: texts.files, onAction: () => void pick('files') },
            { id: 'folder', label: texts.folder, onAction: () => void pick('folder') },
          ],
        },
        { entries: [{ id: 'spreadsheet', label: texts.spreadsheet, onAction: importSpreadsheet }] },
      ]}
    >
      <Button variant="primary" icon={<Upload size={14} aria-hidden />}>
        {texts.addUploads}
        <ChevronDown size={12} aria-hidden />
      </Button>
    </ActionMenu>
  );
}

interface ColumnMenuProps {
  /** The name of the button and of the menu. */
  label: string;
  columns: readonly MenuEntry[];
  /** Entries below the columns. */
  others?: readonly MenuEntry[];
}

/** Chooses the columns of a list or a table. The menu stays open, so that the user can choose several. */
export function ColumnMenu({ label, columns, others = [] }: ColumnMenuProps) {
  const chosen = { title: label, isMultiple: true, entries: columns };
  return (
    <ActionMenu
      label={label}
      placement="bottom end"
      groups={others.length === 0 ? [chosen] : [chosen, { entries: others }]}
    >
      <IconButton label={label}>
        <Columns3 size={16} strokeWidth={1.75} />
      </IconButton>
    </ActionMenu>
  );
}
