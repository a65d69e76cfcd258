import type { ReactNode } from 'react';
import type { WindowedList } from '../../lists/windowed-list.ts';
import { ErrorState } from '../status/empty-state.tsx';
import { VirtualGrid, type VirtualGridProps } from './virtual-grid.tsx';
import styles from './windowed-grid.module.css';

type ListProps = 'total' | 'listKey' | 'idAt' | 'selection' | 'onSelect' | 'onShow' | 'onReach';

interface WindowedGridProps<Query, Row> extends Omit<VirtualGridProps, ListProps> {
  list: WindowedList<Query, Row>;
  /** Rows to draw as placeholders until the length of the list is loaded. */
  placeholderRows?: number;
  /** The title of the error that replaces a list that could not be loaded. */
  errorTitle: string;
  /** Loads the list again after an error; `list.retry` unless the view has more to load. */
  onRetry?: () => void;
  /** Covers a list without rows. */
  empty: ReactNode;
  /** Pixels at the top that error and empty state leave free, such as for the head. */
  coverTop?: number;
}

/** The grid of a windowed list, with its error and its empty state. Its parent has to be positioned. */
export function WindowedGrid<Query, Row>(props: WindowedGridProps<Query, Row>) {
  const { list, placeholderRows = 0, errorTitle, onRetry = list.retry, empty, coverTop = 0, ...grid } = props;
  const query = list.useList((state) => state.query);
  const total = list.useList((state) => state.total);
  const error = list.useList((state) => state.error);
  const selection = list.useList((state) => state.selection);
  // Rows are not React state: this number changes when they do.
  list.useList((state) => state.version);
  return (
    <>
      <VirtualGrid
        {...grid}
        total={total ?? placeholderRows}
        listKey={JSON.stringify(query)}
        idAt={list.idAt}
        selection={selection}
        onSelect={list.select}
        onShow={list.show}
        onReach={list.loadRange}
      />
      {total === null && error !== null ? (
        <div className={styles.cover} style={{ top: coverTop }}>
          <ErrorState title={errorTitle} error={error} onRetry={onRetry} />
        </div>
      ) : null}
      {total === 0 ? (
        <div className={styles.cover} style={{ top: coverTop }}>
          {empty}
        </div>
      ) : null}
    </>
  );
}
