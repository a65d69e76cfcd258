import { CheckCheck, Inbox } from 'lucide-react';
import type { WatchedFileRow } from '../../../../shared/contract/watch.ts';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { useNow } from '../../../kit/components/use-now.ts';
import { showUpload } from '../../uploads/state/upload-row-commands.ts';
import { type FilesFilter, watchedFiles } from '../state/watched-store.ts';
import { texts } from '../texts.ts';
import { FileRow } from './file-row.tsx';
import styles from './folder.module.css';

const ROW_HEIGHT = 58;

/** The listed files of the open folder. Enter shows the upload of the current file. */
export function FileList({ filter }: { filter: FilesFilter }) {
  const now = useNow(filter === 'settling');
  const [title, text] = texts.nothing[filter];
  const activate = (index: number) => openUploadOf(watchedFiles.rowAt(index));
  return (
    <div className={styles.files}>
      <WindowedGrid
        list={watchedFiles}
        label={texts.tabs[filter]}
        rowHeight={ROW_HEIGHT}
        columnCount={4}
        onActivate={activate}
        renderRow={(index) => <FileRow row={watchedFiles.rowAt(index)} filter={filter} now={now} />}
        errorTitle={texts.files.failed}
        empty={<EmptyState icon={filter === 'attention' ? CheckCheck : Inbox} title={title ?? ''} text={text} />}
      />
    </div>
  );
}

function openUploadOf(row: WatchedFileRow | undefined): void {
  if (row !== undefined && row.uploadId !== null) showUpload(row.uploadId, row.batchId);
}
