import { create } from 'zustand';
import { formatQuery } from '../../../../../shared/model/library-query/format-query.ts';
import type { QueryTerm } from '../../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../../shared/model/library-query/parse-query.ts';
import {
  canRank,
  includesTerm,
  withGroup,
  withoutGroup,
  withoutTerm,
  withTerm,
} from '../../../../../shared/model/library-query/query-chips.ts';
import { delayed } from '../../../../kit/async/delayed.ts';
import { type ListOrder, storedOrder } from '../media-columns.ts';
import { changeQuery, mediaList } from '../media-store.ts';

/** The kinds of conditions that have a dialog. */
export type ConditionKind = 'tag' | 'byline' | 'created' | 'modified' | 'published' | 'duration';

interface QueryState {
  /** The text of the search field: the search of the list, including text that was typed and not searched for yet. */
  text: string;
  /** The open dialog of a condition. `index`: the group that the dialog replaces; null: it adds a group. */
  editor: { kind: ConditionKind; index: number | null } | null;
}

/** The maximum length of a search that the engine accepts. */
export const MAX_SEARCH_LENGTH = 1000;
const TYPING_MS = 150;

export const useQuery = create<QueryState>(() => ({ text: '', editor: null }));

const search = delayed(() => changeSearch(useQuery.getState().text), TYPING_MS);

/** Shows typed text in the search field, and searches for it when the user stops typing. */
export function typeSearch(text: string): void {
  useQuery.setState({ text });
  search.postpone();
}

/** Searches for the typed text immediately. */
export function submitSearch(): void {
  search.runNow();
}

/** Shows the search of another list in the search field. Text that was typed for the previous list is dropped. */
export function takeSearch(text: string): void {
  if (useQuery.getState().text.trim() !== text) useQuery.setState({ text });
  search.cancel();
}

/** Replaces the whole search. */
export function replaceSearch(text: string): void {
  useQuery.setState({ text });
  search.runNow();
}

/** Adds a condition to the search, or removes the condition when the search already contains it. */
export function toggleTerm(term: QueryTerm): void {
  const { text } = useQuery.getState();
  const isThere = includesTerm(parseQuery(text).query, term);
  replaceSearch(isThere ? withoutTerm(text, term) : withTerm(text, term));
}

/** Removes the condition at an index of the search groups. */
export function removeChip(index: number): void {
  replaceSearch(withoutGroup(useQuery.getState().text, index));
}

/** Replaces the condition at an index of the search groups; null adds a condition. */
export function putTerm(index: number | null, term: QueryTerm): void {
  const { text } = useQuery.getState();
  replaceSearch(index === null ? withTerm(text, term) : withGroup(text, index, [term]));
}

/** Negates a condition. A group of alternatives becomes several conditions, because none of the alternatives may match. */
export function invertChip(index: number): void {
  const { text } = useQuery.getState();
  const terms = parseQuery(text).query.groups[index] ?? [];
  let next = withoutGroup(text, index);
  for (const term of terms) next = withTerm(next, { ...term, isNegated: !term.isNegated });
  replaceSearch(next);
}

export function openConditionEditor(kind: ConditionKind, index: number | null): void {
  useQuery.setState({ editor: { kind, index } });
}

export function closeEditor(): void {
  useQuery.setState({ editor: null });
}

/** The order of the list before a search that sorts by relevance. */
let orderBefore: ListOrder = storedOrder(null);

/**
 * Changes the search. A search with words sorts the list by best match until the user chooses another order or removes the words.
 */
function changeSearch(text: string): void {
  const { query } = mediaList.useList.getState();
  const search = text.trim();
  if (query === null || query.search === search) return;
  const isRanked = canRank(parseQuery(search).query);
  const wasRanked = canRank(parseQuery(query.search).query);
  if (isRanked && !wasRanked) {
    if (query.sort !== 'relevance') orderBefore = { sort: query.sort, order: query.order };
    changeQuery({ search, sort: 'relevance', order: 'desc' });
  } else if (!isRanked && query.sort === 'relevance') changeQuery({ search, ...orderBefore });
  else changeQuery({ search });
}

/** Lists items of the whole library that are related to one item. The caller shows the library. */
export function listRelated(id: string, title: string): void {
  noteItemName(id, title);
  replaceSearch(formatQuery({ groups: [[{ kind: 'related', value: `#${id}`, isNegated: false }]] }));
}

/** Titles of items that searches refer to by id, such as the item in “related to”. */
const useNames = create<{ titles: ReadonlyMap<string, string> }>(() => ({ titles: new Map() }));

export function useItemNames(): ReadonlyMap<string, string> {
  return useNames((state) => state.titles);
}

function noteItemName(id: string, title: string): void {
  useNames.setState(({ titles }) => ({ titles: new Map(titles).set(id, title) }));
}
