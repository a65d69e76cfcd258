import type { ReactNode } from 'react';
import type { WindowedList } from '../../lists/windowed-list.ts';
import { ErrorState } from '../status/empty-state.tsx';
import styles from './virtual-grid.module.css';
import { VirtualGrid, type VirtualGridProps } from './virtual-grid.tsx';
import { VirtualTiles, type VirtualTilesProps } from './virtual-tiles.tsx';

type ListProps =
  | 'total'
  | 'version'
  | 'listKey'
  | 'idAt'
  | 'selection'
  | 'revealed'
  | 'onSelect'
  | 'onShow'
  | 'onReach';

interface WindowedProps<Query, Row> {
  list: WindowedList<Query, Row>;
  /** Rows to draw as placeholders until the length of the list is loaded. */
  placeholderRows?: number;
  /** The title of the error that replaces a list that could not be loaded. */
  errorTitle: string;
  /** Loads the list again after an error; `list.retry` unless the view has to load other data too. */
  onRetry?: () => void;
  /** Covers a list without rows. */
  empty: ReactNode;
  /** Pixels at the top that error and empty state leave free, such as for the head. */
  coverTop?: number;
}

type WindowedGridProps<Query, Row> = WindowedProps<Query, Row> & Omit<VirtualGridProps, ListProps>;
type WindowedTilesProps<Query, Row> = WindowedProps<Query, Row> & Omit<VirtualTilesProps, ListProps>;

/** The grid of a windowed list, with its error and its empty state. Its parent has to be positioned. */
export function WindowedGrid<Query, Row>(props: WindowedGridProps<Query, Row>) {
  const { list, placeholderRows, errorTitle, onRetry, empty, coverTop, ...grid } = props;
  const shared = useListProps(list, placeholderRows);
  return (
    <>
      <VirtualGrid {...grid} {...shared} />
      <Cover list={list} errorTitle={errorTitle} onRetry={onRetry} empty={empty} coverTop={coverTop} />
    </>
  );
}

/** The tiles of a windowed list, with its error and its empty state. Its parent has to be positioned. */
export function WindowedTiles<Query, Row>(props: WindowedTilesProps<Query, Row>) {
  const { list, placeholderRows, errorTitle, onRetry, empty, coverTop, ...tiles } = props;
  const shared = useListProps(list, placeholderRows);
  return (
    <>
      <VirtualTiles {...tiles} {...shared} />
      <Cover list={list} errorTitle={errorTitle} onRetry={onRetry} empty={empty} coverTop={coverTop} />
    </>
  );
}

function useListProps<Query, Row>(
  list: WindowedList<Query, Row>,
  placeholderRows = 0,
): Pick<VirtualGridProps, ListProps> {
  const query = list.useList((state) => state.query);
  const total = list.useList((state) => state.total);
  const selection = list.useList((state) => state.selection);
  const version = list.useList((state) => state.version);
  const revealed = list.useList((state) => state.revealed);
  return {
    total: total ?? placeholderRows,
    version,
    listKey: JSON.stringify(query),
    idAt: list.idAt,
    selection,
    revealed,
    onSelect: list.select,
    onShow: list.show,
    onReach: list.loadRange,
  };
}

type CoverProps<Query, Row> = Pick<WindowedProps<Query, Row>, 'list' | 'errorTitle' | 'empty'> & {
  onRetry: (() => void) | undefined;
  coverTop: number | undefined;
};

function Cover<Query, Row>({ list, errorTitle, onRetry = list.retry, empty, coverTop = 0 }: CoverProps<Query, Row>) {
  const total = list.useList((state) => state.total);
  const error = list.useList((state) => state.error);
  const failed = total === null ? error : null;
  if (failed === null && total !== 0) return null;
  return (
    <div className={styles.cover} style={{ top: coverTop }}>
      {failed === null ? empty : <ErrorState title={errorTitle} error={failed} onRetry={onRetry} />}
    </div>
  );
}
