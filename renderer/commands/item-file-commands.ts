import type { MediaFile } from '../../shared/api/files.ts';
import { showView } from '../stores/app/app-store.ts';
import { attempt, warn } from '../stores/app/messages-store.ts';
import { chooseAndAdd, type ItemRef, openFileDialog } from '../stores/library/files/file-commands.ts';
import { useInspector } from '../stores/library/inspector-store.ts';
import { texts } from './texts.ts';

/** A command that adds something to an item. */
export interface ItemFileCommand {
  id: 'item-add-files' | 'item-captions' | 'item-thumbnail' | 'item-web';
  /** Its name in the menu of the Files tab. */
  label: string;
  /** Its name in the palette and in the application menu's table. */
  longLabel: string;
  chords?: readonly string[];
  run: (item: ItemRef) => void;
}

const names = texts.itemFiles;

/** The commands that add to an item: the menu of the Files tab, the application menu and the palette use this list. */
export const ITEM_FILE_COMMANDS: readonly ItemFileCommand[] = [
  {
    ...{ id: 'item-add-files', label: names.files, longLabel: names.filesOf, chords: ['mod+shift+a'] },
    run: (item) => void attempt(() => chooseAndAdd(item)),
  },
  {
    ...{ id: 'item-captions', label: names.captions, longLabel: names.captionsOf },
    run: (item) => openFileDialog({ kind: 'captions', item, captions: null, failed: null }),
  },
  {
    ...{ id: 'item-thumbnail', label: names.thumbnail, longLabel: names.thumbnailOf },
    run: (item) => openFileDialog({ kind: 'thumbnail', item, frame: null }),
  },
  {
    ...{ id: 'item-web', label: names.web, longLabel: names.webOf },
    run: (item) => openFileDialog({ kind: 'web', item, old: null }),
  },
];

/** Runs a command for the item in the inspector and shows its files; without one, says what to do. */
export function runForShownItem({ id, run }: ItemFileCommand): void {
  const { siteId, detail } = useInspector.getState();
  if (siteId === null || detail === null) {
    warn(names.noItem, names.noItemNext);
    return;
  }
  if (id === 'item-captions' && !hasRecording(detail.files)) {
    warn(names.noRecording, names.noRecordingNext);
    return;
  }
  showView('library');
  useInspector.setState({ tab: 'files' });
  run({ siteId, mediaId: detail.item.id });
}

/** Captions belong to a recording. */
export function hasRecording(files: readonly MediaFile[]): boolean {
  return files.some(({ type }) => type === 'video' || type === 'audio');
}
