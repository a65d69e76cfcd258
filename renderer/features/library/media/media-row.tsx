import { memo } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import tints from '../../../kit/components/type-icon.module.css';
import { TypeIcon } from '../../../kit/components/type-icon.tsx';
import { formatDuration, formatListDate } from '../../../kit/text/format.ts';
import { typeWord } from '../../../kit/text/states.ts';
import { PendingMark } from '../../common/pending-mark.tsx';
import { useApp } from '../../common/state/app-store.ts';
import { useItemPlace } from '../selection/item-keys.ts';
import type { BelowId, ColumnId } from '../state/media-columns.ts';
import { itemKey, useUnsavedItems } from '../state/unsaved-edits.ts';
import { texts } from '../texts.ts';
import { MediaCell } from './media-cell.tsx';
import styles from './media-list.module.css';
import { MediaRowMenu } from './media-row-menu.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { TitleField, useIsRenamed } from './title-field.tsx';

interface MediaRowCellsProps {
  /** The item; undefined while it is being loaded. */
  row: MediaRow | undefined;
  columns: readonly ColumnId[];
  /** Columns whose values are in a second line, below the title. */
  below: readonly BelowId[];
  tagsWidth: number;
  /** Shows a picture instead of the icon of the type. */
  hasPictures: boolean;
}

export const MediaRowCells = memo(function MediaRowCells({
  row,
  columns,
  below,
  tagsWidth,
  hasPictures,
}: MediaRowCellsProps) {
  if (row === undefined) return <Placeholder columns={columns} />;
  return (
    <>
      {hasPictures ? <PictureCell row={row} /> : <TypeIcon type={row.type} isCell />}
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

/** The picture of the item. A screen reader reads its type. */
function PictureCell({ row }: { row: MediaRow }) {
  const siteId = useApp((state) => state.siteId);
  return (
    <Cell title={typeWord(row.type)}>
      <span className="visually-hidden">{typeWord(row.type)}</span>
      <span className={classes(tints.tint, tints.edge, styles.picture)} data-type={row.type ?? ''}>
        <Thumbnail siteId={siteId} row={row} iconSize={15} collectionId={row.collectionId} />
      </span>
    </Cell>
  );
}

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
  const isRenamed = useIsRenamed(row.id);
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
      {isRenamed ? (
        <div className={styles.rename}>
          <TitleField key={row.id} />
        </div>
      ) : (
        title
      )}
      {line === '' || isRenamed ? null : <span className={styles.below}>{line}</span>}
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
