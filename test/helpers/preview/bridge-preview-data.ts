import type { MediaFile } from '../../../shared/api/files.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { Calendar, CalendarQuery } from '../../../shared/contract/calendar.ts';
import type { CollectionRow, MediaDetail, MediaRow } from '../../../shared/contract/library.ts';

// A generated library for the preview of the screens.

const SUBJECTS = ['Optics', 'Lasers', 'Thermodynamics', 'Waves', 'Field theory', 'Relativity', 'Statistics', 'Plasma'];
const PEOPLE = ['Dr. Anna Berger', 'Prof. Omar Haddad', 'Lena Fischer', 'Tomás Rivera', 'Mei Chen', ''];
const TAGS = ['lecture', 'autumn 2026', 'lab', 'physics', 'captioned', 'guest', 'exam review'];
const TYPES = ['video', 'video', 'audio', 'doc', 'image', 'video', 'audio'] as const;
const STATUSES = ['published', 'published', 'draft', 'published', 'scheduled'] as const;
const NOW = Date.now();

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

export function makeCollections(items: number): CollectionRow[] {
  const rows: CollectionRow[] = [];
  const add = (id: string, parentId: string | null, displayName: string, isPodcast = false) => {
    const mediaCount = items === 0 ? 0 : (id.length * 37 + displayName.length * 11) % 300;
    rows.push({ id, parentId, displayName, slug: id, isPodcast, mediaCount, mediaCountBelow: 0, childCount: 0 });
  };
  add('c0', null, 'University media');
  ['Biology', 'Chemistry', 'Events', 'History of science', 'Mathematics', 'Physics', 'Podcasts'].forEach(
    (name, index) => {
      add(`c${index + 1}`, 'c0', name);
    },
  );
  for (const name of SUBJECTS) add(`p-${name}`, 'c6', name);
  for (const name of ['Campus voices', 'Lab notes', 'The long view']) add(`pod-${name}`, 'c7', name, true);
  for (let index = 0; index < 60; index += 1) add(`ev${index}`, 'c3', `Open day ${1960 + index}`);
  for (const row of rows) row.childCount = rows.filter((other) => other.parentId === row.id).length;
  return rows;
}

export function pathTo(all: readonly CollectionRow[], row: CollectionRow): string[] {
  const parent = all.find((other) => other.id === row.parentId);
  return parent === undefined ? [row.displayName] : [...pathTo(all, parent), row.displayName];
}

export function makeRow(index: number): MediaRow {
  const type = pick(TYPES, index * 5 + (index >> 2));
  const status = pick(STATUSES, index * 3);
  const created = new Date(NOW - index * 5.3 * 3_600_000).toISOString();
  return {
    id: `m${index}`,
    title: `${pick(['Lecture', 'Seminar', 'Lab session', 'Interview'], index >> 1)} ${String((index % 30) + 1).padStart(2, '0')} – ${pick(SUBJECTS, index)}`,
    type,
    status,
    collectionId: 'c6',
    byline: pick(PEOPLE, index * 7) || null,
    durationSeconds: type === 'video' || type === 'audio' ? 600 + ((index * 977) % 6000) : null,
    createdOn: created,
    modifiedOn: created,
    publishOn: status === 'draft' ? null : created,
    views: status === 'published' ? (index * 37) % 2000 : 0,
    likes: (index * 7) % 40,
    comments: index % 6,
    tags: TAGS.slice(index % 5, (index % 5) + (index % 4)),
  };
}

export function rowEdits(edit: Partial<MediaItem> | undefined): Partial<MediaRow> {
  if (edit === undefined) return {};
  return {
    ...(edit.title === undefined ? {} : { title: edit.title }),
    ...(edit.status === undefined ? {} : { status: edit.status }),
    ...(edit.tags === undefined ? {} : { tags: edit.tags }),
  };
}

export function makeDetail(mediaId: string, edit: Partial<MediaItem> = {}): MediaDetail {
  const row = makeRow(Number(mediaId.slice(1)));
  const item: MediaItem = {
    id: row.id,
    type: row.type,
    status: row.status,
    title: row.title,
    collection_id: row.collectionId,
    created_on: row.createdOn,
    modified_on: row.createdOn,
    publish_on: row.publishOn,
    byline: row.byline,
    duration: row.durationSeconds,
    duration_hms: null,
    comments_count: 3,
    likes_count: 12,
    views_count: 480,
    description: '<p>Recorded in the large hall.</p>',
    description_plain: 'Recorded in the large hall.\n\nCovers refraction, dispersion and the first part of chapter 4.',
    tags: row.tags,
    links: {},
    ...edit,
  };
  const file = (id: string, fields: Partial<MediaFile>): MediaFile => ({
    id,
    source: 'upload',
    type: row.type,
    container: 'mp4',
    status: 'complete',
    encoding_profile: null,
    display_name: `${row.title}.mp4`,
    created_on: row.createdOn,
    modified_on: row.createdOn,
    height: 1080,
    width: 1920,
    max_bitrate: null,
    size: 1_840_000_000,
    duration: row.durationSeconds,
    duration_hms: null,
    links: {},
    encodings: null,
    ...fields,
  });
  const encoding = (id: string, profile: string, height: number, status: string) => ({
    ...file(id, {
      encoding_profile: profile,
      height,
      width: Math.round((height * 16) / 9),
      size: height * 400_000,
      status,
    }),
    encodings: null,
  });
  const files = [
    file('f1', {
      encodings: [
        encoding('e1', '1080p', 1080, 'complete'),
        encoding('e2', '720p', 720, 'complete'),
        encoding('e3', '360p', 360, 'processing'),
      ],
    }),
    file('f2', {
      type: 'captions',
      container: 'srt',
      display_name: 'English.srt',
      height: null,
      width: null,
      size: 48_000,
    }),
    file('f3', { display_name: 'Broken copy.mov', container: 'mov', status: 'error' }),
  ];
  return { item, files, collectionName: 'Physics', viewUrl: 'https://media.example.org/m/7' };
}

/** The first items, by the slots of a calendar. */
export function calendarOf(
  query: Pick<CalendarQuery, 'instants' | 'rows'>,
  items: number,
  rowAt: (index: number) => MediaRow,
): Calendar {
  const rows = Array.from({ length: items }, (_, index) => rowAt(index));
  const slots = query.instants.slice(0, -1).map((from, index) => {
    const to = query.instants[index + 1] ?? from;
    const found = rows.filter(
      ({ publishOn }) => Date.parse(publishOn ?? '') >= from && Date.parse(publishOn ?? '') < to,
    );
    return { count: found.length, rows: found.slice(0, query.rows) };
  });
  return { slots };
}
