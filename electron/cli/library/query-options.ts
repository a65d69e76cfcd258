import { MEDIA_STATUSES, MEDIA_TYPES } from '../../../shared/api/media.ts';
import { LIST_SORTS, type MediaQuery } from '../../../shared/contract/library.ts';
import { instantOption } from '../arguments/instant.ts';
import { type OptionSpec, type OptionValues, oneOf, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** The options that select and sort items of a library; `readItemQuery` reads them. */
export const QUERY_OPTIONS = {
  collection: { value: 'COLLECTION', help: 'Only items of this collection.' },
  below: { value: null, help: 'With --collection: also items of the collections in it.' },
  type: { value: 'TYPE', values: MEDIA_TYPES, help: `Only items of this type: ${MEDIA_TYPES.join(', ')}.` },
  status: {
    value: 'STATUS',
    values: MEDIA_STATUSES,
    help: `Only items with this status: ${MEDIA_STATUSES.join(', ')}.`,
  },
  tag: { value: 'TAG', help: 'Only items with this tag.' },
  'created-after': {
    value: 'TIME',
    help: 'Only items created after this time, such as 2026-01-31 or 2026-01-31T18:00.',
  },
  'created-before': { value: 'TIME', help: 'Only items created before this time.' },
  'published-after': { value: 'TIME', help: 'Only items published after this time.' },
  'published-before': { value: 'TIME', help: 'Only items published before this time.' },
  sort: {
    value: 'FIELD',
    values: LIST_SORTS,
    help: `${LIST_SORTS.join(', ')}. Default: created_on, or relevance for a search.`,
  },
  order: { value: 'ORDER', values: ['asc', 'desc'], help: 'asc or desc. Default: desc.' },
} as const satisfies Record<string, OptionSpec>;

/** A query before the account and the collection are looked up. */
export interface ItemQuery {
  /** An id, slug, path or name; null: the whole library. */
  collection: string | null;
  filters: Omit<MediaQuery, 'siteId' | 'collectionId'>;
}

/** Reads `QUERY_OPTIONS`. Throws `UsageError`. */
export function readItemQuery(values: OptionValues, search: string): ItemQuery {
  const collection = optionText(values, 'collection');
  const includesBelow = values.below === true;
  if (includesBelow && collection === null) throw new UsageError('Use --below together with --collection.');
  return {
    collection,
    filters: {
      search,
      includesBelow,
      type: wordOf(values, 'type', MEDIA_TYPES),
      status: wordOf(values, 'status', MEDIA_STATUSES),
      tag: optionText(values, 'tag') ?? undefined,
      createdAfter: instantOption(values, 'created-after'),
      createdBefore: instantOption(values, 'created-before'),
      publishAfter: instantOption(values, 'published-after'),
      publishBefore: instantOption(values, 'published-before'),
      sort: oneOf(values, 'sort', LIST_SORTS, search === '' ? 'created_on' : 'relevance'),
      order: oneOf(values, 'order', ['asc', 'desc'], 'desc'),
    },
  };
}

function wordOf<const W extends readonly string[]>(values: OptionValues, name: string, words: W): string | null {
  return optionText(values, name) === null ? null : oneOf(values, name, words, words[0] as W[number]);
}
