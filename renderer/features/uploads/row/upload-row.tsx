import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { splitFileName } from '../../../../shared/model/title-template.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { formatBytes, formatSpeed, formatWait } from '../../../kit/text/format.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { canMove } from '../state/move-uploads.ts';
import { useUploadRow } from '../state/uploads-store.ts';
import { texts } from '../texts.ts';
import { RowActions } from './row-actions.tsx';
import { StateCell } from './row-state.tsx';
import { isSentOut, PRIORITY_LOOKS } from './row-text.ts';
import styles from './upload-row.module.css';

/** The cells of one upload. They subscribe only to their own row, so that a change of another row does not render them. */
export function UploadRowCells({ id }: { id: string | undefined }) {
  const row = useUploadRow(id);
  if (row === undefined) return <Placeholder />;
  const isSending = row.state === 'sending';
  const hasWords = row.error !== null || row.notice !== null || row.followUps.length > 0;
  return (
    <div className={styles.row} role="presentation" data-upload-id={row.id} data-state={row.state}>
      <Cell className={styles.type} isHidden>
        {canMove(row) ? <Glyph name="grip" size={12} className={styles.grip} /> : null}
        {splitFileName(row.fileName).extension.slice(0, 4).toUpperCase() || '–'}
      </Cell>
      <Cell
        className={styles.names}
        title={row.movedFrom === null ? row.path : texts.row.followed(row.path, row.movedFrom)}
      >
        <div className={styles.titleLine}>
          <span className={styles.title}>{row.title}</span>
          <PriorityMark row={row} />
        </div>
        <div className={styles.file}>{shownName(row.fileName)}</div>
      </Cell>
      <Cell className={classes(styles.number, styles.size)}>{formatBytes(row.sizeBytes)}</Cell>
      <Cell className={classes(styles.state, hasWords && !isSending && styles.wide)}>
        <StateCell row={row} />
      </Cell>
      {isSending ? (
        <>
          <Cell className={classes(styles.number, styles.speed)}>
            {row.bytesPerSecond === null || isSentOut(row) ? '' : formatSpeed(row.bytesPerSecond)}
          </Cell>
          <Cell className={classes(styles.number, styles.left)}>
            {row.secondsLeft === null || isSentOut(row) ? '' : texts.left(formatWait(row.secondsLeft))}
          </Cell>
        </>
      ) : null}
      <Cell className={styles.actions}>
        <RowActions row={row} />
      </Cell>
    </div>
  );
}

/** The priority of an upload, while it has an effect and is not the default. */
function PriorityMark({ row }: { row: UploadRow }) {
  const { word, glyph } = PRIORITY_LOOKS[row.priority];
  if (glyph === null || !canMove(row)) return null;
  return (
    <span className={styles.priority} data-priority={row.priority}>
      <Glyph name={glyph} size={12} />
      {word}
      <span className="visually-hidden">{texts.row.prioritySuffix}</span>
    </span>
  );
}

function Placeholder() {
  return (
    <div className={styles.row} role="presentation" aria-busy="true">
      <Cell className={styles.type}>
        <span className="visually-hidden">{texts.row.loading}</span>
      </Cell>
      <span className={styles.bone} style={{ width: '52%' }} />
      <span className={styles.bone} style={{ width: '70%' }} />
    </div>
  );
}
