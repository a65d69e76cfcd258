import { memo } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Cell } from '../../../components/list/cell.tsx';
import { TypeIcon } from '../../../components/type-icon.tsx';
import { useApp } from '../../../stores/app/app-store.ts';
import type { BelowId, ColumnId } from '../../../stores/library/media-columns.ts';
import { itemKey, useUnsavedItems } from '../../../stores/library/unsaved-edits.ts';
import { formatDuration, formatListDate } from '../../../text/format.ts';
import { texts } from '../texts.ts';
import { MediaCell } from './media-cell.tsx';
import styles from './media-list.module.css';
import { MediaRowMenu } from './media-row-menu.tsx';
import { PendingMark } from './pending-mark.tsx';

interface MediaRowCellsProps {
  /** undefined while it is loaded. */
  row: MediaRow | undefined;
  columns: readonly ColumnId[];
  /** Columns whose values are in a second line, below the title. */
  below: readonly BelowId[];
  tagsWidth: number;
}

export const MediaRowCells = memo(function MediaRowCells({ row, columns, below, tagsWidth }: MediaRowCellsProps) {
  if (row === undefined) return <Placeholder columns={columns} />;
  return (
    <>
      <TypeIcon type={row.type} isCell />
      {columns.map((id) =>
        id === 'title' ? (
          <TitleCell key={id} row={row} below={below} hasByline={!columns.includes('byline')} />
        ) : (
          <MediaCell key={id} column={id} row={row} tagsWidth={tagsWidth} />
        ),
      )}
      <Cell className={styles.actions}>
        <MediaRowMenu row={row} />
      </Cell>
    </>
  );
});

interface TitleCellProps {
  row: MediaRow;
  below: readonly BelowId[];
  /** Whether the byline is beside the title, where there is room. */
  hasByline: boolean;
}

function TitleCell({ row, below, hasByline }: TitleCellProps) {
  const siteId = useApp((state) => state.siteId);
  const isEdited = useUnsavedItems((state) => siteId !== null && state.keys.has(itemKey(siteId, row.id)));
  const name = <span className={styles.name}>{row.title || texts.inspector.untitled}</span>;
  const title =
    isEdited || row.pending !== undefined ? (
      <span className={styles.marked}>
        {name}
        {isEdited ? <span className={styles.unsaved}>{texts.list.unsaved}</span> : null}
        <PendingMark row={row} />
      </span>
    ) : (
      name
    );
  if (below.length > 0) {
    return (
      <Cell className={styles.stacked} title={row.title}>
        {title}
        <span className={styles.below}>{factsBelow(row, below)}</span>
      </Cell>
    );
  }
  return (
    <Cell className={styles.title} title={row.title}>
      {title}
      {hasByline && row.byline !== null && row.byline !== '' ? (
        <span className={styles.byline}>{row.byline}</span>
      ) : null}
    </Cell>
  );
}

/** `19 Nov · 1:02:33 · Ada Lovelace`; the byline is last, because it can be long. */
function factsBelow(row: MediaRow, below: readonly BelowId[]): string {
  const dates = { created_on: row.createdOn, modified_on: row.modifiedOn ?? null, publish_on: row.publishOn };
  const facts = below.map((id) => {
    if (id === 'byline') return null;
    if (id === 'length') return row.durationSeconds ? formatDuration(row.durationSeconds) : null;
    const date = dates[id];
    return date === null ? null : formatListDate(date, Date.now());
  });
  return [...facts, row.byline].filter((fact) => fact !== null && fact !== '').join(' · ');
}

function Placeholder({ columns }: { columns: readonly ColumnId[] }) {
  return (
    <>
      <Cell>
        <span className="visually-hidden">{texts.list.loading}</span>
      </Cell>
      {columns.map((id) => (
        <span key={id} data-loading className={styles.bone} style={{ width: id === 'title' ? '46%' : '70%' }} />
      ))}
    </>
  );
}
