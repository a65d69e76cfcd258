import { memo } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { classes } from '../../../components/button.tsx';
import { Cell } from '../../../components/list/cell.tsx';
import { StateChip } from '../../../components/status/state-chip.tsx';
import { TypeIcon } from '../../../components/type-icon.tsx';
import { useApp } from '../../../stores/app/app-store.ts';
import type { DateColumn } from '../../../stores/library/media-store.ts';
import { itemKey, useUnsavedItems } from '../../../stores/library/unsaved-edits.ts';
import { formatDateTime, formatDuration, formatListDate, formatUtc } from '../../../text/format.ts';
import { mediaLook } from '../../../text/states.ts';
import { texts } from '../texts.ts';
import styles from './media-list.module.css';
import { MediaRowMenu } from './media-row-menu.tsx';

interface MediaRowCellsProps {
  /** undefined while it is loaded. */
  row: MediaRow | undefined;
  dateColumn: DateColumn;
}

export const MediaRowCells = memo(function MediaRowCells({ row, dateColumn }: MediaRowCellsProps) {
  const siteId = useApp((state) => state.siteId);
  const isEdited = useUnsavedItems(
    (state) => row !== undefined && siteId !== null && state.keys.has(itemKey(siteId, row.id)),
  );
  if (row === undefined) return <Placeholder />;
  const date = dateOf(row, dateColumn);
  return (
    <>
      <TypeIcon type={row.type} isCell />
      <Cell className={styles.title} title={row.title}>
        <span className={styles.name}>{row.title || texts.inspector.untitled}</span>
        {isEdited ? <span className={styles.unsaved}>{texts.list.unsaved}</span> : null}
        {row.byline === null || row.byline === '' ? null : <span className={styles.byline}>{row.byline}</span>}
      </Cell>
      <Cell className={styles.status}>
        <StateChip look={mediaLook(row.status)} state={row.status} />
      </Cell>
      <Cell className={classes(styles.number, styles.length)}>
        {row.durationSeconds ? formatDuration(row.durationSeconds) : ''}
      </Cell>
      <Cell className={styles.date} title={date === null ? '' : `${formatDateTime(date)} (${formatUtc(date)})`}>
        {date === null ? '–' : formatListDate(date, Date.now())}
      </Cell>
      <Cell className={styles.tags} title={row.tags.join(', ')}>
        {row.tags.slice(0, 2).map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
        {row.tags.length > 2 ? <span className={styles.more}>{texts.list.moreTags(row.tags.length - 2)}</span> : null}
      </Cell>
      <Cell className={styles.actions}>
        <MediaRowMenu row={row} />
      </Cell>
    </>
  );
});

function dateOf(row: MediaRow, column: DateColumn): string | null {
  if (column === 'publish_on') return row.publishOn;
  return column === 'created_on' ? row.createdOn : (row.modifiedOn ?? null);
}

function Placeholder() {
  return (
    <>
      <Cell>
        <span className="visually-hidden">{texts.list.loading}</span>
      </Cell>
      <span className={styles.bone} style={{ width: '46%' }} />
      <span className={styles.bone} style={{ width: 72 }} />
      <span className={classes(styles.bone, styles.length)} />
      <span className={styles.bone} style={{ width: 56 }} />
    </>
  );
}
