import { Eye, FolderPlus } from 'lucide-react';
import { Button } from '../../kit/components/button.tsx';
import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { ErrorState } from '../../kit/components/status/empty-state.tsx';
import { RulesEditor } from './editor/rules-editor.tsx';
import { FolderList } from './folder/folder-list.tsx';
import { FolderPane } from './folder/folder-pane.tsx';
import { useDraft } from './state/folder-draft.ts';
import { confirmRemoval, keepFolder, pickWatchedFolder, useRemoval } from './state/watch-commands.ts';
import { loadWatched, useWatched } from './state/watched-store.ts';
import { texts } from './texts.ts';
import styles from './watched-view.module.css';

/** The watched folders with their files, or the editor of the rules of one of them. */
export function WatchedView() {
  const isEditing = useDraft((state) => state.draft !== null && state.place === 'editor');
  const hasFolders = useWatched((state) => (state.folders?.length ?? 0) > 0);
  return (
    <main className={styles.view} aria-label={texts.title}>
      {isEditing ? (
        <RulesEditor />
      ) : (
        <>
          <div className={styles.toolbar}>
            <h1 className={styles.title}>{texts.title}</h1>
            <span className={styles.grow} />
            {hasFolders ? <AddButton /> : null}
          </div>
          <Contents />
        </>
      )}
    </main>
  );
}

function AddButton() {
  return (
    <Button variant="primary" icon={<FolderPlus size={14} aria-hidden />} onPress={() => void pickWatchedFolder()}>
      {texts.addFolder}
    </Button>
  );
}

function Contents() {
  const folders = useWatched((state) => state.folders);
  const error = useWatched((state) => state.error);
  const isFolderOpen = useWatched((state) => state.isFolderOpen);
  if (folders === null && error !== null) {
    return <ErrorState title={texts.failed} error={error} onRetry={() => void loadWatched()} />;
  }
  if (folders === null) return <p className={styles.quiet}>{texts.loading}</p>;
  if (folders.length === 0) return <NoFolders />;
  return (
    <div className={styles.panes} data-open={isFolderOpen ? '' : undefined}>
      <FolderList folders={folders} />
      <FolderPane />
    </div>
  );
}

/** Explains the feature and lets the user add the first folder. */
function NoFolders() {
  return (
    <div className={styles.zoneSpace}>
      <div className={styles.zone}>
        <div className={styles.zoneIcon}>
          <Eye size={28} strokeWidth={1.75} aria-hidden />
        </div>
        <h2 className={styles.zoneTitle}>{texts.empty.title}</h2>
        <p className={styles.zoneText}>{texts.empty.text}</p>
        <div className={styles.zoneActions}>
          <AddButton />
        </div>
        <p className={styles.zoneHint}>{texts.empty.drop}</p>
      </div>
    </div>
  );
}

/** Asks for confirmation before a folder is no longer watched. */
export function RemoveFolderDialog() {
  const folder = useRemoval((state) => state.folder);
  if (folder === null) return null;
  return (
    <ConfirmDialog
      title={texts.remove.title(folder.name)}
      text={texts.remove.text}
      keep={texts.remove.keep}
      confirm={texts.remove.confirm}
      isOpen
      closesFirst={false}
      onConfirm={() => void confirmRemoval()}
      onClose={keepFolder}
    />
  );
}
