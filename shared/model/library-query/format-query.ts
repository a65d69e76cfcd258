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
    case 'text':
      return term.isPhrase ? `"${term.text}"` : term.text;
    case 'duration':
      return `duration:${writeRange(term.range, writeDuration)}`;
    case 'created':
    case 'modified':
    case 'published':
      return `${term.kind}:${writeRange(term.range, (date) => date)}`;
    case 'is':
      return `is:${term.state}`;
    default:
      return `${term.kind}:${/\s|^"/.test(term.value) ? `"${term.value}"` : term.value}`;
  }
}
