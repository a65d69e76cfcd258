import type { KnownField, KnownValue } from '../../../shared/contract/library.ts';
import { folded } from '../../../shared/model/library-query/searched-text.ts';
import type { Database } from '../store/database.ts';

interface Folded extends KnownValue {
  folded: string;
}

const SELECT: Record<KnownField, string> = {
  tag: 'SELECT tag AS value, count(*) AS items FROM media_tags GROUP BY tag ORDER BY items DESC, tag',
  byline: `SELECT byline AS value, count(*) AS items FROM view_media WHERE byline IS NOT NULL AND byline <> ''
    GROUP BY byline ORDER BY items DESC, byline`,
};

/** The values of a field of the items of a mirror, counted once for each state of the lists. */
export class KnownValues {
  readonly #database: Database;
  readonly #field: KnownField;
  #version = -1;
  #values: readonly Folded[] = [];

  constructor(database: Database, field: KnownField) {
    this.#database = database;
    this.#field = field;
  }

  /**
   * Returns the values that contain a text, in any letter case and without accents: those that begin with it first, then the most
   * frequent. `version`: the state of the lists.
   */
  find(text: string, limit: number, version: number): KnownValue[] {
    if (this.#version !== version) {
      this.#values = this.#read();
      this.#version = version;
    }
    const wanted = folded(text);
    const begins: KnownValue[] = [];
    const contains: KnownValue[] = [];
    for (const { folded: name, value, items } of this.#values) {
      const at = name.indexOf(wanted);
      if (at === 0) begins.push({ value, items });
      else if (at > 0) contains.push({ value, items });
    }
    return [...begins, ...contains].slice(0, limit);
  }

  #read(): Folded[] {
    const rows = this.#database.prepare(SELECT[this.#field]).all({});
    return rows.map(({ value, items }) => ({
      value: String(value),
      items: Number(items),
      folded: folded(String(value)),
    }));
  }
}
