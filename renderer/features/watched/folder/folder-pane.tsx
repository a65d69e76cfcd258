import { ArrowLeft, FolderSearch, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';
import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import { useNow } from '../../../kit/components/time-hooks.ts';
import { commandItem, OverflowToolbar } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { showInFolder } from '../../common/state/show-in-folder.ts';
import { folderLook, sweepText } from '../folder-text.ts';
import { openFolderEditor } from '../state/folder-draft.ts';
import { askToRemove, confirmMoved, folderCommand, locateFolder } from '../state/watch-commands.ts';
import { showFolderPane, useWatched } from '../state/watched-store.ts';
import { texts } from '../texts.ts';
import { FileTabs } from './file-tabs.tsx';
import styles from './folder.module.css';

const { commands } = texts;

/** The open folder: its state with the next step, and its files. */
export function FolderPane() {
  const folder = useWatched(({ folders, folderId }) => folders?.find(({ id }) => id === folderId));
  if (folder === undefined) return null;
  return (
    <section className={styles.pane} aria-label={folder.name} data-pane="files">
      <header className={styles.head}>
        <div className={styles.headLine}>
          <span className={styles.back}>
            <IconButton label={texts.folders.back} small onPress={closePane}>
              <ArrowLeft size={15} />
            </IconButton>
          </span>
          <h2 className={styles.folderTitle}>{folder.name}</h2>
          <StateChip look={folderLook(folder)} state={folder.state} filled />
          <FolderCommands folder={folder} />
        </div>
        <p className={styles.root} data-selectable>
          {folder.root}
        </p>
        <Facts folder={folder} />
        <Notice folder={folder} />
      </header>
      <FileTabs folder={folder} />
    </section>
  );
}

function closePane(): void {
  showFolderPane(false);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-pane="folders"] [role="grid"]')?.focus());
}

function Facts({ folder }: { folder: WatchedFolder }) {
  const now = useNow(folder.nextSweepAt !== null);
  return (
    <p className={styles.facts} title={texts.sweep.meaning} data-testid="sweeps">
      {`${folder.driveName} · ${sweepText(folder, now)}`}
    </p>
  );
}

function FolderCommands({ folder }: { folder: WatchedFolder }) {
  const isPaused = folder.state === 'paused';
  const icon = { size: 14, 'aria-hidden': true } as const;
  const pause = isPaused
    ? { id: 'pause', label: commands.resume, icon: <Play {...icon} />, run: 'resume' as const }
    : { id: 'pause', label: commands.pause, icon: <Pause {...icon} />, run: 'pause' as const };
  const canSweep = folder.state !== 'off' && !isPaused && !folder.isSweeping;
  return (
    <OverflowToolbar
      label={commands.label}
      align="end"
      items={[
        commandItem({ ...pause, onAction: () => void folderCommand(pause.run, folder) }),
        commandItem({
          id: 'edit',
          label: commands.edit,
          icon: <Pencil {...icon} />,
          onAction: () => openFolderEditor(folder),
        }),
        commandItem({
          id: 'sweep',
          label: commands.sweep,
          icon: <RefreshCw {...icon} />,
          // A button that is disabled while it has the focus would lose the focus.
          onAction: () => {
            if (canSweep) void folderCommand('sweepNow', folder);
          },
        }),
        commandItem({
          id: 'show',
          label: commands.show,
          icon: <FolderSearch {...icon} />,
          onAction: () => void showInFolder(folder.root),
        }),
        commandItem({
          id: 'remove',
          label: commands.remove,
          icon: <Trash2 {...icon} />,
          onAction: () => askToRemove(folder),
        }),
      ]}
    />
  );
}

/** The reason for the state of the folder, with its next step. */
function Notice({ folder }: { folder: WatchedFolder }) {
  const { notice, state, movedTo } = folder;
  if (notice === null) return null;
  // The notice needs no action: it is a fact, for example that the folder is on a network drive.
  if (state === 'sweep-only' && notice.nextStep === null) {
    return (
      <p className={styles.facts} data-testid="folder-notice">
        {notice.message}
      </p>
    );
  }
  const canBeElsewhere = state === 'moved' || state === 'waiting-for-drive' || state === 'unusable';
  return (
    <div className={styles.notice} data-testid="folder-notice">
      <InlineError error={notice} isNotice={state !== 'unusable'}>
        {state === 'moved' && movedTo !== null ? (
          <span className={styles.question}>{commands.movedTo(movedTo)}</span>
        ) : null}
        {canBeElsewhere ? (
          <span className={styles.noticeButtons}>
            {state === 'moved' && movedTo !== null ? (
              <Button variant="primary" onPress={() => void confirmMoved(folder)}>
                {commands.sameFolder}
              </Button>
            ) : null}
            <Button onPress={() => void locateFolder(folder)}>{commands.locate}</Button>
          </span>
        ) : null}
      </InlineError>
    </div>
  );
}
