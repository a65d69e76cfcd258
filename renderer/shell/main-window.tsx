import { type ReactNode, useEffect } from 'react';
import { AdminView } from '../features/admin/admin-view.tsx';
import { CalendarView } from '../features/calendar/calendar-view.tsx';
import { dismissFaults, dismissNotice, useApp, type View } from '../features/common/state/app-store.ts';
import { closeDrawer, resizeSidebar, useLayout } from '../features/common/state/layout-store.ts';
import { showInFolder } from '../features/common/state/show-in-folder.ts';
import { EditsView } from '../features/edits/edits-view.tsx';
import { CollectionDialogs } from '../features/library/collections/collection-dialogs.tsx';
import { LibraryView, WithInspector } from '../features/library/library-view.tsx';
import { SavedSearchDialogs } from '../features/library/query/saved-search-dialogs.tsx';
import { ReceiptsView } from '../features/receipts/receipts-view.tsx';
import { SettingsView } from '../features/settings/settings-view.tsx';
import { SignInDialog } from '../features/sign-in/sign-in-view.tsx';
import { AddSheet } from '../features/uploads/add/add-sheet.tsx';
import { PauseDialog } from '../features/uploads/pause-menu.tsx';
import { CancelDialog, ChooseCollectionDialog } from '../features/uploads/upload-dialogs.tsx';
import { UploadsView } from '../features/uploads/uploads-view.tsx';
import { AddFolderSheet } from '../features/watched/add/add-folder-sheet.tsx';
import { RemoveFolderDialog, WatchedView } from '../features/watched/watched-view.tsx';
import { Button } from '../kit/components/button.tsx';
import { Drawer } from '../kit/components/overlay/drawer.tsx';
import { focusView } from '../kit/components/overlay/use-focus-guard.ts';
import { Splitter } from '../kit/components/splitter.tsx';
import { CommandPalette } from './dialogs/command-palette.tsx';
import { ShortcutsDialog } from './dialogs/help-dialogs.tsx';
import { SignOutDialog } from './dialogs/sign-out-dialog.tsx';
import { DropOverlay } from './drop/drop-overlay.tsx';
import { useFileDrop } from './drop/use-file-drop.ts';
import { FaultBoundary } from './fault-boundary.tsx';
import styles from './main-window.module.css';
import { ErrorNotice } from './notice.tsx';
import { isNoticeShown, RestoredNotices } from './restored-notice.tsx';
import { Rail, Sidebar } from './sidebar/sidebar.tsx';
import { texts } from './texts.ts';
import { UploadStrip } from './upload-strip.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const VIEWS: Readonly<Record<View, () => ReactNode>> = {
  library: () => <LibraryView />,
  calendar: () => (
    <WithInspector>
      <CalendarView />
    </WithInspector>
  ),
  edits: () => <EditsView />,
  uploads: () => <UploadsView />,
  watched: () => <WatchedView />,
  receipts: () => <ReceiptsView />,
  settings: () => <SettingsView />,
  admin: () => <AdminView />,
};

/** The dialogs above all views, each with the name that a fault shows. */
const DIALOGS: readonly [name: string, dialog: () => ReactNode][] = [
  [texts.fault.dialogs.add, () => <AddSheet />],
  [texts.fault.dialogs.addFolder, () => <AddFolderSheet />],
  [texts.fault.dialogs.removeFolder, () => <RemoveFolderDialog />],
  [texts.fault.dialogs.cancelUploads, () => <CancelDialog />],
  [texts.fault.dialogs.chooseCollection, () => <ChooseCollectionDialog />],
  [texts.fault.dialogs.pause, () => <PauseDialog />],
  [texts.fault.dialogs.collections, () => <CollectionDialogs />],
  [texts.fault.dialogs.searches, () => <SavedSearchDialogs />],
  [texts.fault.dialogs.signIn, () => <SignInDialog />],
  [texts.fault.dialogs.palette, () => <CommandPalette />],
  [texts.fault.dialogs.shortcuts, () => <ShortcutsDialog />],
  [texts.fault.dialogs.signOut, () => <SignOutDialog />],
];

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
        <div className={styles.center}>
          <FaultBoundary key={view} name={texts.sidebar.names[view]} kind="view">
            {VIEWS[view]()}
          </FaultBoundary>
        </div>
      </div>
      <FaultBoundary name={texts.strip.label} kind="pane">
        <UploadStrip />
      </FaultBoundary>
      {DIALOGS.map(([name, dialog]) => (
        <FaultBoundary key={name} name={name} kind="dialog">
          {dialog()}
        </FaultBoundary>
      ))}
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
        <FaultBoundary name={texts.sidebar.label} kind="pane">
          <Sidebar width={sidebarWidth} />
        </FaultBoundary>
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
        <FaultBoundary name={texts.sidebar.label} kind="pane">
          <Sidebar />
        </FaultBoundary>
      </Drawer>
    </>
  );
}

/** The notices of the engine about its start, and a keychain problem. Each notice stays until the user dismisses it. */
function Notices() {
  const info = useApp((state) => state.info);
  const dismissed = useApp((state) => state.dismissed);
  const isMemory = useApp((state) => state.sites.some((site) => site.id === state.siteId && site.keptIn === 'memory'));
  const problem = isMemory ? (info?.keychain.problem ?? null) : null;
  const isRestored = useApp((state) => state.sites.some(isNoticeShown));
  const hasFault = useApp((state) => state.faults.length > 0);
  const notices = [...(info?.notices ?? []), ...(problem === null ? [] : [problem])]
    .map((notice) => ({ notice, key: `${notice.code}/${notice.message}` }))
    .filter(({ key }) => !dismissed.has(key));
  if (notices.length === 0 && !hasFault && !isRestored) return null;
  return (
    <section aria-label={texts.notices}>
      <FaultNotice />
      <RestoredNotices />
      {notices.map(({ notice, key }) => (
        <ErrorNotice key={key} notice={notice} onDismiss={() => dismissNotice(key)} />
      ))}
    </section>
  );
}

/** Says that the app had a fault or crashed, with the newest report. */
function FaultNotice() {
  const [newest] = useApp((state) => state.faults);
  if (newest === undefined) return null;
  const path = String(newest.details?.path ?? '');
  return (
    <ErrorNotice notice={newest} onDismiss={() => void dismissFaults()}>
      <Button onPress={() => void showInFolder(path)}>{texts.showReport}</Button>
    </ErrorNotice>
  );
}
