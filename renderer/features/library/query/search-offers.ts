import { useEffect, useState } from 'react';
import {
  qualifiersFor,
  type TypedPart,
  typedPart,
  valuesFor,
  withCompletion,
} from '../../../../shared/model/library-query/complete-query.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { counts } from '../../../kit/text/define-texts.ts';
import { showError } from '../../common/state/messages-store.ts';
import { forgetSearches, noteSearch, useRecentSearches } from '../state/query/recent-searches.ts';
import { texts } from './texts.ts';

/** A way to continue a search. */
export interface SearchOffer {
  id: string;
  label: string;
  detail: string;
  kind: 'part' | 'recent' | 'forget';
  /** The search after the offer is chosen, and where the caret is. */
  after: { text: string; caret: number };
  /** The search is complete: it is carried out at once. */
  isComplete: boolean;
}

/** A value of the library. `name`: what the search contains. */
interface FoundValue {
  name: string;
  label: string;
  detail: string;
}

const MOST_VALUES = 8;
const MOST_RECENT = 6;
export const NONE: readonly SearchOffer[] = [];

/** Returns how the search can continue at the caret. `siteId`: the account of the list; null while nothing is open. */
export function useSearchOffers(siteId: string | null, text: string, caret: number): readonly SearchOffer[] {
  const recent = useRecentSearches((state) => (siteId === null ? undefined : state.bySite[siteId]));
  const part = typedPart(text, caret);
  const found = useLibraryValues(siteId, part);
  if (siteId === null) return NONE;
  if (text.trim() === '') return recentOffers(recent ?? []);
  if (part === null) return NONE;
  const offer = (name: string, label: string, detail: string): SearchOffer => {
    const isComplete = part.qualifier !== null;
    return { id: name, label, detail, kind: 'part', after: withCompletion(text, part, name), isComplete };
  };
  if (part.qualifier === null) {
    return qualifiersFor(part).map((name) => offer(name, `${name}:`, texts.completion.qualifiers[name]));
  }
  const values = valuesFor(part);
  if (values !== null) return values.map((value) => offer(value, value, ''));
  return found.map(({ name, label, detail }) => offer(name, label, detail));
}

/** Keeps the recent searches up to date after an offer was chosen. */
export function afterChoice({ kind, after }: SearchOffer, siteId: string | null): void {
  if (siteId === null) return;
  if (kind === 'forget') forgetSearches(siteId);
  else if (kind === 'recent') noteSearch(siteId, after.text);
}

function recentOffers(recent: readonly string[]): SearchOffer[] {
  if (recent.length === 0) return [];
  const offer = (text: string): SearchOffer => {
    return { id: text, label: text, detail: '', kind: 'recent', after: { text, caret: text.length }, isComplete: true };
  };
  const forget = { ...offer(''), id: ' forget', label: texts.completion.forget, kind: 'forget' as const };
  return [...recent.slice(0, MOST_RECENT).map(offer), forget];
}

/** The values of the library for the part that is being typed. */
function useLibraryValues(siteId: string | null, part: TypedPart | null): readonly FoundValue[] {
  const qualifier = part?.qualifier ?? null;
  const isOfLibrary = qualifier === 'tag' || qualifier === 'byline' || qualifier === 'in';
  const prefix = isOfLibrary ? (part?.prefix.trim() ?? '') : '';
  const [answer, setAnswer] = useState<{ qualifier: string; values: readonly FoundValue[] }>();
  useEffect(() => {
    if (siteId === null || !isOfLibrary) return;
    const values = qualifier === 'in' ? findCollections(siteId, prefix) : findValues(siteId, qualifier, prefix);
    return untilCancelled(values, (found) => setAnswer({ qualifier, values: found }), showError);
  }, [siteId, isOfLibrary, qualifier, prefix]);
  if (!isOfLibrary || answer?.qualifier !== qualifier) return [];
  // What is typed completely needs no offer.
  return answer.values.filter(({ name }) => name.toLowerCase() !== prefix.toLowerCase());
}

async function findValues(siteId: string, field: 'tag' | 'byline', text: string): Promise<FoundValue[]> {
  const found = await call('library.values', { siteId, field, text: text.slice(0, 200), limit: MOST_VALUES });
  return found.map(({ value, items }) => ({ name: value, label: value, detail: counts.items(items) }));
}

/** A collection whose name another one has is named by its id. */
async function findCollections(siteId: string, text: string): Promise<FoundValue[]> {
  const found = await call('library.findCollections', { siteId, text: text.slice(0, 200), limit: MOST_VALUES });
  return found.map(({ collection: { id, displayName }, path }) => {
    const isOnly = found.filter(({ collection }) => collection.displayName === displayName).length === 1;
    const name = isOnly ? displayName : `#${id}`;
    const label = isOnly ? displayName : texts.withId(displayName, id);
    return { name, label, detail: path.join(' › ') };
  });
}
