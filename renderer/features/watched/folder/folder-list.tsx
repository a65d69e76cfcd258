import type { KeyboardEvent } from 'react';
import { useCallback, useMemo } from 'react';
import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { VirtualGrid } from '../../../kit/components/list/virtual-grid.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import type { Selection } from '../../../kit/lists/selection.ts';
import { countsText, folderLook } from '../folder-text.ts';
import { openFolderEditor } from '../state/folder-draft.ts';
import { askToRemove } from '../state/watch-commands.ts';
import { openFolder, showFolderPane, useWatched } from '../state/watched-store.ts';
import { texts } from '../texts.ts';
import styles from './folder.module.css';

const ROW_HEIGHT = 78;

/**
 * The watched folders. Arrow keys choose a folder, Enter goes to its files, F2 to its rules, Delete asks whether to remove it.
 */
export function FolderList({ folders }: { folders: readonly WatchedFolder[] }) {
  const folderId = useWatched((state) => state.folderId);
  const focus = folders.findIndex(({ id }) => id === folderId);
  const selection = useMemo<Selection>(
    () => ({ ids: new Set(folderId === null ? [] : [folderId]), focus, anchor: focus }),
    [folderId, focus],
  );
  const idAt = useCallback((index: number) => folders[index]?.id, [folders]);
  const onSelect = useCallback(
    (next: Selection) => {
      const folder = folders[next.focus];
      if (folder !== undefined && folder.id !== useWatched.getState().folderId) openFolder(folder.id);
    },
    [folders],
  );
  const onKey = (event: KeyboardEvent) => {
    const folder = folders[focus];
    if (folder === undefined) return;
    if (event.key === 'F2') openFolderEditor(folder);
    else if (event.key === 'Delete' || event.key === 'Backspace') askToRemove(folder);
  };
  return (
    <div className={styles.folders} data-pane="folders">
      <VirtualGrid
        label={texts.folders.label}
        total={folders.length}
        rowHeight={ROW_HEIGHT}
        columnCount={3}
        listKey="folders"
        idAt={idAt}
        selection={selection}
        isSingle
        onSelect={onSelect}
        onShow={nothingToShow}
        onReach={nothingToLoad}
        onActivate={openFiles}
        onKey={onKey}
        renderRow={(index) => <FolderRow folder={folders[index]} />}
      />
    </div>
  );
}

const nothingToShow = () => undefined;
const nothingToLoad = () => Promise.resolve();

/** Moves the keyboard focus to the files of the open folder, which a narrow window shows instead of the folders. */
function openFiles(): void {
  showFolderPane(true);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-pane="files"] [role="grid"]')?.focus());
}

function FolderRow({ folder }: { folder: WatchedFolder | undefined }) {
  if (folder === undefined) return null;
  return (
    <div className={styles.folder} role="presentation" data-folder-id={folder.id} data-state={folder.state}>
      <Cell className={styles.name} title={folder.root}>
        {folder.name}
      </Cell>
      <Cell>
        <StateChip look={folderLook(folder)} state={folder.state} />
      </Cell>
      <Cell className={styles.place} title={folder.root}>
        <bdi>{folder.root}</bdi>
      </Cell>
      <Cell className={styles.sum}>{countsText(folder)}</Cell>
    </div>
  );
}
