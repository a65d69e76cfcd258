import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { SearchField } from '../../../kit/components/forms/field.tsx';
import { FieldOptionList, useFieldOptions } from '../../../kit/components/forms/field-options.tsx';
import { focusMediaList } from '../focus.ts';
import styles from '../library-view.module.css';
import { mediaList } from '../state/media-store.ts';
import { MAX_SEARCH_LENGTH, submitSearch, typeSearch, useQuery } from '../state/query/query-store.ts';
import { noteSearch } from '../state/query/recent-searches.ts';
import { hintText } from './chip-text.ts';
import queryStyles from './query.module.css';
import { afterChoice, NONE, type SearchOffer, useSearchOffers } from './search-offers.ts';
import { SearchOption } from './search-option.tsx';
import { texts } from './texts.ts';
import { useMissingCollection } from './use-missing-collection.ts';

const HINT_ID = 'search-hint';

/** The search field of the open list. Its text and the chips are the same query. */
export function QuerySearch() {
  const text = useQuery((state) => state.text);
  const siteId = mediaList.useList((state) => state.query?.siteId ?? null);
  const input = useRef<HTMLInputElement>(null);
  /** Where the caret is while the field has the focus and the user did not close the list. */
  const [caret, setCaret] = useState<number | null>(null);
  const offers = useSearchOffers(siteId, text, caret ?? 0);
  const close = () => setCaret(null);
  const choose = (offer: SearchOffer) => {
    afterChoice(offer, siteId);
    // The caret can be moved only in a field that has the text.
    flushSync(() => typeSearch(offer.after.text));
    input.current?.setSelectionRange(offer.after.caret, offer.after.caret);
    setCaret(offer.kind === 'part' ? offer.after.caret : null);
    if (offer.isComplete) submitSearch();
  };
  const list = useFieldOptions(caret === null ? NONE : offers, { onTake: choose, onClose: close });
  const follow = () => setCaret(input.current?.selectionStart ?? null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: follows the caret of the field inside
    <div
      className={styles.search}
      data-search
      // A list that was closed stays closed until the user types or comes back: keys and clicks that close it also end with this event.
      onSelect={() => {
        if (caret !== null) follow();
      }}
      onInput={() => {
        list.reset();
        // Recent searches don't cover the items after the text was removed.
        if (input.current?.value === '') close();
        else follow();
      }}
      onFocus={follow}
      // Before the field clears its text at Escape.
      onKeyDownCapture={(event) => {
        if (list.onKeyDown(event)) event.stopPropagation();
      }}
      onBlur={() => {
        close();
        if (siteId !== null) noteSearch(siteId, text);
      }}
    >
      <SearchField
        label={texts.search}
        value={text}
        maxLength={MAX_SEARCH_LENGTH}
        inputRef={input}
        inputProps={list.fieldProps}
        onChange={typeSearch}
        describedBy={HINT_ID}
        onKeyDown={(key) => {
          if (key !== 'ArrowDown' && key !== 'Enter') return false;
          // A delayed search would later deselect rows that the user selects in the list.
          submitSearch();
          focusMediaList();
          return true;
        }}
      />
      <FieldOptionList label={texts.completion.label} list={list} keyOf={({ id }) => id} floats>
        {(offer) => <SearchOption offer={offer} />}
      </FieldOptionList>
    </div>
  );
}

/** Explains why a part of the search that looks like a filter is none. */
export function QueryHintNote() {
  const hint = useHint();
  return (
    <p id={HINT_ID} className={hint === null ? 'visually-hidden' : queryStyles.hint} role="status">
      {hint}
    </p>
  );
}

function useHint(): string | null {
  const search = mediaList.useList((state) => state.query?.search ?? '');
  const isFull = useQuery((state) => state.text.length >= MAX_SEARCH_LENGTH);
  const missing = useMissingCollection(search);
  return useMemo(() => {
    if (isFull) return texts.tooLong(MAX_SEARCH_LENGTH);
    const [hint] = parseQuery(search).hints;
    if (hint !== undefined) return hintText(hint);
    return missing === null ? null : texts.hints.noCollection(missing);
  }, [search, isFull, missing]);
}
