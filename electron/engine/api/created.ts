import { type SiteAnswer, type SiteClient, unusable } from './http-client.ts';
import { idBehind, isOwnSite } from './links.ts';

/**
 * The identifier of what was created: from the Location header and nothing else, for bodies differ from service to
 * service. A missing or foreign Location is `api.malformed` with the outcome unknown: the thing may be there.
 */
export function createdId(client: SiteClient, answer: SiteAnswer, collection: string): string {
  const location = answer.headers.location;
  if (location === undefined || location === '') throw unusable(answer, 'no Location header');
  const url = client.resolve(location, answer.url);
  if (url === null) throw unusable(answer, 'the Location header is no address');
  if (!isOwnSite(client.baseUrl, url)) throw unusable(answer, 'the Location header names another site');
  const id = idBehind(url, collection);
  if (id === null) throw unusable(answer, 'the Location header names nothing of that kind');
  return id;
}
