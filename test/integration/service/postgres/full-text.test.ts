// Both engines find the same items.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../../service/database/database.ts';
import type { ItemText, TextQuery } from '../../../../service/database/full-text.ts';
import { openPostgresStore } from '../../../../service/database/postgres/store.ts';
import type { Store } from '../../../../service/database/store.ts';
import { searchQuery } from '../../../../service/resources/media/media-filter.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../../helpers/service/postgres.ts';

const PARTS = [
  ...[
    'Ärger',
    'arger',
    'ÄRGER',
    'a\u0308rger',
    'straße',
    'STRASSE',
    'ﬁlm',
    'film',
    'İstanbul',
    'ıstanbul',
    'Ǆ',
    'ὈΔΥΣΣΕΎΣ',
    'Οδυσσεύς',
  ],
  ...[
    'हिन्दी',
    'हिन्दुस्तान',
    'ภาษาไทย',
    '日本語',
    '日本',
    'العربية',
    'الْعَرَبِيَّة',
    'e\u0301',
    '\u0301',
    'Ω',
    '½',
    '١٢٣',
    '123',
    '12',
  ],
  ...[
    "O'Neil",
    'a\\b',
    'x:y',
    'snake_case',
    '🎬',
    '<->',
    '&',
    '!',
    '(',
    '*',
    'and',
    'OR',
    'the',
    'being',
    '\u{1e921}',
    '\ue000',
  ],
  ...['w'.repeat(3000), 'ä'.repeat(1500)],
];

const word = fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: 'grapheme', maxLength: 4 }));
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
const item = fc.record({ title: text, byline: text, description: text, tags: text });
const query = fc.oneof(
  text,
  word,
  fc.constantFrom(...PARTS).map((part) => part.slice(0, 3)),
);

describe.skipIf(postgresPrograms() === undefined)('the search', () => {
  let server: PostgresServer;
  let postgres: Store;
  let sqlite: Store;
  const folder = mkdtempSync(join(tmpdir(), 'library-text-'));
  beforeAll(async () => {
    server = await startPostgres();
    postgres = await openPostgresStore({ isShared: true, connectionString: await server.create() });
    sqlite = await openStore(join(folder, 'library.sqlite'));
  }, 60_000);
  afterAll(async () => {
    await postgres.close();
    await server.stop();
    sqlite.close();
    rmSync(folder, { recursive: true });
  });

  async function fill(items: readonly ItemText[]): Promise<void> {
    const ids = JSON.stringify(items.map(({ id }) => id));
    await sqlite.run(sqlite.fullText.remove, ids);
    await postgres.run(postgres.fullText.remove, ids);
    for (const each of items) {
      const [one, other] = [sqlite.fullText.insert(each), postgres.fullText.insert(each)];
      await sqlite.run(one.sql, ...one.params);
      await postgres.run(other.sql, ...other.params);
    }
  }

  async function found(of: TextQuery): Promise<[number[], number[]]> {
    const [one, other] = [sqlite.fullText.matching(of), postgres.fullText.matching(of)];
    const inSqlite = await sqlite.all<{ id: number }>(`${one.sql} ORDER BY id`, ...one.params);
    const inPostgres = await postgres.all<{ id: number }>(`${other.sql} ORDER BY id`, ...other.params);
    return [inSqlite.map(({ id }) => id), inPostgres.map(({ id }) => id)];
  }

  test('finds the same items in SQLite and in PostgreSQL, by words and by their beginnings', async () => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 10, maxLength: 10 }),
        fc.array(query, { minLength: 10, maxLength: 10 }),
        async (items, queries) => {
          await fill(items.map((each, index) => ({ id: index + 1, ...each })));
          for (const each of [...queries, ...PARTS]) {
            const made = searchQuery(each);
            if (made === undefined) continue;
            for (const isPrefix of [true, false]) {
              const [one, other] = await found({ ...made, isPrefix });
              expect(other, `${JSON.stringify(made.words)} ${isPrefix}`).toEqual(one);
              hits += one.length;
            }
          }
        },
      ),
      { numRuns: 15 },
    );
    expect(hits).toBeGreaterThan(100);
  }, 120_000);

  test('takes an item with the longest texts, and finds its last word', async () => {
    const rare = Array.from({ length: 28_000 }, (_, index) => `w${index.toString(36)}`).join(' ');
    const short = Array.from({ length: 100_000 }, (_, index) => (index % 10).toString()).join(' ');
    await fill([
      { id: 1, title: 'a', byline: 'b', description: `${rare} lastword`, tags: 'c' },
      { id: 2, title: 'a', byline: 'b', description: `${short} lastword`, tags: 'c' },
    ]);
    for (const words of [['lastword'], ['lastw', 'c', '9']]) {
      const [one, other] = await found({ words, isPrefix: true });
      expect(other).toEqual(one);
    }
    expect((await found({ words: ['lastword'], isPrefix: false }))[1]).toEqual([1, 2]);
  });

  test('orders items with the word in the title before items with it in the description', async () => {
    await fill([
      { id: 1, title: 'Another', byline: '', description: 'One word among many others of this text', tags: '' },
      { id: 2, title: 'Word', byline: '', description: '', tags: '' },
    ]);
    const { condition, rank } = postgres.fullText.ranked({ words: ['word'], isPrefix: true });
    const rows = await postgres.all<{ id: number }>(
      `SELECT id FROM media_text WHERE ${condition.sql} ORDER BY ${rank.sql}`,
      ...condition.params,
      ...rank.params,
    );
    expect(rows.map(({ id }) => id)).toEqual([2, 1]);
  });
});
