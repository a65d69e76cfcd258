import type {
  DateQualifier,
  LibraryQuery,
  QueryCondition,
  QueryRange,
  QueryTerm,
} from '../../../shared/model/library-query/library-query.ts';
import { daysOf, type RangeDays } from '../../../shared/model/library-query/range-days.ts';
import { folded } from '../../../shared/model/library-query/searched-text.ts';
import { PENDING } from './mirror-rows.ts';
import type { Conditions, FoundSet } from './sql-conditions.ts';

type Write = (conditions: Conditions) => string;

/** A condition on `view_media v`: its `seq` is in a set, or a test of its columns, written to a statement. */
export type SearchCondition = { set: FoundSet } | { test: Write };

/** The input of a search beside its text. */
interface SearchFacts {
  relatedTo: RelatedTo;
  /** The present day, in the time zone of the user. */
  today: string;
  /** Evaluates a SELECT of the `seq` of items that lists show. */
  found(set: Write): FoundSet;
}

/** Converts a search to conditions, all of which must be true. Plain words are searched together, by one expression. */
export function searchConditions({ groups }: LibraryQuery, facts: SearchFacts): SearchCondition[] {
  const words: string[] = [];
  const found: SearchCondition[] = [];
  for (const terms of groups) {
    const [only] = terms;
    if (terms.length === 1 && only?.kind === 'text' && !only.isPhrase && !only.isNegated)
      words.push(...wordsOf(only.text));
    else found.push({ test: (conditions) => anyOf(terms, facts, conditions) });
    // A text without letters and digits is in no item.
    if (only?.kind === 'text' && terms.length === 1 && wordsOf(only.text).length === 0) found.push({ test: () => '0' });
  }
  if (words.length > 0) found.push({ set: facts.found(hasWords([...new Set(words)])) });
  return found;
}

function wordsOf(text: string): string[] {
  return folded(text)
    .split(' ')
    .filter((word) => word !== '');
}

function anyOf(terms: readonly QueryTerm[], facts: SearchFacts, conditions: Conditions): string {
  const parts = terms.map((term) => {
    // `no:captions` matches only items that are known to have none.
    if (isCaptions(term)) return `coalesce(v.has_captions = ${term.isNegated ? 0 : 1}, 0)`;
    const sql = `coalesce(${testOf(term, facts)(conditions)}, 0)`;
    return term.isNegated ? `NOT ${sql}` : sql;
  });
  return `(${parts.join(' OR ')})`;
}

/** Returns whether a condition is about captions, which are not known of every item. */
function isCaptions(term: QueryTerm): boolean {
  return term.kind === 'has' && term.field === 'captions';
}

function needsCaptions(term: QueryTerm): boolean {
  return isCaptions(term) || (term.kind === 'group' && term.query.groups.flat().some(needsCaptions));
}

/** Returns a query without the groups that depend on captions; null when there is none. */
export function withoutCaptions({ groups }: LibraryQuery): LibraryQuery | null {
  const rest = groups.filter((terms) => !terms.some(needsCaptions));
  return rest.length === groups.length ? null : { groups: rest };
}

function testOf(term: QueryCondition, facts: SearchFacts): Write {
  switch (term.kind) {
    case 'text': {
      const words = wordsOf(term.text);
      if (words.length === 0) return () => '0';
      const set = facts.found(term.isPhrase ? hasPhrase(words) : hasWords(words));
      return (conditions) => `v.seq IN (${conditions.bindSet(set)})`;
    }
    case 'type':
    case 'status':
      return (conditions) => `v.${term.kind} = ${conditions.bind(term.value)} COLLATE NOCASE`;
    case 'tag':
      return (conditions) => `v.seq IN (SELECT seq FROM media_tags WHERE tag = ${conditions.bind(term.value)})`;
    case 'in':
      return inCollection(term.value);
    case 'related':
      return (conditions) => `v.seq IN (SELECT seq FROM (${relatedItems(term.value, facts.relatedTo)(conditions)}))`;
    case 'byline':
      return (conditions) => `v.byline LIKE ${conditions.bind(`%${escaped(term.value)}%`)} ESCAPE '\\'`;
    case 'created':
    case 'modified':
    case 'published':
      return inDates(term.kind, daysOf(term.range, facts.today));
    case 'group':
      return (conditions) =>
        searchConditions(term.query, facts)
          .map((each) => ('set' in each ? `v.seq IN (${conditions.bindSet(each.set)})` : each.test(conditions)))
          .join(' AND ');
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

/** Matches an item when each word begins one of its words, or when its title contains all of them anywhere. */
function hasWords(words: readonly string[]): Write {
  const expression = expressionOf(words);
  const trigrams = trigramsOf(words);
  return (conditions) => {
    const prefix = `SELECT rowid FROM media_fts WHERE media_fts MATCH ${conditions.bind(expression)}`;
    if (trigrams === null) return prefix;
    const inTitle = words.map((word) => `instr(x.title_folded, ${conditions.bind(word)}) > 0`).join(' AND ');
    return `${prefix} UNION ALL SELECT t.rowid FROM title_trigram t CROSS JOIN view_media x ON x.seq = t.rowid
      WHERE title_trigram MATCH ${conditions.bind(trigrams)} AND t.rowid NOT IN (${prefix}) AND ${inTitle}`;
  };
}

/** Matches an item when the words of a phrase follow each other; the last may be the beginning of a word. */
function hasPhrase(words: readonly string[]): Write {
  const expression = expressionOf(words);
  return (conditions) =>
    `SELECT f.rowid FROM media_fts f CROSS JOIN media_text x ON x.seq = f.rowid
      WHERE media_fts MATCH ${conditions.bind(expression)}
        AND instr(' ' || x.folded, ${conditions.bind(` ${words.join(' ')}`)}) > 0`;
}

/** Returns the expression that finds the trigrams of words; null when no word is long enough to have one. */
function trigramsOf(words: readonly string[]): string | null {
  const found = new Set<string>();
  for (const word of words) {
    const letters = [...word];
    for (let at = 0; at + 3 <= letters.length; at += 1) found.add(letters.slice(at, at + 3).join(''));
  }
  return found.size === 0 ? null : [...found].map((each) => `"${each}"`).join(' AND ');
}

/** Matches the items of a collection, by its id (`#12` or `12`) or its name, and of all below it. */
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

/** Returns the ids of items that the library named as related to one, the closest first; null: there is no answer yet. */
export type RelatedTo = (id: string) => readonly string[] | null;

/**
 * Selects items related to an item, by its id (`#12` or `12`), as `seq` with a `score`, the closest first: those that the library
 * named; until then, those that share tags.
 */
function relatedItems(value: string, relatedTo: RelatedTo): Write {
  const id = value.replace(/^#/, '');
  const known = relatedTo(id);
  if (known !== null) {
    return (conditions) =>
      `SELECT m.seq AS seq, place.key AS score FROM json_each(${conditions.bind(JSON.stringify(known))}) place
        CROSS JOIN media m ON m.id = place.value`;
  }
  return (conditions) =>
    `SELECT other.seq AS seq, -count(*) AS score FROM media_tags own JOIN media_tags other ON other.tag = own.tag
      WHERE own.seq = (SELECT seq FROM media WHERE id = ${conditions.bind(id)}) AND other.seq <> own.seq
      GROUP BY other.seq`;
}

/** The weight of a word in a field; a whole word of the title counts more than the beginning of one. */
const WEIGHTS = { title: 10, wholeTitle: 5, tags: 6, byline: 4 } as const;
/** How many words of a search, its first ones, are used to order the matches. */
const MOST_RANKED_WORDS = 6;

/** The order of the matches of a search by relevance. Other matches come after them. */
export interface Ranking {
  /** Selects `seq` and `score`, of which a lower one is better; null: no match is ranked. */
  best: Write | null;
  /** Selects `rowid`: items with all common words in their titles; null: no word is common. */
  titled: Write | null;
}

/**
 * Returns how a search ranks its matches: by similarity to the item that it names as related, otherwise by its words. null: it
 * has neither. A common word does not rank, because so many scores can't be sorted while the user types. `isCommon` returns
 * whether an expression matches very many items of `media_fields`.
 */
export function rankingOf(
  { groups }: LibraryQuery,
  relatedTo: RelatedTo,
  isCommon: (expression: string) => boolean,
): Ranking | null {
  const alone = groups.flatMap(([only, ...others]) => (only !== undefined && others.length === 0 ? [only] : []));
  const related = alone.find(({ kind, isNegated }) => kind === 'related' && !isNegated);
  if (related?.kind === 'related') return { best: relatedItems(related.value, relatedTo), titled: null };
  const words = alone.flatMap((term) => {
    return term.kind === 'text' && !term.isPhrase && !term.isNegated ? wordsOf(term.text) : [];
  });
  const known = [...new Set(words)].slice(0, MOST_RANKED_WORDS);
  if (known.length === 0) return null;
  const common = known.filter((word) => isCommon(`"${word}"*`));
  const rare = known.filter((word) => !common.includes(word));
  const inTitle = common.map((word) => `{title} : "${word}"*`).join(' AND ');
  return {
    best: rare.length === 0 ? null : rankedBy(rare),
    titled:
      common.length === 0
        ? null
        : (conditions) => `SELECT rowid FROM media_fields WHERE media_fields MATCH ${conditions.bind(inTitle)}`,
  };
}

/** Ranks by the short fields only: a match that is only in the description has no score. */
function rankedBy(words: readonly string[]): Write {
  return (conditions) => {
    const parts = words.flatMap((word) => [
      ['title', `"${word}"*`, WEIGHTS.title],
      ['title', `"${word}"`, WEIGHTS.wholeTitle],
      ['tags', `"${word}"*`, WEIGHTS.tags],
      ['byline', `"${word}"*`, WEIGHTS.byline],
    ]);
    const selects = parts.map(([column, expression, weight]) => {
      const bound = conditions.bind(`{${column}} : ${expression}`);
      return `SELECT rowid AS seq, -${weight} AS score FROM media_fields WHERE media_fields MATCH ${bound}`;
    });
    return `SELECT seq, sum(score) AS score FROM (${selects.join(' UNION ALL ')}) GROUP BY seq`;
  };
}

/** Returns the expression that finds items with all words, each at least as the beginning of one of their words. */
function expressionOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(' AND ');
}

const DATE_COLUMNS = { created: 'created_on', modified: 'modified_on', published: 'publish_on' } as const;

/** Matches dates in this computer's time zone. */
function inDates(kind: DateQualifier, { from, to }: RangeDays): Write {
  const column = `v.${DATE_COLUMNS[kind]}`;
  return (conditions) => {
    const parts = [`${column} IS NOT NULL`];
    if (from !== '') parts.push(`${column} >= ${conditions.bind(startOf(from, 0))}`);
    if (to !== '') parts.push(`${column} < ${conditions.bind(startOf(to, 1))}`);
    return `(${parts.join(' AND ')})`;
  };
}

/** Returns when a day begins, or a number of days after it, in seconds. */
function startOf(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return Math.floor(new Date(year, month - 1, date + later).getTime() / 1000);
}

/** Matches lengths. A length in whole minutes matches the minute that begins there. */
function inDurations({ from, to, isOpen }: QueryRange<number>): Write {
  return (conditions) => {
    // Libraries give pictures and documents the length 0.
    const parts = ['v.duration > 0'];
    const isOne = from !== null && from === to && from % 60 === 0;
    if (from !== null) parts.push(`v.duration ${isOpen ? '>' : '>='} ${conditions.bind(from)}`);
    if (to !== null) parts.push(`v.duration ${isOpen ? '<' : '<='} ${conditions.bind(isOne ? to + 59 : to)}`);
    return `(${parts.join(' AND ')})`;
  };
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}
