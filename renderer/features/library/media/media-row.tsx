import { memo } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { TypeIcon } from '../../../kit/components/type-icon.tsx';
import { formatDuration, formatListDate } from '../../../kit/text/format.ts';
import { useApp } from '../../common/state/app-store.ts';
import { useItemPlace } from '../selection/item-keys.ts';
import type { BelowId, ColumnId } from '../state/media-columns.ts';
import { itemKey, useUnsavedItems } from '../state/unsaved-edits.ts';
import { texts } from '../texts.ts';
import { MediaCell } from './media-cell.tsx';
import styles from './media-list.module.css';
import { MediaRowMenu } from './media-row-menu.tsx';
import { PendingMark } from './pending-mark.tsx';

interface MediaRowCellsProps {
  /** The item; undefined while it is being loaded. */
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
          <TitleCell key={id} row={row} columns={columns} below={below} />
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
  columns: readonly ColumnId[];
  below: readonly BelowId[];
}

/** The title, and below it the values without a column. */
function TitleCell({ row, columns, below }: TitleCellProps) {
  const { collection, isHere } = useItemPlace(row);
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
  const facts = [
    isHere || columns.includes('collection') ? null : collection,
    ...factsBelow(row, below),
    columns.includes('byline') ? null : row.byline,
  ];
  const line = facts.filter((fact) => fact !== null && fact !== '').join(' · ');
  return (
    <Cell className={styles.stacked} title={row.title}>
      {title}
      {line === '' ? null : <span className={styles.below}>{line}</span>}
    </Cell>
  );
}

/** Returns the values that a narrow list shows below the title, such as `19 Nov`, `1:02:33`. */
function factsBelow(row: MediaRow, below: readonly BelowId[]): (string | null)[] {
  const dates = { created_on: row.createdOn, modified_on: row.modifiedOn ?? null, publish_on: row.publishOn };
  return below.map((id) => {
    if (id === 'byline') return null;
    if (id === 'length') return row.durationSeconds ? formatDuration(row.durationSeconds) : null;
    const date = dates[id];
    return date === null ? null : formatListDate(date, Date.now());
  });
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
