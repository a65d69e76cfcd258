import { CheckCheck, Inbox, Upload } from 'lucide-react';
import type { WatchedFileRow, WatchedFolder } from '../../../../shared/contract/watch.ts';
import { shownCounts } from '../../../../shared/model/watch/shown-counts.ts';
import { Button } from '../../../kit/components/button.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { useNow } from '../../../kit/components/time-hooks.ts';
import { ViewTabs } from '../../common/view-tabs.tsx';
import { showUpload } from '../../uploads/state/upload-row-commands.ts';
import { uploadAnyway } from '../state/watch-commands.ts';
import { type FilesFilter, showFiles, useWatched, watchedFiles } from '../state/watched-store.ts';
import { texts } from '../texts.ts';
import { WatchedFileLine } from './file-row.tsx';
import styles from './folder.module.css';

const FILTERS: readonly FilesFilter[] = ['settling', 'attention', 'recent', 'refused'];

function countFor(filter: FilesFilter, folder: WatchedFolder): number {
  const { settling, uploaded, skipped } = shownCounts(folder);
  switch (filter) {
    case 'settling':
      return settling;
    case 'attention':
      return folder.counts.incomplete;
    case 'recent':
      return folder.counts.queued + uploaded;
    case 'refused':
      return skipped;
  }
}

/** The files of a folder, in tabs by their state. */
export function FileTabs({ folder }: { folder: WatchedFolder }) {
  const filter = useWatched((state) => state.filter);
  const tabs = FILTERS.map((id) => ({
    id,
    label: texts.tabs[id],
    count: countFor(id, folder),
    tone: id === 'attention' ? ('wait' as const) : undefined,
  }));
  return (
    <>
      <div className={styles.tabs}>
        <ViewTabs label={texts.tabs.label} tabs={tabs} selected={filter} onSelect={(id) => showFiles(folder.id, id)} />
        <SelectedFiles filter={filter} />
      </div>
      {filter === 'settling' && countFor(filter, folder) > 0 ? (
        <p className={styles.listHint}>{texts.files.settling}</p>
      ) : null}
      <FileList filter={filter} />
    </>
  );
}

/** The command for the selected files that were not uploaded. */
function SelectedFiles({ filter }: { filter: FilesFilter }) {
  const ids = watchedFiles.useList((state) => state.selection.ids);
  if (filter === 'recent' || ids.size < 2) return null;
  return (
    <Button variant="quiet" icon={<Upload size={14} aria-hidden />} onPress={() => void uploadAnyway([...ids])}>
      {texts.files.anywayAll(ids.size)}
    </Button>
  );
}

const ROW_HEIGHT = 58;

/** The listed files of the open folder. Enter shows the upload of the current file. */
function FileList({ filter }: { filter: FilesFilter }) {
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
        renderRow={(index) => <WatchedFileLine row={watchedFiles.rowAt(index)} filter={filter} now={now} />}
        errorTitle={texts.files.failed}
        empty={<EmptyState icon={filter === 'attention' ? CheckCheck : Inbox} title={title ?? ''} text={text} />}
      />
    </div>
  );
}

function openUploadOf(row: WatchedFileRow | undefined): void {
  if (row !== undefined && row.uploadId !== null) showUpload(row.uploadId, row.batchId);
}
