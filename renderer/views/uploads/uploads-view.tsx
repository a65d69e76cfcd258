import { CheckCheck, CloudUpload, FolderInput, Inbox } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { UploadFilter } from '../../../shared/contract/uploads.ts';
import { pick } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import type { RowReorder } from '../../components/list/use-row-drag.ts';
import { VirtualGrid } from '../../components/list/virtual-grid.tsx';
import { EmptyState, ErrorState } from '../../components/status/empty-state.tsx';
import { cancelSelected } from '../../stores/uploads/cancel-uploads.ts';
import {
  allUploadIds,
  canMove,
  loadUploadRange,
  movable,
  moveSelected,
  moveUploads,
  openUploads,
  retryUploadsList,
  setUploadSelection,
  showUploadRows,
  uploadIdAt,
  uploadRowAt,
  useUploads,
} from '../../stores/uploads/uploads-store.ts';
import { DuplicatesBar } from './duplicates-bar.tsx';
import { UploadRowCells } from './row/upload-row.tsx';
import { UploadsToolbar } from './uploads-toolbar.tsx';
import styles from './uploads-view.module.css';

const ROW_HEIGHT = 58;

const renderRow = (index: number) => <UploadRowCells id={uploadIdAt(index)} />;

/** Alt with an arrow moves what is selected through the queue. */
function onKey(event: KeyboardEvent): void {
  if (event.key === 'Delete' || event.key === 'Backspace') cancelSelected();
  else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    event.preventDefault();
    void moveSelected(event.key === 'ArrowUp' ? -1 : 1);
  }
}

/** The rows that are dragged: all that are selected when the one under the pointer is. */
function draggedIds(index: number): string[] {
  const { selection } = useUploads.getState();
  const id = uploadIdAt(index);
  if (id === undefined) return [];
  return selection.ids.has(id) ? [...selection.ids] : [id];
}

const REORDER: RowReorder = {
  canMove: (index) => canMove(uploadRowAt(index)),
  onMove: (index, gap) => void moveUploads(draggedIds(index), gap),
  label: (index) => {
    const count = movable(draggedIds(index)).length;
    return count > 1 ? `${count} uploads` : (uploadRowAt(index)?.title ?? '');
  },
};

/** Every upload, live. */
export function UploadsView() {
  const total = useUploads((state) => state.total);
  const error = useUploads((state) => state.error);
  const selection = useUploads((state) => state.selection);
  const filter = useUploads((state) => state.filter);
  const batchId = useUploads((state) => state.batchId);
  // The order of rows is no state of React: this number tells that it changed.
  useUploads((state) => state.version);
  return (
    <main className={styles.view} aria-label="Uploads">
      <UploadsToolbar />
      <DuplicatesBar />
      <div className={styles.body}>
        <VirtualGrid
          label="Uploads"
          total={total ?? 0}
          rowHeight={ROW_HEIGHT}
          columnCount={7}
          listKey={`${filter}/${batchId}`}
          idAt={uploadIdAt}
          selection={selection}
          onSelect={setUploadSelection}
          onShow={showUploadRows}
          onReach={loadUploadRange}
          onSelectAll={allUploadIds}
          onKey={onKey}
          reorder={REORDER}
          renderRow={renderRow}
        />
        {total === null && error !== null ? (
          <div className={styles.cover}>
            <ErrorState title="The queue could not be read" error={error} onRetry={retryUploadsList} />
          </div>
        ) : null}
        {total === 0 ? (
          <div className={styles.cover}>
            <NoUploads filter={filter} isBatch={batchId !== null} />
          </div>
        ) : null}
      </div>
    </main>
  );
}

const EMPTY: Readonly<Record<Exclude<UploadFilter, 'all'>, [title: string, text: string]>> = {
  active: ['Nothing is being sent', 'Uploads that are being sent or processed are listed here.'],
  waiting: ['Nothing waits', 'Uploads that wait for a free slot, the network or their next try are listed here.'],
  'needs-decision': [
    'Nothing needs a decision',
    'Files that the library has already are listed here until you decide.',
  ],
  failed: ['Nothing failed', 'Uploads that failed are listed here, each with its reason.'],
  complete: ['Nothing is complete yet', 'Uploads are listed here as soon as the library reports them complete.'],
};

function NoUploads({ filter, isBatch }: { filter: UploadFilter; isBatch: boolean }) {
  if (filter !== 'all' || isBatch) {
    const [title, text] = filter === 'all' ? ['This batch is empty', 'Nothing was added with it.'] : EMPTY[filter];
    return (
      <EmptyState icon={filter === 'failed' ? CheckCheck : Inbox} title={title} text={text}>
        <Button onPress={() => openUploads('all', null)}>Show all uploads</Button>
      </EmptyState>
    );
  }
  return (
    <div className={styles.zone}>
      <div className={styles.zoneIcon}>
        <CloudUpload size={28} strokeWidth={1.75} aria-hidden />
      </div>
      <h2 className={styles.zoneTitle}>Drop recordings here</h2>
      <p className={styles.zoneText}>
        Files or whole folders. Before anything is sent you choose the collection, titles, tags and when it is
        published.
      </p>
      <div className={styles.zoneActions}>
        <Button variant="primary" onPress={() => void pick('files')}>
          Choose files…
        </Button>
        <Button icon={<FolderInput size={14} aria-hidden />} onPress={() => void pick('folder')}>
          Choose a folder…
        </Button>
      </div>
    </div>
  );
}
