import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';

/** The last version whose index did not follow changes of titles. */
const WITHOUT_TITLES = MIGRATIONS.findIndex((step) => step.includes('uploads_words_changed'));

let database: Database;
beforeEach(async () => {
  database = await openDatabase(':memory:');
});
afterEach(() => database.close());

const migrate = (from: number, to: number) => {
  for (const step of MIGRATIONS.slice(from, to)) database.exec(step);
};

function addUpload(fileName: string, title: string): void {
  database.exec(`INSERT INTO batches (id, site_id, collection_id, collection_name, defaults, added_at)
    VALUES ('batch', 'site', '1', 'c', '{}', 1)`);
  database
    .prepare(
      `INSERT INTO uploads (id, batch_id, site_id, collection_id, path, file_name, size_bytes, mtime_ms, identity, title,
         tags, publish, state, attempts, added_at)
       VALUES ('u', 'batch', 'site', '1', '/a', $fileName, 1, 1, '1:1', $title, '[]', '{"kind":"draft"}', 'queued', 0, 1)`,
    )
    .run({ fileName, title });
}

/** The number of rows that the index of receipts returns for each word. */
const found = (...words: string[]) =>
  words.map((word) =>
    Number(
      database
        .prepare('SELECT count(*) AS n FROM upload_words WHERE upload_words MATCH $word')
        .get({ word: `"${word}"` })?.n,
    ),
  );

describe('the search index of receipts', () => {
  it('finds an upload by its new title and name after both changed, and no longer by the old ones', () => {
    migrate(0, MIGRATIONS.length);
    addUpload('first.mp4', 'Optics');
    database.exec("UPDATE uploads SET title = 'Acoustics'");
    database.exec("UPDATE uploads SET file_name = 'second.mp4', title = 'Mechanics'");
    expect(found('Mechanics', 'second', 'Optics', 'Acoustics', 'first')).toEqual([1, 1, 0, 0, 0]);
  });

  it('of an earlier version finds titles that changed before the migration', () => {
    migrate(0, WITHOUT_TITLES);
    addUpload('first.mp4', 'Optics');
    database.exec("UPDATE uploads SET title = 'Acoustics'");
    expect(found('Acoustics', 'Optics')).toEqual([0, 1]);
    migrate(WITHOUT_TITLES, MIGRATIONS.length);
    expect(found('Acoustics', 'Optics', 'first')).toEqual([1, 0, 1]);
  });
});
