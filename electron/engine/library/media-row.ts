import type { MediaItem, MediaListQuery, MediaSort } from '../../../shared/api/media.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { MediaQuery, MediaRow } from '../../../shared/contract/library.ts';

/** The properties of an item that a list shows. */
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
    tags: item.tags,
  };
}

/** Returns a sort that the service has: only a search has relevance, and it can't sort by length. */
function sortOf({ sort, search, relatedTo }: MediaQuery): MediaSort {
  if (sort === 'duration') return 'created_on';
  if (sort === 'relevance' && search.trim() === '' && relatedTo === undefined) return 'created_on';
  return sort;
}

/** A screen's query in the words of the API. Only a search has relevance. `collectionIds` null: all media. */
export function listQueryOf(query: MediaQuery, collectionIds: readonly string[] | null): MediaListQuery {
  const search = query.search.trim();
  return {
    ...(collectionIds === null ? {} : { collection_id: collectionIds.join(',') }),
    ...(search === '' ? {} : { search }),
    ...(query.type === null ? {} : { type: query.type }),
    ...(query.status === null ? {} : { status: query.status }),
    ...(query.tag === undefined ? {} : { tag: query.tag }),
    ...(query.createdAfter === undefined ? {} : { created_after: serviceInstant(query.createdAfter) }),
    ...(query.createdBefore === undefined ? {} : { created_before: serviceInstant(query.createdBefore) }),
    ...(query.publishAfter === undefined ? {} : { publish_after: serviceInstant(query.publishAfter) }),
    ...(query.publishBefore === undefined ? {} : { publish_before: serviceInstant(query.publishBefore) }),
    ...(query.relatedTo === undefined ? {} : { related_to: query.relatedTo }),
    sort: sortOf(query),
    order: query.order,
  };
}

/** Returns an instant in the form of the API: UTC, whole seconds. Throws `input.invalid`. */
export function serviceInstant(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw appError('input.invalid', { details: { field: 'publishOn' } });
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
