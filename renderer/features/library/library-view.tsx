import type { ReactNode } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { Glyph } from '../../kit/components/glyph.tsx';
import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { Drawer } from '../../kit/components/overlay/drawer.tsx';
import { Splitter } from '../../kit/components/splitter.tsx';
import { closeDrawer, resizeInspector, useLayout } from '../common/state/layout-store.ts';
import { LEAST_INSPECTOR } from '../common/state/panes.ts';
import { attentionTotal, useEdits } from '../edits/state/edits-store.ts';
import { decideFirst } from '../edits/state/row-dialogs-store.ts';
import { Subcollections } from './collections/subcollections.tsx';
import { FileDialogs } from './files/file-dialogs.tsx';
import { Player } from './files/player.tsx';
import { focusMediaList } from './focus.ts';
import { Inspector } from './inspector/inspector.tsx';
import styles from './library-view.module.css';
import { ExportDialog } from './manifest/export-dialog.tsx';
import { ImportDialog } from './manifest/import-dialog.tsx';
import listStyles from './media/media-list.module.css';
import { Media } from './media/media-list.tsx';
import { MediaToolbar } from './media/media-toolbar.tsx';
import { FilterDialog } from './query/filter-dialog.tsx';
import { BulkDialogs } from './selection/bulk-dialogs.tsx';
import { deleteInspected, keepItem } from './state/inspector-commands.ts';
import { useInspector } from './state/inspector-store.ts';
import { mediaList } from './state/media-store.ts';
import { TableDialog } from './table/table-dialog.tsx';
import { texts } from './texts.ts';

/** The list of media and the inspector. */
export function LibraryView() {
  return (
    <WithInspector>
      <main className={listStyles.pane} aria-label={texts.library}>
        <MediaToolbar />
        <DecisionBanner />
        <Subcollections />
        <Media />
      </main>
    </WithInspector>
  );
}

/**
 * A view of items with the inspector, which is beside it, or in a drawer above it in a narrow window; and with the dialogs that commands
 * for items open. `children`: its main part.
 */
export function WithInspector({ children }: { children: ReactNode }) {
  const { inspector, inspectorWidth, canDockInspector } = useLayout((state) => state.panes);
  const isDrawerOpen = useLayout((state) => state.drawer === 'inspector');
  return (
    <div className={styles.view}>
      {children}
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

/** Shows above the list how many edits need the user, until there are none. The user can't dismiss it. */
function DecisionBanner() {
  const count = useEdits((state) => attentionTotal(state.totals));
  if (count === 0) return null;
  return (
    <section className={styles.banner} aria-label={texts.decisions.label}>
      <Glyph name="warning" size={15} />
      <span className={styles.text}>{texts.decisions.need(count)}</span>
      <Button onPress={() => void decideFirst()}>{texts.decisions.open}</Button>
    </section>
  );
}

/** Asks for confirmation before the shown item is deleted. */
function DeleteDialog() {
  const title = useInspector((state) => state.deleting);
  if (title === null) return null;
  const remove = async () => {
    const { selection } = mediaList.useList.getState();
    if (!(await deleteInspected())) return;
    // The row below moves to the position of the deleted one, so the arrow keys continue from there.
    mediaList.select({ ids: new Set(), focus: selection.focus, anchor: -1 });
    focusMediaList();
  };
  return (
    <ConfirmDialog
      title={texts.details.deleteTitle(title)}
      text={texts.details.deleteText}
      confirm={texts.details.deleteConfirm}
      isOpen
      onConfirm={() => void remove()}
      onClose={keepItem}
    />
  );
}
