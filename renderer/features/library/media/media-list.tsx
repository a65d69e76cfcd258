import { type CSSProperties, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { DragLabel } from '../../../kit/components/overlay/drag-label.tsx';
import { runRowCommand } from '../commands/one-item-commands.ts';
import { runItemKey } from '../selection/item-keys.ts';
import { MediaSelectionBar } from '../selection/media-selection-bar.tsx';
import { texts as selectionTexts } from '../selection/texts.ts';
import { useItemDrag } from '../selection/use-item-drag.ts';
import { fitColumns, useMediaColumns, useMediaLayout } from '../state/media-columns.ts';
import { firstShown, mediaList } from '../state/media-store.ts';
import { useBulk } from '../state/selection/bulk-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import { useHeadings } from './group-headings.ts';
import { MediaGrid } from './media-grid.tsx';
import { MediaHead } from './media-head.tsx';
import styles from './media-list.module.css';
import { MediaRowCells } from './media-row.tsx';
import { NoMedia } from './no-media.tsx';

const ROW_HEIGHT = 38;
const COMPACT_ROW_HEIGHT = 28;
const HEAD_HEIGHT = 31;
const PLACEHOLDER_ROWS = 14;

const openRow = (index: number) => runRowCommand('play', index);
const previewRow = (index: number) => runRowCommand('preview', index);

/** The media of a collection or a search, as a list or as a grid. */
export function Media() {
  const isOpen = mediaList.useList((state) => state.query !== null);
  const layout = useMediaLayout((state) => state.layout);
  if (!isOpen) return null;
  return (
    <div className={styles.body} data-media-layout={layout}>
      {layout === 'grid' ? <MediaGrid /> : <MediaList />}
      <MediaSelectionBar />
      <ItemDragLabel />
    </div>
  );
}

function MediaList() {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const query = mediaList.useList((state) => state.query);
  const sort = query?.sort ?? '';
  const choice = useMediaColumns();
  const hasPictures = useMediaLayout((state) => state.hasPictures);
  const isCompact = useMediaLayout((state) => state.isCompact);
  const fitted = useMemo(() => fitColumns(choice, sort, width, hasPictures), [choice, sort, width, hasPictures]);
  const { tagsWidth } = fitted;
  // The array stays the same while the same columns are shown, so that a new width does not render the rows again.
  const key = [...fitted.shown, 'title', ...fitted.below].join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the columns
  const { shown: columns, below } = useMemo(() => fitted, [key]);
  const renderRow = useCallback(
    (index: number) => (
      <MediaRowCells
        row={mediaList.rowAt(index)}
        columns={columns}
        below={below}
        tagsWidth={tagsWidth}
        hasPictures={hasPictures}
      />
    ),
    [columns, below, tagsWidth, hasPictures],
  );
  const headings = useHeadings(sort);
  const beginDrag = useItemDrag();
  return (
    <div
      ref={box}
      className={styles.body}
      style={{ '--columns': fitted.template } as CSSProperties}
      {...(isCompact ? { 'data-compact': '' } : {})}
    >
      {query === null || width === 0 ? null : (
        <WindowedGrid
          list={mediaList}
          label={texts.list.label}
          placeholderRows={PLACEHOLDER_ROWS}
          rowHeight={isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT}
          rowClass={styles.row}
          columnCount={columns.length + 2}
          head={<MediaHead query={query} columns={columns} />}
          headings={headings}
          minWidth={fitted.minWidth}
          coverTop={HEAD_HEIGHT}
          startAt={firstShown()}
          hasChecks
          selectsResults
          onKey={runItemKey}
          onDragStart={beginDrag}
          onActivate={openRow}
          onPreview={previewRow}
          renderRow={renderRow}
          errorTitle={texts.list.notListed}
          empty={<NoMedia />}
        />
      )}
    </div>
  );
}

/** Returns the width of an element in CSS pixels; 0 before its first layout. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(current.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** A label that follows the pointer while items are dragged and describes the effect of a drop. */
function ItemDragLabel() {
  const drag = useBulk((state) => state.drag);
  const rows = useTree((state) => state.rows);
  if (drag === null) return null;
  const what = selectionTexts.drag.items(drag.target.count, drag.target.title);
  const collection = drag.overId === null ? undefined : rows.get(drag.overId)?.displayName;
  return (
    <DragLabel x={drag.x} y={drag.y}>
      {collection === undefined ? what : selectionTexts.drag.into(what, collection)}
    </DragLabel>
  );
}
