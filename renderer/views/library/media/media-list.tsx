import { FileQuestion, SearchX } from 'lucide-react';
import { useCallback } from 'react';
import { openCollection } from '../../../commands/commands.ts';
import { Button } from '../../../components/button.tsx';
import { VirtualGrid } from '../../../components/list/virtual-grid.tsx';
import { EmptyState, ErrorState } from '../../../components/status/empty-state.tsx';
import {
  changeQuery,
  loadMediaRange,
  mediaIdAt,
  mediaRowAt,
  retryMedia,
  setSelection,
  showMediaRows,
  useMedia,
} from '../../../stores/library/media-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';
import { EmptyCollection } from './empty-collection.tsx';
import { MediaHead } from './media-head.tsx';
import styles from './media-list.module.css';
import { MediaRowCells } from './media-row.tsx';

const ROW_HEIGHT = 38;
const SKELETON_ROWS = 14;

/** The media of a collection or a search, as long as the library is. */
export function MediaList() {
  const query = useMedia((state) => state.query);
  const total = useMedia((state) => state.total);
  const error = useMedia((state) => state.error);
  const selection = useMedia((state) => state.selection);
  const dateColumn = useMedia((state) => state.dateColumn);
  // Cached rows are no state of React: this number tells that they changed.
  useMedia((state) => state.version);

  const renderRow = useCallback(
    (index: number) => <MediaRowCells row={mediaRowAt(index)} dateColumn={dateColumn} />,
    [dateColumn],
  );
  if (query === null) return null;
  return (
    <div className={styles.body}>
      <VirtualGrid
        label="Media"
        total={total ?? SKELETON_ROWS}
        rowHeight={ROW_HEIGHT}
        rowClass={styles.row}
        columnCount={6}
        head={<MediaHead query={query} dateColumn={dateColumn} />}
        listKey={JSON.stringify(query)}
        idAt={mediaIdAt}
        selection={selection}
        onSelect={setSelection}
        onShow={showMediaRows}
        onReach={loadMediaRange}
        onActivate={focusInspector}
        renderRow={renderRow}
      />
      {total === null && error !== null ? (
        <div className={styles.cover}>
          <ErrorState title="The media could not be listed" error={error} onRetry={retryMedia} />
        </div>
      ) : null}
      {total === 0 ? (
        <div className={styles.cover}>
          <Nothing />
        </div>
      ) : null}
    </div>
  );
}

/** Enter on a row goes on to its fields. */
function focusInspector(): void {
  document.querySelector<HTMLElement>('[data-inspector] input')?.focus();
}

function searchEverywhere(search: string): void {
  openCollection(null);
  changeQuery({ search });
}

function Nothing() {
  const query = useMedia((state) => state.query);
  const name = useTree((state) => (state.selectedId === null ? null : state.rows.get(state.selectedId)?.displayName));
  if (query === null) return null;
  if (query.search !== '') {
    return (
      <EmptyState
        icon={SearchX}
        title={`Nothing found for “${query.search}”`}
        text="The search looks at titles, bylines, descriptions and tags. Try fewer or other words."
      >
        <Button onPress={() => changeQuery({ search: '', type: null, status: null })}>Clear the search</Button>
        {query.collectionId === null ? null : (
          <Button onPress={() => searchEverywhere(query.search)}>Search everywhere</Button>
        )}
      </EmptyState>
    );
  }
  if (query.type !== null || query.status !== null) {
    return (
      <EmptyState icon={FileQuestion} title="Nothing matches these filters" text="There may be media of another kind.">
        <Button onPress={() => changeQuery({ type: null, status: null })}>Clear the filters</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyCollection
      siteId={query.siteId}
      collectionId={query.collectionId}
      name={query.collectionId === null ? null : (name ?? 'This collection')}
    />
  );
}
