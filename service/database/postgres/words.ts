import { DatabaseSync } from 'node:sqlite';

/** A word as the index has it: folded, without diacritics. `field`: of the texts, from 0. `place`: among the words of its text, from 0. */
export interface Word {
  term: string;
  field: number;
  place: number;
}

/** The number of texts that are split together: those of an item. */
const FIELDS = 4;

/**
 * Returns a function that splits and folds texts as the index of SQLite does, by its own tokenizer: the same items are found with either
 * engine.
 */
export function createTokenizer(): (texts: readonly string[]) => Word[] {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE texts USING fts5 (a, b, c, d, content = '', tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE words USING fts5vocab (texts, instance)`);
  const insert = db.prepare('INSERT INTO texts (a, b, c, d) VALUES (?, ?, ?, ?)');
  const select = db.prepare('SELECT term, col, offset FROM words');
  const clear = db.prepare(`INSERT INTO texts (texts) VALUES ('delete-all')`);
  return (texts) => {
    insert.run(...Array.from({ length: FIELDS }, (_, field) => texts[field] ?? ''));
    try {
      return select.all().map(({ term, col, offset }) => ({
        term: String(term),
        field: 'abcd'.indexOf(String(col)),
        place: Number(offset),
      }));
    } finally {
      clear.run();
    }
  };
}
