import { FileQuestion, FolderOpen, FolderTree, SearchX, Upload } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { chipsOf } from '../../../../shared/model/library-query/query-chips.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { openCollection, pick } from '../../common/commands/commands.ts';
import { useRefusalToAdd } from '../../common/state/add-rights-store.ts';
import { useApp } from '../../common/state/app-store.ts';
import { showError } from '../../common/state/messages-store.ts';
import { changeQuery, mediaList } from '../state/media-store.ts';
import { replaceSearch } from '../state/query/query-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import { emptyCollectionWords } from './empty-collection-text.ts';

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
        <Correction query={query} />
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

/** Offers the search with its mistyped words corrected. */
function Correction({ query }: { query: MediaQuery }) {
  const [offer, setOffer] = useState<{ query: MediaQuery; search: string | null }>();
  useEffect(
    () =>
      untilCancelled(
        call('library.correctedSearch', { query }),
        ({ search }) => setOffer({ query, search }),
        showError,
      ),
    [query],
  );
  const search = offer?.query === query ? offer.search : null;
  if (search === null) return null;
  return (
    <Button variant="primary" onPress={() => replaceSearch(search)}>
      {texts.list.didYouMean(search)}
    </Button>
  );
}

interface EmptyCollectionProps {
  /** null: all media of the library. */
  collectionId: string | null;
  name: string | null;
}

/** The page of a collection without items of its own: buttons to list the items of its subcollections, and to add files. */
function EmptyCollection({ collectionId, name }: EmptyCollectionProps) {
  const row = useTree((state) => (collectionId === null ? undefined : state.rows.get(collectionId)));
  const hasChildren = row !== undefined && row.childCount > 0;
  const words = emptyCollectionWords(name, row ?? null);
  const siteId = useApp((state) => state.siteId);
  const refusal = useRefusalToAdd(siteId, collectionId);
  const text = refusal === null || hasChildren ? words.text : refusal.message;
  return (
    <EmptyState icon={hasChildren ? FolderTree : FolderOpen} title={words.title} text={text}>
      {(row?.mediaCountBelow ?? 0) > 0 ? (
        <Button onPress={() => changeQuery({ includesBelow: true })}>{texts.empty.includeBelow}</Button>
      ) : null}
      {refusal === null ? (
        <>
          <Button variant="primary" icon={<Upload size={14} aria-hidden />} onPress={() => void pick('files')}>
            {texts.empty.addFiles}
          </Button>
          <Button onPress={() => void pick('folder')}>{texts.empty.addFolder}</Button>
        </>
      ) : null}
    </EmptyState>
  );
}
