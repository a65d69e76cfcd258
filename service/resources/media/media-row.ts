import type { MediaItem } from '../../../shared/api/media.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { notFound } from '../../wire/problem.ts';
import { hms, parseId, timestamp } from '../../wire/query.ts';

export type MediaStatus = 'draft' | 'scheduled' | 'published';

export interface MediaRow {
  id: number;
  collection_id: number;
  type: string | null;
  status: MediaStatus;
  title: string;
  byline: string | null;
  description: string;
  description_plain: string;
  /** Seconds; 0 if the item does not play. */
  duration: number;
  publish_on: number | null;
  created_on: number;
  modified_on: number;
  created_by: number | null;
  comments_count: number;
  likes_count: number;
  views_count: number;
  /** Whether the item was ever published. */
  was_published: number;
  /** Tag names, joined by `TAG_SEPARATOR`. */
  tags: string | null;
}

const TAG_SEPARATOR = '\u001f';

/** Columns of a `MediaRow`, for a query that names the table `m`. */
export const MEDIA_COLUMNS = `m.*, (SELECT group_concat(display_name, '${TAG_SEPARATOR}') FROM (
  SELECT t.display_name FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE mt.media_id = m.id
  ORDER BY t.display_name COLLATE NOCASE) AS named) AS tags`;

export function findMedia(store: Store, id: number): Promise<MediaRow | undefined> {
  return store.get<MediaRow>(`SELECT ${MEDIA_COLUMNS} FROM media m WHERE m.id = ?`, id);
}

export function mediaPath(id: number): string {
  return `/api2/media/${id}`;
}

export function tagsOf(row: MediaRow): string[] {
  return row.tags ? row.tags.split(TAG_SEPARATOR) : [];
}

/**
 * Returns whether the caller may see the item: with media-read and, if it is unpublished, only as its creator or with
 * media-update or media-publish.
 */
export async function maySee(call: Call, row: MediaRow): Promise<boolean> {
  const access = await call.site.access.of(call.caller);
  if (!access.may('media-read', row.collection_id)) return false;
  if (row.status === 'published' || row.created_by === call.caller.userId) return true;
  return access.may('media-update', row.collection_id) || access.may('media-publish', row.collection_id);
}

/** Returns an item that the caller may see; otherwise throws 404. */
export async function visibleMedia(call: Call, idText: string): Promise<MediaRow> {
  const id = parseId(idText);
  const row = id === undefined ? undefined : await findMedia(call.site.store, id);
  if (!row || !(await maySee(call, row))) throw notFound('Media item');
  return row;
}

export function renderMedia(row: MediaRow): MediaItem {
  const self = mediaPath(row.id);
  return {
    id: String(row.id),
    type: row.type,
    status: row.status,
    title: row.title,
    collection_id: String(row.collection_id),
    created_on: timestamp(row.created_on),
    modified_on: timestamp(row.modified_on),
    publish_on: timestamp(row.publish_on),
    byline: row.byline,
    duration: row.duration,
    duration_hms: hms(row.duration),
    comments_count: row.comments_count,
    likes_count: row.likes_count,
    views_count: row.views_count,
    description: row.description,
    description_plain: row.description_plain,
    tags: tagsOf(row),
    links: {
      self,
      collection: `/api2/collections/${row.collection_id}`,
      files: `${self}/files`,
      thumbs: `${self}/thumbs`,
      view: `${self}/view`,
    },
  };
}
