/** The groups of tables that cached results depend on. */
export type TableGroup = 'access' | 'collections' | 'media-counts' | 'feeds' | 'items' | 'settings';

/** The changes after which a cached result of a subject may be outdated. */
export const CHANGES: Readonly<Record<TableGroup, readonly string[]>> = {
  access: [
    ...anyChange('memberships'),
    ...anyChange('group_users'),
    ...anyChange('groups'),
    'UPDATE OF permissions ON roles',
    'DELETE ON roles',
    'INSERT ON collections',
    'UPDATE OF parent_id, inherit_memberships ON collections',
    'DELETE ON collections',
  ],
  collections: anyChange('collections'),
  'media-counts': ['INSERT ON media', 'UPDATE OF collection_id, status ON media', 'DELETE ON media'],
  // Not every change of a file: an upload changes the time of its last byte again and again.
  feeds: [
    'INSERT ON media',
    `UPDATE OF collection_id, type, status, title, byline, description_plain, duration, publish_on, created_on ON media`,
    'DELETE ON media',
    'INSERT ON files',
    'UPDATE OF media_id, parent_id, type, container, status, size, stored_name ON files',
    'DELETE ON files',
    ...anyChange('tags'),
    ...anyChange('media_tags'),
    ...anyChange('thumbs'),
    ...anyChange('collections'),
    ...anyChange('podcast_details'),
  ],
  // The index of the search changes with the row of the item, or when it is no longer stale.
  items: [...anyChange('media'), ...anyChange('media_tags'), ...anyChange('tags'), ...anyChange('stale_media')],
  settings: anyChange('meta'),
};

/** The part of the database connection that is used here. */
interface Connection {
  function(name: string, body: (argument: unknown) => null): void;
  exec(sql: string): void;
}

/** The number of changes of each subject so far. */
export interface Generations {
  of(subject: TableGroup): number;
  /** The number of changes of all subjects. */
  total(): number;
  /** Counts a change of every subject. */
  all(): void;
}

/**
 * Counts the changes of each subject. Triggers report them within the transaction that makes them, including changes by
 * a cascade. The triggers are temporary: they belong to the connection and leave nothing in the file.
 */
export function watchChanges(db: Connection): Generations {
  const counts = Object.fromEntries(Object.keys(CHANGES).map((subject) => [subject, 0])) as Record<TableGroup, number>;
  db.function('changed', (subject) => {
    counts[subject as TableGroup] += 1;
    return null;
  });
  for (const [subject, changes] of Object.entries(CHANGES)) {
    changes.forEach((change, index) => {
      db.exec(`CREATE TEMP TRIGGER "${subject} ${index}" AFTER ${change.replace(' ON ', ' ON main.')}
        BEGIN SELECT changed('${subject}'); END`);
    });
  }
  return {
    of: (subject) => counts[subject],
    total: () => Object.values(counts).reduce((sum, count) => sum + count, 0),
    all() {
      for (const subject of Object.keys(counts) as TableGroup[]) counts[subject] += 1;
    },
  };
}

/** A change of an item or of its tags. `column`: of the table, with the id of the item; absent: any item may be affected. */
interface ItemChange {
  event: 'INSERT' | 'UPDATE' | 'DELETE';
  table: string;
  column?: string;
}

/** The changes that end what is kept of an item. */
export const ITEM_CHANGES: readonly ItemChange[] = [
  { event: 'UPDATE', table: 'media', column: 'id' },
  { event: 'DELETE', table: 'media', column: 'id' },
  { event: 'INSERT', table: 'media_tags', column: 'media_id' },
  { event: 'UPDATE', table: 'media_tags', column: 'media_id' },
  { event: 'DELETE', table: 'media_tags', column: 'media_id' },
  { event: 'UPDATE', table: 'tags' },
  { event: 'DELETE', table: 'tags' },
];

function anyChange(table: string): string[] {
  return ['INSERT', 'UPDATE', 'DELETE'].map((change) => `${change} ON ${table}`);
}
