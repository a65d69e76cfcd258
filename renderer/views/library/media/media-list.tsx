import { FileQuestion, SearchX } from 'lucide-react';
import { useCallback } from 'react';
import { openCollection } from '../../../commands/commands.ts';
import { Button } from '../../../components/button.tsx';
import { WindowedGrid } from '../../../components/list/windowed-grid.tsx';
import { EmptyState } from '../../../components/status/empty-state.tsx';
import { changeQuery, mediaList, useDateColumn } from '../../../stores/library/media-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';
import { focusInspector } from '../focus.ts';
import { texts } from '../texts.ts';
import { EmptyCollection } from './empty-collection.tsx';
import { MediaHead } from './media-head.tsx';
import styles from './media-list.module.css';
import { MediaRowCells } from './media-row.tsx';

const ROW_HEIGHT = 38;
const HEAD_HEIGHT = 31;
const PLACEHOLDER_ROWS = 14;

/** The media of a collection or a search. */
export function MediaList() {
  const query = mediaList.useList((state) => state.query);
  const dateColumn = useDateColumn((state) => state.dateColumn);
  const renderRow = useCallback(
    (index: number) => <MediaRowCells row={mediaList.rowAt(index)} dateColumn={dateColumn} />,
    [dateColumn],
  );
  if (query === null) return null;
  return (
    <div className={styles.body}>
      <WindowedGrid
        list={mediaList}
        label={texts.list.label}
        placeholderRows={PLACEHOLDER_ROWS}
        rowHeight={ROW_HEIGHT}
        rowClass={styles.row}
        columnCount={7}
        head={<MediaHead query={query} dateColumn={dateColumn} />}
        coverTop={HEAD_HEIGHT}
        onActivate={focusInspector}
        renderRow={renderRow}
        errorTitle={texts.list.notListed}
        empty={<Nothing />}
      />
    </div>
  );
}

function searchEverywhere(search: string): void {
  openCollection(null);
  changeQuery({ search });
}

function Nothing() {
  const query = mediaList.useList((state) => state.query);
  const name = useTree((state) => (state.selectedId === null ? null : state.rows.get(state.selectedId)?.displayName));
  if (query === null) return null;
  if (query.search !== '') {
    return (
      <EmptyState icon={SearchX} title={texts.list.nothingFound(query.search)} text={texts.list.nothingFoundHint}>
        <Button onPress={() => changeQuery({ search: '', type: null, status: null })}>{texts.list.clearSearch}</Button>
        {query.collectionId === null ? null : (
          <Button onPress={() => searchEverywhere(query.search)}>{texts.list.searchEverywhere}</Button>
        )}
      </EmptyState>
    );
  }
  if (query.type !== null || query.status !== null) {
    return (
      <EmptyState icon={FileQuestion} title={texts.list.nothingMatches} text={texts.list.nothingMatchesHint}>
        <Button onPress={() => changeQuery({ type: null, status: null })}>{texts.list.clearFilters}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyCollection
      collectionId={query.collectionId}
      name={query.collectionId === null ? null : (name ?? texts.empty.thisCollection)}
    />
  );
}
