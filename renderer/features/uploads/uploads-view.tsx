import { CheckCheck, CircleHelp, CloudUpload, FolderInput, Inbox } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { EmptyState } from '../../kit/components/status/empty-state.tsx';
import { pick } from '../common/commands/commands.ts';
import { UploadGrid } from './list/upload-grid.tsx';
import {
  arrange,
  openTab,
  type UploadTab,
  uploadWindows,
  useCurrentOutline,
  useOutline,
} from './state/outline/outline-store.ts';
import { resolveDuplicates } from './state/upload-commands.ts';
import { useUploads } from './state/uploads-store.ts';
import { texts } from './texts.ts';
import { DetailsDialog } from './upload-dialogs.tsx';
import { UploadSelectionBar } from './upload-selection-bar.tsx';
import { UploadsToolbar } from './uploads-toolbar.tsx';
import styles from './uploads-view.module.css';

/** All batches with their uploads. */
export function UploadsView() {
  const outline = useCurrentOutline();
  const tab = useOutline((state) => state.tab);
  const hasSelection = useOutline((state) => state.selected.size > 0);
  const isLoaded = useUploads((state) => state.isLoaded);
  // Batches keep their positions while the view is open; each visit begins with the batches in progress.
  useEffect(arrange, []);
  return (
    <main className={styles.view} aria-label={texts.title} data-tab={tab}>
      <UploadsToolbar />
      <DuplicatesBar />
      <LoadError />
      <div className={styles.body}>
        <UploadGrid outline={outline} />
        {isLoaded && outline.count === 0 ? (
          <div className={styles.cover}>
            <NoUploads tab={tab} />
          </div>
        ) : null}
        {hasSelection ? <UploadSelectionBar /> : null}
        <DetailsDialog />
      </div>
    </main>
  );
}

/** Why uploads could not be loaded. */
function LoadError() {
  const error = useOutline((state) => state.error);
  if (error === null) return null;
  return (
    <div className={styles.bar} role="alert">
      <span>
        {texts.someLoadFailed} {error.message}
      </span>
      <span className={styles.grow} />
      <Button onPress={() => uploadWindows.retry()}>{texts.tryAgain}</Button>
    </div>
  );
}

function NoUploads({ tab }: { tab: UploadTab }) {
  if (tab !== 'all') {
    const [title, text] = texts.empty[tab];
    return (
      <EmptyState icon={tab === 'failed' ? CheckCheck : Inbox} title={title} text={text}>
        <Button onPress={() => openTab('all')}>{texts.empty.showAll}</Button>
      </EmptyState>
    );
  }
  return (
    <div className={styles.zone}>
      <div className={styles.zoneIcon}>
        <CloudUpload size={28} strokeWidth={1.75} aria-hidden />
      </div>
      <h2 className={styles.zoneTitle}>{texts.empty.zoneTitle}</h2>
      <p className={styles.zoneText}>{texts.empty.zoneText}</p>
      <div className={styles.zoneActions}>
        <Button variant="primary" onPress={() => void pick('files')}>
          {texts.empty.chooseFiles}
        </Button>
        <Button icon={<FolderInput size={14} aria-hidden />} onPress={() => void pick('folder')}>
          {texts.empty.chooseFolder}
        </Button>
      </div>
    </div>
  );
}

/** A bar in the tab of open decisions: one decision about all files that the library already contains. */
function DuplicatesBar() {
  const count = useUploads((state) => state.totals?.duplicates ?? 0);
  const tab = useOutline((state) => state.tab);
  if (count === 0 || tab !== 'needs-decision') return null;
  const selection = { kind: 'failed' } as const;
  return (
    <div className={styles.bar} data-testid="duplicates-bar">
      <CircleHelp size={15} aria-hidden />
      <span role="status">{texts.decisions.bar(count)}</span>
      <span className={styles.grow} />
      <Button onPress={() => void resolveDuplicates(selection, 'skip')}>{texts.decisions.skipAll(count)}</Button>
      <Button onPress={() => void resolveDuplicates(selection, 'upload')}>{texts.decisions.uploadAll(count)}</Button>
    </div>
  );
}
