import { RotateCcw, X } from 'lucide-react';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import { errorText } from '../../../kit/text/errors.ts';
import { percent } from '../../../kit/text/format.ts';
import { uploadLook } from '../../../kit/text/states.ts';
import { cancelUpload, removeUpload, retryUpload } from '../../uploads/state/upload-row-commands.ts';
import { useAdditions } from '../state/files/additions-store.ts';
import { openFileDialog } from '../state/files/file-commands.ts';
import { captionsLabel } from './file-words.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

/** The uploads to the item that are in progress or need the user; renders nothing when there are none. */
export function AdditionsList() {
  const rows = useAdditions((state) => state.rows);
  if (rows.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.sectionTitle}>{texts.additions.title}</h3>
      <ul className={styles.files} aria-label={texts.additions.title}>
        {rows.map((row) => (
          <AdditionRow key={row.id} row={row} />
        ))}
      </ul>
    </section>
  );
}

function AdditionRow({ row }: { row: UploadRow }) {
  const { id, state, sentBytes, sizeBytes, followUps, mediaId, siteId } = row;
  const name = additionName(row);
  const failedFollowUp = followUps.find((followUp) => followUp.state === 'failed');
  const replaced = followUps.find(({ kind }) => kind === 'old-file')?.fileName;
  const error = row.error ?? failedFollowUp?.error ?? null;
  const isOver = state === 'failed' || state === 'skipped';
  const canRetry = state === 'failed' || failedFollowUp !== undefined;
  return (
    <li className={styles.download}>
      <div className={styles.fileText}>
        <div className={styles.fileName} title={name}>
          {name}
        </div>
        <StateChip look={uploadLook(row)} state={state} />
        {replaced === undefined ? null : <p className={styles.small}>{texts.additions.replaces(replaced)}</p>}
        {state === 'sending' || state === 'processing' ? (
          <ProgressBar
            label={texts.additions.progress(name)}
            value={state === 'sending' ? percent(sentBytes, sizeBytes) : null}
          />
        ) : null}
        {error === null ? null : <p className={styles.problem}>{errorText(error)}</p>}
        {isOver && row.addition?.kind === 'captions' && mediaId !== null ? (
          <Button
            onPress={() => openFileDialog({ kind: 'captions', item: { siteId, mediaId }, captions: null, failed: row })}
          >
            {texts.additions.fixCaptions}
          </Button>
        ) : null}
      </div>
      {canRetry ? (
        <IconButton label={texts.additions.retry(name)} small onPress={() => void retryUpload(id)}>
          <RotateCcw size={14} />
        </IconButton>
      ) : null}
      {isOver || state === 'complete' ? (
        <IconButton label={texts.additions.remove(name)} small onPress={() => void removeUpload(id)}>
          <X size={14} />
        </IconButton>
      ) : (
        <IconButton label={texts.additions.cancel(name)} small onPress={() => void cancelUpload(id)}>
          <X size={14} />
        </IconButton>
      )}
    </li>
  );
}

function additionName({ addition, fileName }: UploadRow): string {
  if (addition?.kind === 'thumbnail') return texts.additions.thumbnail(fileName);
  return addition?.kind === 'captions' ? texts.additions.captions(captionsLabel(fileName)) : fileName;
}
