import type { MediaItem, MediaListQuery } from '../../../../shared/api/media.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { MediaQuery, MediaRow } from '../../../../shared/contract/library.ts';
import { isLocalSort } from '../../../../shared/model/local-sorts.ts';
import { serviceSearch } from '../service-search.ts';

/** Returns the row of an item for a list. */
export function rowOf(item: MediaItem): MediaRow {
  return {
    id: item.id,
    title: item.title,
    type: item.type,
    status: item.status,
    collectionId: item.collection_id,
    byline: item.byline,
    durationSeconds: item.duration,
    createdOn: item.created_on,
    modifiedOn: item.modified_on,
    publishOn: item.publish_on,
    views: item.views_count,
    likes: item.likes_count,
    comments: item.comments_count,
    tags: item.tags,
  };
}

/** Returns a sort that the library has: only a search has relevance, and some sorts are local. */
function sortOf({ sort, order }: MediaQuery, canRank: boolean): Pick<MediaListQuery, 'sort' | 'order'> {
  if (isLocalSort(sort) || (sort === 'relevance' && !canRank)) return { sort: 'created_on', order };
  // The API does not say which order of relevance has the best match first: its default order has.
  return sort === 'relevance' ? { sort } : { sort, order };
}

/**
 * Converts a screen's query to one of the API. `collectionIds` null: all media. Throws `library.needs-copy` for
 * conditions that the API does not have.
 */
export function listQueryOf(query: MediaQuery, collectionIds: readonly string[] | null): MediaListQuery {
  const { search, type, status, tag, related_to: named } = serviceSearch(query.search);
  const related = query.relatedTo ?? named;
  return {
    ...(collectionIds === null ? {} : { collection_id: collectionIds.join(',') }),
    ...(search === undefined ? {} : { search }),
    ...oneOf('type', query.type ?? undefined, type),
    ...oneOf('status', query.status ?? undefined, status),
    ...oneOf('tag', query.tag, tag),
    ...(query.createdAfter === undefined ? {} : { created_after: serviceInstant(query.createdAfter) }),
    ...(query.createdBefore === undefined ? {} : { created_before: serviceInstant(query.createdBefore) }),
    ...(query.publishAfter === undefined ? {} : { publish_after: serviceInstant(query.publishAfter) }),
    ...(query.publishBefore === undefined ? {} : { publish_before: serviceInstant(query.publishBefore) }),
    ...(related === undefined ? {} : { related_to: related }),
    ...sortOf(query, search !== undefined || related !== undefined),
  };
}

/** Returns the only value of a filter, because the API takes one value for each filter. */
function oneOf<K extends string>(name: K, chosen: string | undefined, typed: string | undefined) {
  if (chosen !== undefined && typed !== undefined && chosen !== typed) {
    throw appError('library.needs-copy', { details: { condition: name } });
  }
  const value = chosen ?? typed;
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<K, string>>;
}

/** Returns an instant in the form of the API: UTC, whole seconds. Throws `input.invalid`. */
export function serviceInstant(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw appError('input.invalid', { details: { field: 'publishOn' } });
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
