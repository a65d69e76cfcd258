import type { MediaFilter } from '../../../shared/api/media.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { QueryTerm } from '../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../shared/model/library-query/parse-query.ts';

/**
 * Converts a typed search to filters of the API: words, and one each of `type:`, `status:`, `tag:` and `related:`. Throws
 * `library.needs-copy` for everything else, which the library can't filter.
 */
export function serviceSearch(text: string): Pick<MediaFilter, 'search' | 'type' | 'status' | 'tag' | 'related_to'> {
  const { groups } = parseQuery(text).query;
  const words: string[] = [];
  const filter: Pick<MediaFilter, 'type' | 'status' | 'tag' | 'related_to'> = {};
  for (const terms of groups) {
    const term = onlyTerm(terms);
    if (term.kind === 'text') words.push(term.text);
    else if (term.kind === 'related' && filter.related_to === undefined)
      filter.related_to = term.value.replace(/^#/, '');
    else if (
      (term.kind === 'type' || term.kind === 'status' || term.kind === 'tag') &&
      filter[term.kind] === undefined
    ) {
      filter[term.kind] = term.kind === 'tag' ? term.value : term.value.toLowerCase();
    } else throw needsCopy(term);
  }
  return { ...filter, ...(words.length === 0 ? {} : { search: words.join(' ') }) };
}

function onlyTerm(terms: readonly QueryTerm[]): QueryTerm {
  const [term] = terms;
  if (term === undefined || terms.length > 1 || term.isNegated) throw needsCopy(term);
  return term;
}

function needsCopy(term: QueryTerm | undefined): Error {
  return appError('library.needs-copy', { details: { condition: term?.kind ?? '' } });
}
