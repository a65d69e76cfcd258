import { type ReactNode, useState } from 'react';
import { Splitter } from '../../components/splitter.tsx';
import { useFocusGuard } from '../../components/use-focus-guard.ts';
import { useApp, type View } from '../../stores/app-store.ts';
import { preferences, savePreferences } from '../../stores/preferences.ts';
import { LibraryView } from '../library/library-view.tsx';
import { NewCollectionDialog } from '../library/new-collection-dialog.tsx';
import { ReceiptsView } from '../receipts/receipts-view.tsx';
import { SettingsView } from '../settings/settings-view.tsx';
import { SignInDialog } from '../sign-in/sign-in-view.tsx';
import { AddSheet } from '../uploads/add-sheet.tsx';
import { CancelDialog } from '../uploads/cancel-dialog.tsx';
import { PauseDialog } from '../uploads/pause-menu.tsx';
import { UploadsView } from '../uploads/uploads-view.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DropOverlay } from './drop-overlay.tsx';
import styles from './main-window.module.css';
import { Notices } from './notices.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Sidebar } from './sidebar.tsx';
import { UploadStrip } from './upload-strip.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useShortcuts } from './use-shortcuts.ts';

const VIEWS: Readonly<Record<View, () => ReactNode>> = {
  library: () => <LibraryView />,
  uploads: () => <UploadsView />,
  receipts: () => <ReceiptsView />,
  settings: () => <SettingsView />,
};

/** The window of someone who is signed in: three panes, the strip below them, whatever is open above. */
export function MainWindow() {
  const view = useApp((state) => state.view);
  const [width, setWidth] = useState(() => preferences().treeWidth);
  useFileDrop();
  useShortcuts();
  useFocusGuard();
  return (
    <div className={styles.window}>
      <Notices />
      <div className={styles.panes}>
        <aside className={styles.side} aria-label="Sidebar">
          <Sidebar width={width} />
          <Splitter
            label="Width of the sidebar"
            width={width}
            min={180}
            max={480}
            direction={1}
            onChange={setWidth}
            onCommit={(treeWidth) => savePreferences({ treeWidth })}
          />
        </aside>
        <div className={styles.center}>{VIEWS[view]()}</div>
      </div>
      <UploadStrip />
      <AddSheet />
      <CancelDialog />
      <PauseDialog />
      <NewCollectionDialog />
      <SignInDialog />
      <CommandPalette />
      <ShortcutsDialog />
      <DropOverlay />
    </div>
  );
}
