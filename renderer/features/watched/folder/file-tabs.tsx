import { Upload } from 'lucide-react';
import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import { shownCounts } from '../../../../shared/model/watch/shown-counts.ts';
import { Button } from '../../../kit/components/button.tsx';
import { ViewTabs } from '../../common/view-tabs.tsx';
import { uploadAnyway } from '../state/watch-commands.ts';
import { type FilesFilter, showFiles, useWatched, watchedFiles } from '../state/watched-store.ts';
import { texts } from '../texts.ts';
import { FileList } from './file-list.tsx';
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
    ...{ id, label: texts.tabs[id], count: countFor(id, folder) },
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
