import type { LibraryQuery, QueryTerm } from './library-query.ts';
import { writeDuration, writeRange } from './ranges.ts';

/** Writes a query as a user would type it; `parseQuery` returns the same query for it. */
export function formatQuery({ groups }: LibraryQuery): string {
  return groups.map((terms) => terms.map(formatTerm).join(' OR ')).join(' ');
}

function formatTerm(term: QueryTerm): string {
  if (term.kind === 'has') return `${term.isNegated ? 'no' : 'has'}:${term.field}`;
  return `${term.isNegated ? '-' : ''}${positive(term)}`;
}

function positive(term: Exclude<QueryTerm, { kind: 'has' }>): string {
  switch (term.kind) {
    case 'group':
      return `(${formatQuery(term.query)})`;
    case 'text':
      return term.isPhrase ? quoted(term.text) : term.text;
    case 'duration':
      return `duration:${writeRange(term.range, writeDuration)}`;
    case 'created':
    case 'modified':
    case 'published':
      return `${term.kind}:${writeRange(term.range, (date) => date)}`;
    case 'is':
      return `is:${term.state}`;
    default:
      return `${term.kind}:${writeValue(term.value)}`;
  }
}

/** Writes the value of a qualifier, in quotes where it needs them. */
export function writeValue(value: string): string {
  return /[\s()"]/.test(value) ? quoted(value) : value;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
