import { memo } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Cell } from '../../../components/list/cell.tsx';
import { TypeIcon } from '../../../components/type-icon.tsx';
import { useApp } from '../../../stores/app/app-store.ts';
import type { ColumnId } from '../../../stores/library/media-columns.ts';
import { itemKey, useUnsavedItems } from '../../../stores/library/unsaved-edits.ts';
import { texts } from '../texts.ts';
import { MediaCell } from './media-cell.tsx';
import styles from './media-list.module.css';
import { MediaRowMenu } from './media-row-menu.tsx';
import { PendingMark } from './pending-mark.tsx';

interface MediaRowCellsProps {
  /** undefined while it is loaded. */
  row: MediaRow | undefined;
  columns: readonly ColumnId[];
  tagsWidth: number;
}

export const MediaRowCells = memo(function MediaRowCells({ row, columns, tagsWidth }: MediaRowCellsProps) {
  if (row === undefined) return <Placeholder columns={columns} />;
  return (
    <>
      <TypeIcon type={row.type} isCell />
      {columns.map((id) =>
        id === 'title' ? (
          <TitleCell key={id} row={row} hasByline={!columns.includes('byline')} />
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

function TitleCell({ row, hasByline }: { row: MediaRow; hasByline: boolean }) {
  const siteId = useApp((state) => state.siteId);
  const isEdited = useUnsavedItems((state) => siteId !== null && state.keys.has(itemKey(siteId, row.id)));
  const name = <span className={styles.name}>{row.title || texts.inspector.untitled}</span>;
  return (
    <Cell className={styles.title} title={row.title}>
      {isEdited || row.pending !== undefined ? (
        <span className={styles.marked}>
          {name}
          {isEdited ? <span className={styles.unsaved}>{texts.list.unsaved}</span> : null}
          <PendingMark row={row} />
        </span>
      ) : (
        name
      )}
      {hasByline && row.byline !== null && row.byline !== '' ? (
        <span className={styles.byline}>{row.byline}</span>
      ) : null}
    </Cell>
  );
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
