import { useMemo } from 'react';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { SearchField } from '../../../kit/components/forms/field.tsx';
import { focusMediaList } from '../focus.ts';
import styles from '../library-view.module.css';
import { mediaList } from '../state/media-store.ts';
import { MAX_SEARCH_LENGTH, submitSearch, typeSearch, useQuery } from '../state/query/query-store.ts';
import { hintText } from './chip-text.ts';
import queryStyles from './query.module.css';
import { texts } from './texts.ts';

const HINT_ID = 'search-hint';

/** The search field of the open list. Its text and the chips are the same query. */
export function QuerySearch() {
  const text = useQuery((state) => state.text);
  const hint = useHint();
  return (
    <div className={styles.search} data-search>
      <SearchField
        label={texts.search}
        value={text}
        maxLength={MAX_SEARCH_LENGTH}
        onChange={typeSearch}
        {...(hint === null ? {} : { describedBy: HINT_ID })}
        onKeyDown={(key) => {
          if (key !== 'ArrowDown' && key !== 'Enter') return false;
          // A delayed search would later deselect rows that the user selects in the list.
          submitSearch();
          focusMediaList();
          return true;
        }}
      />
    </div>
  );
}

/** Explains why a part of the search that looks like a filter is none. */
export function QueryHint() {
  const hint = useHint();
  return (
    <p id={HINT_ID} className={hint === null ? 'visually-hidden' : queryStyles.hint} role="status">
      {hint}
    </p>
  );
}

function useHint(): string | null {
  const search = mediaList.useList((state) => state.query?.search ?? '');
  return useMemo(() => {
    const [hint] = parseQuery(search).hints;
    return hint === undefined ? null : hintText(hint);
  }, [search]);
}
