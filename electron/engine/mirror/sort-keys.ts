import type { MediaItem } from '../../../shared/api/media.ts';
import { sortKey } from '../../../shared/model/sort-key.ts';
import type { Database } from '../store/database.ts';

/** Returns the columns by which lists sort the texts of an item. */
export function sortKeysOf({ title, byline, tags }: Pick<MediaItem, 'title' | 'byline' | 'tags'>): SortKeys {
  return {
    titleKey: sortKey(title),
    bylineKey: byline === null || byline === '' ? null : sortKey(byline),
    tagsKey: tags.map(sortKey).join('\n'),
  };
}

interface SortKeys extends Record<string, string | null> {
  titleKey: string;
  bylineKey: string | null;
  tagsKey: string;
}

const SLICE = 1000;

/** Fills the columns of the sort keys in a mirror of an earlier version. */
export function fillSortKeys(database: Database): void {
  const read = database.prepare(
    `SELECT seq, title, byline, tags FROM view_media WHERE seq > $after ORDER BY seq LIMIT ${SLICE}`,
  );
  const write = database.prepare(
    'UPDATE view_media SET title_key = $titleKey, byline_key = $bylineKey, tags_key = $tagsKey WHERE seq = $seq',
  );
  for (let after = -1, isMore = true; isMore; ) {
    const rows = read.all({ after });
    for (const row of rows) {
      const byline = row.byline === null ? null : String(row.byline);
      const tags = JSON.parse(String(row.tags)) as string[];
      after = Number(row.seq);
      write.run({ seq: after, ...sortKeysOf({ title: String(row.title), byline, tags }) });
    }
    isMore = rows.length === SLICE;
  }
}
