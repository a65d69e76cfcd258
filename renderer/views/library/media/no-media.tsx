import { FileQuestion, SearchX } from 'lucide-react';
import { openCollection } from '../../../commands/commands.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/status/empty-state.tsx';
import { changeQuery, mediaList } from '../../../stores/library/media-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';
import { texts } from '../texts.ts';
import { EmptyCollection } from './empty-collection.tsx';

function searchEverywhere(search: string): void {
  openCollection(null);
  changeQuery({ search });
}

/** Replaces a list without items: says why it is empty and offers what to do. */
export function NoMedia() {
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
