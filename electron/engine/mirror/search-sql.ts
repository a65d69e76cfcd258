import { folded } from '../../../shared/model/library-query/fold.ts';
import type {
  DateQualifier,
  LibraryQuery,
  QueryCondition,
  QueryRange,
  QueryTerm,
} from '../../../shared/model/library-query/library-query.ts';
import { PENDING } from './mirror-rows.ts';
import type { Conditions } from './sql-conditions.ts';

/** A condition on `view_media v`: its `seq` is in a set, or a test of its columns. Both write to a statement. */
export type SearchCondition =
  | { set: (conditions: Conditions) => string }
  | { test: (conditions: Conditions) => string };

type Write = (conditions: Conditions) => string;

/** Converts a search to conditions, all of which must be true. Plain words are searched together, by one expression. */
export function searchConditions({ groups }: LibraryQuery): SearchCondition[] {
  const words: string[] = [];
  const found: SearchCondition[] = [];
  for (const terms of groups) {
    const [only] = terms;
    if (terms.length === 1 && only?.kind === 'text' && !only.isPhrase && !only.isNegated)
      words.push(...wordsOf(only.text));
    else found.push({ test: (conditions) => anyOf(terms, conditions) });
    // A text without letters and digits is in no item.
    if (only?.kind === 'text' && terms.length === 1 && wordsOf(only.text).length === 0) found.push({ test: () => '0' });
  }
  if (words.length > 0) found.push({ set: hasWords([...new Set(words)]) });
  return found;
}

function wordsOf(text: string): string[] {
  return folded(text)
    .split(' ')
    .filter((word) => word !== '');
}

function anyOf(terms: readonly QueryTerm[], conditions: Conditions): string {
  const parts = terms.map((term) => {
    // Without captions are only items that are known to have none.
    if (isCaptions(term)) return `coalesce(v.has_captions = ${term.isNegated ? 0 : 1}, 0)`;
    const sql = `coalesce(${testOf(term)(conditions)}, 0)`;
    return term.isNegated ? `NOT ${sql}` : sql;
  });
  return `(${parts.join(' OR ')})`;
}

/** Returns whether a condition is about captions, which are not known of every item. */
function isCaptions(term: QueryTerm): boolean {
  return term.kind === 'has' && term.field === 'captions';
}

/** Returns a query without the groups that depend on captions; null when there is none. */
export function withoutCaptions({ groups }: LibraryQuery): LibraryQuery | null {
  const rest = groups.filter((terms) => !terms.some(isCaptions));
  return rest.length === groups.length ? null : { groups: rest };
}

function testOf(term: QueryCondition): Write {
  switch (term.kind) {
    case 'text': {
      const words = wordsOf(term.text);
      if (words.length === 0) return () => '0';
      const set = term.isPhrase ? hasPhrase(words) : hasWords(words);
      return (conditions) => `v.seq IN (${set(conditions)})`;
    }
    case 'type':
    case 'status':
      return (conditions) => `v.${term.kind} = ${conditions.bind(term.value)} COLLATE NOCASE`;
    case 'tag':
      return (conditions) => `v.seq IN (SELECT seq FROM media_tags WHERE tag = ${conditions.bind(term.value)})`;
    case 'in':
      return inCollection(term.value);
    case 'related':
      return relatedTo(term.value);
    case 'byline':
      return (conditions) => `v.byline LIKE ${conditions.bind(`%${escaped(term.value)}%`)} ESCAPE '\\'`;
    case 'created':
    case 'modified':
    case 'published':
      return inDates(term.kind, term.range);
    case 'duration':
      return inDurations(term.range);
    case 'has':
      return () => HAS[term.field];
    case 'is':
      return () => IS[term.state];
  }
}

const HAS = {
  captions: 'v.has_captions',
  description: 'v.has_description',
  byline: `(v.byline IS NOT NULL AND v.byline <> '')`,
  tags: `v.tags <> '[]'`,
} as const;

const IS = {
  pending: `v.pending > ${PENDING.none}`,
  deleted: `v.pending = ${PENDING.deleted}`,
  published: `v.status = 'published'`,
  scheduled: `v.status = 'scheduled'`,
  draft: `v.status = 'draft'`,
  podcast: 'v.collection_id IN (SELECT id FROM collections WHERE is_podcast = 1)',
} as const;

/** An item has words when each begins one of its words, or when its title contains all of them anywhere. */
function hasWords(words: readonly string[]): Write {
  const expression = words.map((word) => `"${word}"*`).join(' AND ');
  const trigrams = trigramsOf(words);
  return (conditions) => {
    const prefix = `SELECT rowid FROM media_fts WHERE media_fts MATCH ${conditions.bind(expression)}`;
    if (trigrams === null) return prefix;
    const inTitle = words.map((word) => `instr(x.title_folded, ${conditions.bind(word)}) > 0`).join(' AND ');
    return `${prefix} UNION ALL SELECT t.rowid FROM title_trigram t CROSS JOIN view_media x ON x.seq = t.rowid
      WHERE title_trigram MATCH ${conditions.bind(trigrams)} AND t.rowid NOT IN (${prefix}) AND ${inTitle}`;
  };
}

/** An item has a phrase when its words follow each other; the last may be the beginning of a word. */
function hasPhrase(words: readonly string[]): Write {
  const expression = words.map((word) => `"${word}"*`).join(' AND ');
  return (conditions) =>
    `SELECT f.rowid FROM media_fts f CROSS JOIN media_text x ON x.seq = f.rowid
      WHERE media_fts MATCH ${conditions.bind(expression)}
        AND instr(' ' || x.folded, ${conditions.bind(` ${words.join(' ')}`)}) > 0`;
}

/** The expression that finds the trigrams of words; null when none is long enough to have one. */
function trigramsOf(words: readonly string[]): string | null {
  const found = new Set<string>();
  for (const word of words) {
    const letters = [...word];
    for (let at = 0; at + 3 <= letters.length; at += 1) found.add(letters.slice(at, at + 3).join(''));
  }
  return found.size === 0 ? null : [...found].map((each) => `"${each}"`).join(' AND ');
}

/** A collection by its id (`#12` or `12`) or its name, with everything below it. */
function inCollection(value: string): Write {
  return (conditions) => {
    const id = conditions.bind(value.replace(/^#/, ''));
    const name = conditions.bind(value);
    return `v.collection_id IN (WITH RECURSIVE below (id) AS (
        SELECT id FROM collections WHERE id = ${id} OR display_name = ${name} COLLATE NOCASE
        UNION SELECT c.id FROM collections c JOIN below b ON c.parent_id = b.id
      ) SELECT id FROM below)`;
  };
}

/** Items that share a tag with an item, by its id (`#12` or `12`). */
function relatedTo(value: string): Write {
  return (conditions) => {
    const seq = `(SELECT seq FROM media WHERE id = ${conditions.bind(value.replace(/^#/, ''))})`;
    return `v.seq IN (SELECT other.seq FROM media_tags own JOIN media_tags other ON other.tag = own.tag
      WHERE own.seq = ${seq} AND other.seq <> own.seq)`;
  };
}

const DATE_COLUMNS = { created: 'created_on', modified: 'modified_on', published: 'publish_on' } as const;

/** Dates are those of this computer's time zone. */
function inDates(kind: DateQualifier, { from, to, isOpen }: QueryRange<string>): Write {
  const column = `v.${DATE_COLUMNS[kind]}`;
  return (conditions) => {
    const parts = [`${column} IS NOT NULL`];
    // After a date: from the end of its period on. Before one: up to its beginning.
    if (from !== null) parts.push(`${column} >= ${conditions.bind(isOpen ? endOf(from) : startOf(from))}`);
    if (to !== null) parts.push(`${column} < ${conditions.bind(isOpen ? startOf(to) : endOf(to))}`);
    return `(${parts.join(' AND ')})`;
  };
}

function startOf(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return localSeconds(year, month - 1, day);
}

function endOf(date: string): number {
  const [year = 0, month, day] = date.split('-').map(Number);
  if (month === undefined) return localSeconds(year + 1, 0, 1);
  return day === undefined ? localSeconds(year, month, 1) : localSeconds(year, month - 1, day + 1);
}

function localSeconds(year: number, month: number, day: number): number {
  return Math.floor(new Date(year, month, day).getTime() / 1000);
}

/** A length in whole minutes stands for the minute that begins there. */
function inDurations({ from, to, isOpen }: QueryRange<number>): Write {
  return (conditions) => {
    const parts = ['v.duration IS NOT NULL'];
    const isOne = from !== null && from === to && from % 60 === 0;
    if (from !== null) parts.push(`v.duration ${isOpen ? '>' : '>='} ${conditions.bind(from)}`);
    if (to !== null) parts.push(`v.duration ${isOpen ? '<' : '<='} ${conditions.bind(isOne ? to + 59 : to)}`);
    return `(${parts.join(' AND ')})`;
  };
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}
