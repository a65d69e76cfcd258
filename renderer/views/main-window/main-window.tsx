import { type ReactNode, useEffect } from 'react';
import { Drawer } from '../../components/overlay/drawer.tsx';
import { focusView } from '../../components/overlay/use-focus-guard.ts';
import { Splitter } from '../../components/splitter.tsx';
import { useApp, type View } from '../../stores/app/app-store.ts';
import { closeDrawer, resizeSidebar, useLayout } from '../../stores/app/layout-store.ts';
import { EditsView } from '../edits/edits-view.tsx';
import { CollectionDialogs } from '../library/collections/collection-dialogs.tsx';
import { LibraryView } from '../library/library-view.tsx';
import { SavedSearchDialogs } from '../library/query/saved-search-dialogs.tsx';
import { ReceiptsView } from '../receipts/receipts-view.tsx';
import { SettingsView } from '../settings/settings-view.tsx';
import { SignInDialog } from '../sign-in/sign-in-view.tsx';
import { AddSheet } from '../uploads/add/add-sheet.tsx';
import { CancelDialog } from '../uploads/cancel-dialog.tsx';
import { ChooseCollectionDialog } from '../uploads/choose-collection-dialog.tsx';
import { PauseDialog } from '../uploads/pause-menu.tsx';
import { UploadsView } from '../uploads/uploads-view.tsx';
import { AddFolderSheet } from '../watched/add/add-folder-sheet.tsx';
import { RemoveFolderDialog } from '../watched/remove-dialog.tsx';
import { WatchedView } from '../watched/watched-view.tsx';
import { CommandPalette } from './dialogs/command-palette.tsx';
import { ShortcutsDialog } from './dialogs/shortcuts-dialog.tsx';
import { SignOutDialog } from './dialogs/sign-out-dialog.tsx';
import { DropOverlay } from './drop/drop-overlay.tsx';
import { useFileDrop } from './drop/use-file-drop.ts';
import styles from './main-window.module.css';
import { Notices } from './notices.tsx';
import { Rail } from './sidebar/rail.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';
import { texts } from './texts.ts';
import { UploadStrip } from './upload-strip.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const VIEWS: Readonly<Record<View, () => ReactNode>> = {
  library: () => <LibraryView />,
  edits: () => <EditsView />,
  uploads: () => <UploadsView />,
  watched: () => <WatchedView />,
  receipts: () => <ReceiptsView />,
  settings: () => <SettingsView />,
};

/** The window after the sign-in: sidebar, view, upload strip, and the dialogs above them. */
export function MainWindow() {
  const view = useApp((state) => state.view);
  useFileDrop();
  useShortcuts();
  // After the start and after a sign-in, no element has the focus.
  useEffect(focusView, []);
  return (
    <div className={styles.window}>
      <Notices />
      <div className={styles.panes}>
        <Side />
        <div className={styles.center}>{VIEWS[view]()}</div>
      </div>
      <UploadStrip />
      <AddSheet />
      <AddFolderSheet />
      <RemoveFolderDialog />
      <CancelDialog />
      <ChooseCollectionDialog />
      <PauseDialog />
      <CollectionDialogs />
      <SavedSearchDialogs />
      <SignInDialog />
      <CommandPalette />
      <ShortcutsDialog />
      <SignOutDialog />
      <DropOverlay />
    </div>
  );
}

/** The sidebar beside the view, or a rail of icons with the sidebar in a drawer. */
function Side() {
  const { sidebar, sidebarWidth } = useLayout((state) => state.panes);
  const isDrawerOpen = useLayout((state) => state.drawer === 'sidebar');
  if (sidebar === 'docked') {
    return (
      <aside className={styles.side} aria-label={texts.sidebar.label}>
        <Sidebar width={sidebarWidth} />
        <Splitter
          label={texts.sidebar.width}
          width={sidebarWidth}
          min={180}
          max={480}
          direction={1}
          onChange={(width) => resizeSidebar(width, false)}
          onCommit={(width) => resizeSidebar(width, true)}
        />
      </aside>
    );
  }
  return (
    <>
      <aside className={styles.side} aria-label={texts.sidebar.label}>
        <Rail />
      </aside>
      <Drawer label={texts.sidebar.label} side="left" isOpen={isDrawerOpen} onClose={closeDrawer}>
        <Sidebar />
      </Drawer>
    </>
  );
}
