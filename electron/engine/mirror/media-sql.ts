import type { MediaQuery } from '../../../shared/contract/library.ts';
import { folded } from '../../../shared/model/library-query/fold.ts';
import type { SqlValue } from '../store/database.ts';
import { secondsOf } from './mirror-rows.ts';

/** A condition on `view_media v`. */
export interface SqlCondition {
  sql: string;
  parameters: Record<string, SqlValue>;
}

/** What the query of a list needs to know about the mirror. */
export interface MirrorFacts {
  /** The only collection without a parent; null when there are several. All items are below it. */
  onlyTop: string | null;
}

/** Collects conditions; parameters get names that are unique in the statement. */
class Conditions {
  readonly parts: string[] = [];
  readonly parameters: Record<string, SqlValue> = {};

  /** Returns the placeholder of a value. */
  bind(value: SqlValue): string {
    const name = `p${Object.keys(this.parameters).length}`;
    this.parameters[name] = value;
    return `$${name}`;
  }

  add(sql: string): void {
    this.parts.push(sql);
  }
}

/** Converts the filters of a list to a condition. The same filters as those of the API give the same items. */
export function conditionOf(query: MediaQuery, facts: MirrorFacts): SqlCondition {
  const conditions = new Conditions();
  const bind = (value: SqlValue) => conditions.bind(value);
  if (query.collectionId !== null) addCollection(conditions, query.collectionId, query.includesBelow === true, facts);
  if (query.type !== null) conditions.add(`v.type = ${bind(query.type)}`);
  if (query.status !== null) conditions.add(`v.status = ${bind(query.status)}`);
  if (query.tag !== undefined) {
    conditions.add(`v.seq IN (SELECT seq FROM media_tags WHERE tag = ${bind(query.tag)})`);
  }
  const instants = [
    ['created_on', '>', query.createdAfter],
    ['created_on', '<', query.createdBefore],
    ['publish_on', '>', query.publishAfter],
    ['publish_on', '<', query.publishBefore],
  ] as const;
  for (const [column, sign, instant] of instants) {
    if (instant !== undefined) conditions.add(`v.${column} ${sign} ${bind(secondsOf(instant))}`);
  }
  if (query.hasDescription !== undefined) conditions.add(`v.has_description = ${bind(Number(query.hasDescription))}`);
  if (query.hasCaptions !== undefined) conditions.add(`v.has_captions = ${bind(Number(query.hasCaptions))}`);
  const search = query.search.trim();
  if (search !== '') addSearch(conditions, search);
  const sql = conditions.parts.length === 0 ? '1' : conditions.parts.join(' AND ');
  return { sql, parameters: conditions.parameters };
}

const SORT_COLUMNS = {
  created_on: 'v.created_on',
  modified_on: 'v.modified_on',
  publish_on: 'v.publish_on',
  popularity: 'v.popularity',
  title: 'v.title COLLATE NOCASE',
  duration: 'v.duration',
} as const;

/** The ORDER BY of a list; equal values are sorted by id, so that windows never overlap. */
export function orderOf({ sort, order }: MediaQuery): string {
  const direction = order === 'desc' ? 'DESC' : 'ASC';
  const column = SORT_COLUMNS[sort === 'relevance' ? 'created_on' : sort];
  return `${column} ${direction}, v.id_key ${direction}`;
}

function addCollection(conditions: Conditions, id: string, withBelow: boolean, { onlyTop }: MirrorFacts): void {
  if (!withBelow) {
    conditions.add(`v.collection_id = ${conditions.bind(id)}`);
    return;
  }
  if (id === onlyTop) return;
  conditions.add(`v.collection_id IN (
    WITH RECURSIVE below (id) AS (
      VALUES (${conditions.bind(id)}) UNION SELECT c.id FROM collections c JOIN below b ON c.parent_id = b.id
    ) SELECT id FROM below)`);
}

function addSearch(conditions: Conditions, search: string): void {
  const words = [...new Set(folded(search).split(' '))].filter((word) => word !== '');
  if (words.length === 0) conditions.add('0');
  for (const word of words) conditions.add(hasWord(conditions, word));
}

/** An item has a word when one of its words starts with it, or when its title contains it anywhere. */
function hasWord(conditions: Conditions, word: string): string {
  const prefix = `SELECT rowid FROM media_fts WHERE media_fts MATCH ${conditions.bind(`"${word}"*`)}`;
  const trigrams = trigramsOf(word);
  if (trigrams === null) return `v.seq IN (${prefix})`;
  const inTitle = `SELECT t.rowid FROM title_trigram t JOIN view_media x ON x.seq = t.rowid
    WHERE title_trigram MATCH ${conditions.bind(trigrams)} AND instr(x.title_folded, ${conditions.bind(word)}) > 0`;
  return `v.seq IN (${prefix} UNION ${inTitle})`;
}

/** The expression that finds the trigrams of a word; null for one that is too short. */
function trigramsOf(word: string): string | null {
  const letters = [...word];
  if (letters.length < 3) return null;
  const found = new Set<string>();
  for (let at = 0; at + 3 <= letters.length; at += 1) found.add(letters.slice(at, at + 3).join(''));
  return [...found].map((each) => `"${each}"`).join(' AND ');
}
