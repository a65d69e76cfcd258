import { FolderOpen, Pause, Play, X } from 'lucide-react';
import type { Download } from '../../../../shared/contract/downloads.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { formatBytes } from '../../../kit/text/format.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { showInFolder } from '../../common/state/show-in-folder.ts';
import {
  cancelDownload,
  clearDownloads,
  dragDownload,
  pauseDownload,
  resumeDownload,
  useDownloads,
} from '../state/files/downloads-store.ts';
import styles from './files.module.css';
import { texts } from './texts.ts';

/** More rows are only counted: a download of a thousand items would fill the window with elements. */
const MOST_ROWS = 50;

interface DownloadsListProps {
  siteId: string | null;
  /** Whether an item is shown above the list. */
  isShown: (mediaId: string) => boolean;
}

/**
 * The downloads of this session that run, wait or failed, of all items, and then the complete ones of the shown items; the newest
 * first. Renders nothing when there are none.
 */
export function DownloadsList({ siteId, isShown }: DownloadsListProps) {
  const downloads = useDownloads((state) => state.downloads).filter((each) => {
    if (each.state === 'complete') return each.siteId === siteId && isShown(each.mediaId);
    return each.state !== 'cancelled';
  });
  if (downloads.length === 0) return null;
  const shown = [...downloads]
    .reverse()
    .sort((one, other) => Number(one.state === 'complete') - Number(other.state === 'complete'))
    .slice(0, MOST_ROWS);
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3 className={styles.sectionTitle}>{texts.downloads.title}</h3>
        <Button variant="quiet" onPress={() => void clearDownloads()}>
          {texts.downloads.clear}
        </Button>
      </div>
      <ul className={styles.files} aria-label={texts.downloads.title}>
        {shown.map((download) => (
          <DownloadRow key={download.id} download={download} />
        ))}
      </ul>
      {downloads.length > shown.length ? (
        <p className={styles.small}>{texts.downloads.more(downloads.length - shown.length)}</p>
      ) : null}
    </section>
  );
}

function DownloadRow({ download }: { download: Download }) {
  const { id, state, path, doneBytes, totalBytes, error } = download;
  const name = shownName(download.name);
  const title = download.title === null ? null : shownName(download.title);
  const share = totalBytes === null || totalBytes === 0 ? null : Math.floor((doneBytes / totalBytes) * 100);
  const canResume = state === 'paused' || state === 'failed';
  const isMoving = state === 'running' || state === 'queued';
  return (
    <li
      className={styles.download}
      draggable={state === 'complete'}
      onDragStart={(event) => {
        // The system drags the file, not the page.
        event.preventDefault();
        void dragDownload(id);
      }}
    >
      <div className={styles.fileText}>
        <div className={styles.fileName} title={name}>
          {name}
        </div>
        {title === null || title === '' ? null : (
          <div className={styles.small} title={title}>
            {title}
          </div>
        )}
        <div className={styles.small}>{stateText(download)}</div>
        {state === 'running' || state === 'paused' ? (
          <ProgressBar
            label={texts.downloads.progress(name)}
            value={share}
            tone={state === 'paused' ? 'neutral' : 'active'}
          />
        ) : null}
        {error === null ? null : <p className={styles.small}>{[error.message, error.nextStep].join(' ')}</p>}
      </div>
      {path === null ? null : (
        <IconButton label={texts.downloads.show(name)} small onPress={() => void showInFolder(path)}>
          <FolderOpen size={14} />
        </IconButton>
      )}
      {isMoving ? (
        <IconButton label={texts.downloads.pause(name)} small onPress={() => void pauseDownload(id)}>
          <Pause size={14} />
        </IconButton>
      ) : null}
      {canResume ? (
        <IconButton label={texts.downloads.resume(name)} small onPress={() => void resumeDownload(id)}>
          <Play size={14} />
        </IconButton>
      ) : null}
      {isMoving || canResume ? (
        <IconButton label={texts.downloads.cancel(name)} small onPress={() => void cancelDownload(id)}>
          <X size={14} />
        </IconButton>
      ) : null}
    </li>
  );
}

function stateText({ state, doneBytes, totalBytes, isVerified }: Download): string {
  const done = formatBytes(doneBytes);
  if (state === 'complete') return isVerified ? texts.downloads.verified(done) : texts.downloads.complete(done);
  const sizes = totalBytes === null ? done : texts.downloads.sizes(done, formatBytes(totalBytes));
  const word = texts.downloads.states[state];
  return state === 'queued' ? word : `${word} · ${sizes}`;
}
