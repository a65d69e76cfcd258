import { CheckCheck, CloudUpload, FolderInput, Inbox } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { UploadFilter } from '../../../shared/contract/uploads.ts';
import { pick } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import type { RowReorder } from '../../components/list/use-row-drag.ts';
import { WindowedGrid } from '../../components/list/windowed-grid.tsx';
import { EmptyState } from '../../components/status/empty-state.tsx';
import { cancelSelected } from '../../stores/uploads/cancel-uploads.ts';
import { canMove, movable, moveSelected, moveUploads } from '../../stores/uploads/move-uploads.ts';
import {
  ALL_UPLOADS,
  allUploadIds,
  openUploads,
  uploadRowAt,
  uploadsList,
} from '../../stores/uploads/uploads-store.ts';
import { DuplicatesBar } from './duplicates-bar.tsx';
import { UploadRowCells } from './row/upload-row.tsx';
import { UploadsToolbar } from './uploads-toolbar.tsx';
import styles from './uploads-view.module.css';

const ROW_HEIGHT = 58;

const renderRow = (index: number) => <UploadRowCells id={uploadsList.idAt(index)} />;

/** Delete cancels the selected uploads; Alt with an arrow key moves them through the queue. */
function onKey(event: KeyboardEvent): void {
  if (event.key === 'Delete' || event.key === 'Backspace') cancelSelected();
  else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    event.preventDefault();
    void moveSelected(event.key === 'ArrowUp' ? -1 : 1);
  }
}

/** Returns the uploads that a drag of a row moves: the whole selection when the row belongs to it. */
function draggedIds(index: number): string[] {
  const { selection } = uploadsList.useList.getState();
  const id = uploadsList.idAt(index);
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

/** The uploads of the queue, with their current state. */
export function UploadsView() {
  const { filter, batchId } = uploadsList.useList(({ query }) => query ?? ALL_UPLOADS);
  return (
    <main className={styles.view} aria-label="Uploads">
      <UploadsToolbar />
      <DuplicatesBar />
      <div className={styles.body}>
        <WindowedGrid
          list={uploadsList}
          label="Uploads"
          rowHeight={ROW_HEIGHT}
          columnCount={7}
          onSelectAll={allUploadIds}
          onKey={onKey}
          reorder={REORDER}
          renderRow={renderRow}
          errorTitle="The queue could not be read"
          empty={<NoUploads filter={filter} isBatch={batchId !== null} />}
        />
      </div>
    </main>
  );
}

const EMPTY: Readonly<Record<Exclude<UploadFilter, 'all' | 'skipped' | 'unskipped'>, [title: string, text: string]>> = {
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
  if ((filter !== 'all' && filter !== 'skipped' && filter !== 'unskipped') || isBatch) {
    const [title, text] =
      filter === 'all' || filter === 'skipped' || filter === 'unskipped'
        ? ['This batch is empty', 'Nothing was added with it.']
        : EMPTY[filter];
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
