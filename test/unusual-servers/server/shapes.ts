import { COLLECTION_ID, type Library, type StoredFile, type StoredItem } from './library.ts';

const segment = encodeURIComponent;

export function itemPath({ id }: StoredItem): string {
  return `/api2/media/${segment(String(id))}`;
}

export function itemShape(library: Library, item: StoredItem) {
  const path = itemPath(item);
  const created = library.timestamp(item.createdAt);
  return {
    id: item.id,
    type: 'video',
    status: item.status,
    title: item.title,
    collection_id: item.collectionId,
    created_on: created,
    modified_on: created,
    publish_on: item.publishOn ?? created,
    byline: null,
    duration: 0,
    duration_hms: '00:00:00',
    comments_count: 0,
    likes_count: 0,
    views_count: 0,
    description: null,
    description_plain: null,
    tags: item.tags,
    links: {
      self: path,
      collection: `/api2/collections/${item.collectionId}`,
      files: `${path}/files`,
      thumbs: `${path}/thumbs`,
      view: `/view/${segment(String(item.id))}`,
    },
  };
}

export function fileShape(library: Library, item: StoredItem, file: StoredFile) {
  const path = `${itemPath(item)}/files/${segment(String(file.id))}`;
  const status = library.statusOf(file);
  return {
    id: file.id,
    source: 'upload',
    type: file.type,
    container: 'mp4',
    status,
    encoding_profile: null,
    display_name: file.name,
    created_on: library.timestamp(file.createdAt),
    modified_on: library.timestamp(file.createdAt),
    height: null,
    width: null,
    max_bitrate: null,
    size: file.bytes?.size ?? file.size,
    duration: null,
    duration_hms: null,
    encodings: [],
    links: { self: path, content: `${path}/content` },
  };
}

export function collectionShape(library: Library) {
  const path = `/api2/collections/${COLLECTION_ID}`;
  return {
    id: COLLECTION_ID,
    parent_id: null,
    slug: 'lectures',
    display_name: 'Lectures',
    description: '',
    description_plain: '',
    media_count: library.items.length,
    inherit_memberships: false,
    is_podcast: false,
    autotranscribe_enabled: false,
    autotranscribe_subcollections: false,
    autotranscribe_profile_id: null,
    links: {
      self: path,
      parent: null,
      media: `/api2/media?collection_id=${COLLECTION_ID}`,
      podcast_details: null,
      thumbs: `${path}/thumbs`,
      view: '/view/lectures',
    },
  };
}
