import { Drawer } from '../../kit/components/overlay/drawer.tsx';
import { Splitter } from '../../kit/components/splitter.tsx';
import { closeDrawer, resizeInspector, useLayout } from '../common/state/layout-store.ts';
import { LEAST_INSPECTOR } from '../common/state/panes.ts';
import { Subcollections } from './collections/subcollections.tsx';
import { DecisionBanner } from './decision-banner.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { FileDialogs } from './files/file-dialogs.tsx';
import { Player } from './files/player.tsx';
import { Inspector } from './inspector/inspector.tsx';
import styles from './library-view.module.css';
import { ExportDialog } from './manifest/export-dialog.tsx';
import { ImportDialog } from './manifest/import-dialog.tsx';
import listStyles from './media/media-list.module.css';
import { Media } from './media/media-list.tsx';
import { MediaToolbar } from './media/media-toolbar.tsx';
import { FilterDialog } from './query/filter-dialog.tsx';
import { BulkDialogs } from './selection/bulk-dialogs.tsx';
import { TableDialog } from './table/table-dialog.tsx';
import { texts } from './texts.ts';

/** The list of media and the inspector, which is beside the list, or in a drawer above it in a narrow window. */
export function LibraryView() {
  const { inspector, inspectorWidth, canDockInspector } = useLayout((state) => state.panes);
  const isDrawerOpen = useLayout((state) => state.drawer === 'inspector');
  return (
    <div className={styles.view}>
      <main className={listStyles.pane} aria-label={texts.library}>
        <MediaToolbar />
        <DecisionBanner />
        <Subcollections />
        <Media />
      </main>
      {inspector === 'docked' ? (
        <section className={styles.side} aria-label={texts.inspector.label}>
          <Splitter
            label={texts.inspector.width}
            width={inspectorWidth}
            min={LEAST_INSPECTOR}
            max={620}
            direction={-1}
            onChange={(width) => resizeInspector(width, false)}
            onCommit={(width) => resizeInspector(width, true)}
          />
          <Inspector width={inspectorWidth} />
        </section>
      ) : null}
      {canDockInspector ? null : (
        <Drawer label={texts.inspector.label} side="right" isOpen={isDrawerOpen} onClose={closeDrawer}>
          <Inspector />
        </Drawer>
      )}
      <DeleteDialog />
      <BulkDialogs />
      <FilterDialog />
      <ExportDialog />
      <ImportDialog />
      <TableDialog />
      <Player />
      <FileDialogs />
    </div>
  );
}
