import type { MediaFile } from '../../../shared/api/files.ts';
import type { Store } from '../../database/store.ts';
import { notFound } from '../../wire/problem.ts';
import { hms, parseId, timestamp } from '../../wire/query.ts';
import { mediaPath } from '../media/media-row.ts';

type FileStatus = 'uploading' | 'processing' | 'complete' | 'error' | 'aborted';

export interface FileRow {
  id: number;
  media_id: number;
  /** For an encoding: the original. */
  parent_id: number | null;
  /** For captions: the id of the video that they belong to. */
  encoded_from_id: number | null;
  source: 'upload' | 'encoding' | 'embed';
  type: string;
  container: string | null;
  status: FileStatus;
  encoding_profile: string | null;
  display_name: string;
  /** Bytes, as declared at creation. */
  declared_size: number;
  /** Bytes. */
  size: number;
  embed_url: string | null;
  width: number | null;
  height: number | null;
  max_bitrate: number | null;
  /** Seconds. */
  duration: number | null;
  stored_name: string | null;
  /** The name of what a client sent to the storage itself, until it becomes the stored file. */
  incoming_name: string | null;
  received_name: string | null;
  error_reason: string | null;
  /**
   * The number of times that processing started but did not end. If it is above 0 when the service starts, the previous run died
   * during this work.
   */
  processing_starts: number;
  created_on: number;
  modified_on: number;
  created_by: number | null;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms of the last activity of an upload. */
  activity_at: number;
}

export function findFile(store: Store, id: number): Promise<FileRow | undefined> {
  return store.get<FileRow>('SELECT * FROM files WHERE id = ?', id);
}

/** Returns the file of this media item; otherwise throws 404. */
export async function fileOf(store: Store, mediaId: number, idText: string): Promise<FileRow> {
  const id = parseId(idText);
  const row = id === undefined ? undefined : await findFile(store, id);
  if (!row || row.media_id !== mediaId) throw notFound('Media file');
  return row;
}

/** The originals of a media item, including captions, oldest first. */
export function originalsOf(store: Store, mediaId: number): Promise<FileRow[]> {
  return store.all<FileRow>('SELECT * FROM files WHERE media_id = ? AND parent_id IS NULL ORDER BY id', mediaId);
}

export function encodingsOf(store: Store, fileId: number): Promise<FileRow[]> {
  return store.all<FileRow>('SELECT * FROM files WHERE parent_id = ? ORDER BY id', fileId);
}

export function filePath(row: Pick<FileRow, 'id' | 'media_id'>): string {
  return `${mediaPath(row.media_id)}/files/${row.id}`;
}

/** The JSON form of a file. `encodings` is null on an encoding itself. */
export function renderFile(row: FileRow, encodings: readonly FileRow[]): MediaFile {
  return { ...commonFields(row), encodings: row.parent_id === null ? encodings.map(renderEncoding) : null };
}

function renderEncoding(row: FileRow) {
  return { ...commonFields(row), encodings: null };
}

function commonFields(row: FileRow) {
  const self = filePath(row);
  return {
    id: String(row.id),
    source: row.source,
    type: row.type,
    container: row.container,
    status: row.status,
    encoding_profile: row.encoding_profile,
    display_name: row.display_name,
    created_on: timestamp(row.created_on),
    modified_on: timestamp(row.modified_on),
    height: row.height,
    width: row.width,
    max_bitrate: row.max_bitrate,
    size: row.size,
    duration: row.duration,
    duration_hms: row.duration === null ? null : hms(row.duration),
    links: {
      self,
      content: `${self}/content`,
      parent: row.parent_id === null ? null : filePath({ id: row.parent_id, media_id: row.media_id }),
      media: mediaPath(row.media_id),
    },
  };
}
