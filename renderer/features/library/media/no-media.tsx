import { FileQuestion, SearchX } from 'lucide-react';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { chipsOf } from '../../../../shared/model/library-query/query-chips.ts';
import { Button } from '../../../kit/components/button.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { openCollection } from '../../common/commands/commands.ts';
import { mediaList } from '../state/media-store.ts';
import { replaceSearch } from '../state/query/query-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import { EmptyCollection } from './empty-collection.tsx';

function searchEverywhere(search: string): void {
  openCollection(null);
  replaceSearch(search);
}

/** Shown instead of a list without items: the reason why it is empty, and the possible next steps. */
export function NoMedia() {
  const query = mediaList.useList((state) => state.query);
  const name = useTree((state) => (state.selectedId === null ? null : state.rows.get(state.selectedId)?.displayName));
  if (query === null) return null;
  if (query.search !== '') {
    const isFiltered = chipsOf(parseQuery(query.search).query).length > 0;
    const title = isFiltered ? texts.list.nothingMatches : texts.list.nothingFound(query.search);
    const text = isFiltered ? texts.list.nothingMatchesHint : texts.list.nothingFoundHint;
    return (
      <EmptyState icon={isFiltered ? FileQuestion : SearchX} title={title} text={text}>
        <Button onPress={() => replaceSearch('')}>{texts.list.clearSearch}</Button>
        {query.collectionId === null ? null : (
          <Button onPress={() => searchEverywhere(query.search)}>{texts.list.searchEverywhere}</Button>
        )}
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
