import { z } from 'zod';
import { ITEM_FIELDS, type ItemFields } from '../item/fields.ts';
import {
  blank,
  idSchema,
  lineSchema,
  linksSchema,
  numberSchema,
  openEnum,
  readableOf,
  timestampSchema,
  withDefault,
} from './wire.ts';

export const MEDIA_TYPES = ['audio', 'video', 'doc', 'image'] as const;
export const MEDIA_STATUSES = ['published', 'scheduled', 'draft'] as const;
export const MEDIA_SORTS = ['created_on', 'modified_on', 'publish_on', 'popularity', 'title', 'relevance'] as const;

export type MediaSort = (typeof MEDIA_SORTS)[number];

/** A media item: an audio, video, document or image entry of one collection. */
export const mediaItemSchema = z.object({
  id: idSchema,
  type: blank(openEnum(MEDIA_TYPES)),
  status: openEnum(MEDIA_STATUSES),
  title: withDefault(lineSchema, ''),
  collection_id: idSchema,
  created_on: blank(timestampSchema),
  modified_on: blank(timestampSchema),
  publish_on: blank(timestampSchema),
  byline: blank(lineSchema),
  /** Seconds. */
  duration: blank(numberSchema),
  duration_hms: blank(lineSchema),
  comments_count: withDefault(numberSchema, 0),
  likes_count: withDefault(numberSchema, 0),
  views_count: withDefault(numberSchema, 0),
  /** HTML. */
  description: blank(z.string()),
  description_plain: blank(z.string()),
  tags: withDefault(readableOf(lineSchema), []),
  links: linksSchema,
});
export type MediaItem = z.output<typeof mediaItemSchema>;

/** The body of a media item's creation; an update has the same fields, all optional, and saves only the given ones. */
export interface MediaItemInput extends Partial<ItemFields> {
  title: string;
  /** May be absent only if the site gives every user a personal collection. */
  collection_id?: string;
}

/** Returns the body that creates an item with these values. Empty ones are absent. */
export function creationOf(fields: ItemFields, collectionId: string): MediaItemInput & { collection_id: string } {
  const given = ITEM_FIELDS.filter((field) => field === 'title' || fields[field].length > 0);
  const values = Object.fromEntries(given.map((field) => [field, fields[field]])) as Pick<MediaItemInput, 'title'>;
  return { ...values, collection_id: collectionId };
}

/** The filters that the media list and the media count share. Instants are ISO-8601 UTC. */
export interface MediaFilter {
  type?: string;
  status?: string;
  created_before?: string;
  created_after?: string;
  publish_before?: string;
  publish_after?: string;
  /** One id, or several separated by commas. */
  collection_id?: string;
  tag?: string;
  search?: string;
  related_to?: string;
  exclude_ids?: string;
}

export interface MediaListQuery extends MediaFilter {
  /** `relevance` requires `search` or `related_to`. The library sorts by `publish_on`, ascending, by default. */
  sort?: MediaSort;
  order?: 'asc' | 'desc';
  joins?: string;
  per_page?: number;
}
