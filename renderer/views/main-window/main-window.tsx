import { type ReactNode, useState } from 'react';
import { useFocusGuard } from '../../components/overlay/use-focus-guard.ts';
import { Splitter } from '../../components/splitter.tsx';
import { useApp, type View } from '../../stores/app/app-store.ts';
import { preferences, savePreferences } from '../../stores/app/preferences.ts';
import { NewCollectionDialog } from '../library/collections/new-collection-dialog.tsx';
import { LibraryView } from '../library/library-view.tsx';
import { ReceiptsView } from '../receipts/receipts-view.tsx';
import { SettingsView } from '../settings/settings-view.tsx';
import { SignInDialog } from '../sign-in/sign-in-view.tsx';
import { AddSheet } from '../uploads/add/add-sheet.tsx';
import { CancelDialog } from '../uploads/cancel-dialog.tsx';
import { PauseDialog } from '../uploads/pause-menu.tsx';
import { UploadsView } from '../uploads/uploads-view.tsx';
import { CommandPalette } from './dialogs/command-palette.tsx';
import { ShortcutsDialog } from './dialogs/shortcuts-dialog.tsx';
import { DropOverlay } from './drop/drop-overlay.tsx';
import { useFileDrop } from './drop/use-file-drop.ts';
import styles from './main-window.module.css';
import { Notices } from './notices.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';
import { UploadStrip } from './upload-strip.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const VIEWS: Readonly<Record<View, () => ReactNode>> = {
  library: () => <LibraryView />,
  uploads: () => <UploadsView />,
  receipts: () => <ReceiptsView />,
  settings: () => <SettingsView />,
};

/** The window after the sign-in: sidebar, view, upload strip, and the dialogs above them. */
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
