import { useCallback } from 'react';
import { WindowedGrid } from '../../../components/list/windowed-grid.tsx';
import { useMediaLayout } from '../../../stores/library/media-layout.ts';
import { firstShown, mediaList, useDateColumn } from '../../../stores/library/media-store.ts';
import { focusInspector } from '../focus.ts';
import { ItemDragLabel } from '../selection/item-drag-label.tsx';
import { runItemKey } from '../selection/item-keys.ts';
import { MediaSelectionBar } from '../selection/media-selection-bar.tsx';
import { useItemDrag } from '../selection/use-item-drag.ts';
import { texts } from '../texts.ts';
import { MediaGrid } from './media-grid.tsx';
import { MediaHead } from './media-head.tsx';
import styles from './media-list.module.css';
import { MediaRowCells } from './media-row.tsx';
import { NoMedia } from './no-media.tsx';

const ROW_HEIGHT = 38;
const HEAD_HEIGHT = 31;
const PLACEHOLDER_ROWS = 14;

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
  const query = mediaList.useList((state) => state.query);
  const dateColumn = useDateColumn((state) => state.dateColumn);
  const renderRow = useCallback(
    (index: number) => <MediaRowCells row={mediaList.rowAt(index)} dateColumn={dateColumn} />,
    [dateColumn],
  );
  const beginDrag = useItemDrag();
  if (query === null) return null;
  return (
    <WindowedGrid
      list={mediaList}
      label={texts.list.label}
      placeholderRows={PLACEHOLDER_ROWS}
      rowHeight={ROW_HEIGHT}
      rowClass={styles.row}
      columnCount={7}
      head={<MediaHead query={query} dateColumn={dateColumn} />}
      coverTop={HEAD_HEIGHT}
      startAt={firstShown()}
      hasChecks
      selectsResults
      onKey={runItemKey}
      onDragStart={beginDrag}
      onActivate={focusInspector}
      renderRow={renderRow}
      errorTitle={texts.list.notListed}
      empty={<NoMedia />}
    />
  );
}
