import { Captions, FilePlus2, ImagePlus, Link, type LucideIcon } from 'lucide-react';
import type { MediaFile } from '../../../../shared/api/files.ts';
import type { MediaRef } from '../../../../shared/contract/media-ref.ts';
import { texts } from '../../common/commands/texts.ts';
import { showView } from '../../common/state/app-store.ts';
import { openInspector } from '../../common/state/layout-store.ts';
import { attempt, warn } from '../../common/state/messages-store.ts';
import { chooseAndAdd, openFileDialog } from '../state/files/file-commands.ts';
import { useInspector } from '../state/inspector-store.ts';

/** A command that adds a file or a link to an item. */
export interface ItemFileCommand {
  id: 'item-add-files' | 'item-captions' | 'item-thumbnail' | 'item-web';
  /** Its name in the menu of the Files tab. */
  label: string;
  /** Its name in the palette and in the table of commands. */
  longLabel: string;
  icon: LucideIcon;
  chords?: readonly string[];
  run: (item: MediaRef) => void;
}

const names = texts.itemFiles;

/**
 * The commands that add to an item: the menu of the Files tab, the context menu of an item, the application menu and the palette
 * use this list. A drop on the Files tab has the same effect as the first command.
 */
export const ITEM_FILE_COMMANDS: readonly ItemFileCommand[] = [
  {
    id: 'item-add-files',
    icon: FilePlus2,
    label: names.files,
    longLabel: names.filesOf,
    chords: ['mod+shift+a'],
    run: (item) => void attempt(() => chooseAndAdd(item)),
  },
  {
    id: 'item-captions',
    icon: Captions,
    label: names.captions,
    longLabel: names.captionsOf,
    run: (item) => openFileDialog({ kind: 'captions', item, captions: null, failed: null }),
  },
  {
    id: 'item-thumbnail',
    icon: ImagePlus,
    label: names.thumbnail,
    longLabel: names.thumbnailOf,
    run: (item) => openFileDialog({ kind: 'thumbnail', item, frame: null }),
  },
  {
    id: 'item-web',
    icon: Link,
    label: names.web,
    longLabel: names.webOf,
    run: (item) => openFileDialog({ kind: 'web', item, old: null }),
  },
];

/** Runs a command for the item in the inspector and shows its files; without an item, shows the next step. */
export function runForShownItem({ id, run }: ItemFileCommand): void {
  const { siteId, detail } = useInspector.getState();
  if (siteId === null || detail === null) {
    warn(names.noItem, names.noItemNext);
    return;
  }
  if (id === 'item-captions' && !hasRecording(detail.files)) {
    explainNoRecording();
    return;
  }
  showFilesTab();
  run({ siteId, mediaId: detail.item.id });
}

/** Shows the library with the files of the item in the inspector. */
export function showFilesTab(): void {
  showView('library');
  openInspector();
  useInspector.setState({ tab: 'files' });
}

/**
 * Returns the properties of a menu entry that tell why its command can't be used with an item; none when it can be used. Only
 * captions are refused, for an item without a recording.
 */
export function refusalOfFileCommand({ id }: ItemFileCommand, isRecording: boolean) {
  if (id !== 'item-captions' || isRecording) return {};
  return { reason: names.noRecording, onAction: explainNoRecording };
}

function explainNoRecording(): void {
  warn(names.noRecording, names.noRecordingNext);
}

export function hasRecording(files: readonly MediaFile[]): boolean {
  return files.some(({ type }) => type === 'video' || type === 'audio');
}
