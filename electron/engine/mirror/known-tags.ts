import type { KnownTag } from '../../../shared/contract/library.ts';
import { folded } from '../../../shared/model/library-query/searched-text.ts';
import type { Database } from '../store/database.ts';

interface Folded extends KnownTag {
  folded: string;
}

/** The tags of the items of a mirror, counted once for each state of the lists. */
export class KnownTags {
  readonly #database: Database;
  #version = -1;
  #tags: readonly Folded[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the tags that contain a text, in any letter case and without accents: tags that begin with it first, then the most
   * frequent. `version`: the state of the lists.
   */
  find(text: string, limit: number, version: number): KnownTag[] {
    if (this.#version !== version) {
      this.#tags = this.#read();
      this.#version = version;
    }
    const wanted = folded(text);
    const begins: KnownTag[] = [];
    const contains: KnownTag[] = [];
    for (const { folded: name, tag, items } of this.#tags) {
      const at = name.indexOf(wanted);
      if (at === 0) begins.push({ tag, items });
      else if (at > 0) contains.push({ tag, items });
    }
    return [...begins, ...contains].slice(0, limit);
  }

  #read(): Folded[] {
    const rows = this.#database
      .prepare('SELECT tag, count(*) AS items FROM media_tags GROUP BY tag ORDER BY items DESC, tag')
      .all({});
    return rows.map(({ tag, items }) => ({ tag: String(tag), items: Number(items), folded: folded(String(tag)) }));
  }
}
