import { z } from 'zod';
import { idSchema, linksSchema } from '../../../shared/api/wire.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { parseOptional, type SiteAnswer, type SiteClient, unusable } from './http-client.ts';
import { idBehind, idBehindForeign, isOwnSite } from './links.ts';

/**
 * Returns the identifier of the created resource, if the answer contains it: in a `Location` on the site's own origin,
 * else in the `id` of the body, else in a `Location` with another origin (a host name behind a reverse proxy, another
 * scheme or port) or the `self` link of the body. `path`: the path of the request, such as `/api2/media`. Of an address
 * with another origin only the path counts, and nothing is ever requested there. An answer without an identifier is
 * `api.malformed` with an unknown outcome, see `wasAnswered`.
 */
export function createdId(client: SiteClient, answer: SiteAnswer, path: string): string {
  // A body is optional: many libraries answer a creation without one.
  const body = parseOptional(bodySchema, answer);
  const located = locatedId(client, answer, path);
  const bodyId = body?.id ?? null;
  if (located?.isOwn === false && bodyId !== null) return bodyId;
  // Some libraries append a format or a readable name to the path: the body has the identifier itself.
  if (located !== null && bodyId !== null && isExtended(located.id, bodyId)) return bodyId;
  const id = located?.id ?? bodyId ?? linkedId(client, answer, path, body?.links.self ?? null)?.id;
  if (id !== undefined) return id;
  throw unnamed(answer, 'neither Location nor body name what was created');
}

/** Returns the error of a creation that was answered without the required data, see `wasAnswered`. */
export function unnamed(answer: SiteAnswer, reason: string): AppError {
  const { code, message, details, cause } = unusable(answer, reason);
  return new AppError(code, message, { ...details, answered: isAnswer(answer) }, cause);
}

/** Returns true when the library answered that it created something, but did not name it. */
export function wasAnswered(error: unknown): boolean {
  return error instanceof AppError && error.details?.answered === true;
}

const bodySchema = z.object({ id: idSchema.nullish().catch(null), links: linksSchema.catch({}) });

/** An identifier in an address, and whether the address is on the site's own origin. */
interface LinkedId {
  id: string;
  isOwn: boolean;
}

function locatedId(client: SiteClient, answer: SiteAnswer, path: string): LinkedId | null {
  const location = answer.headers.location?.trim() ?? '';
  if (location === '') return null;
  // A `Location` with only an identifier is relative to `path`, as a name in a folder.
  if (/^(?:\.\/)?[\w-]{1,100}$/.test(location)) return { id: location.replace('./', ''), isOwn: true };
  return linkedId(client, answer, path, location);
}

function linkedId(client: SiteClient, answer: SiteAnswer, path: string, link: string | null): LinkedId | null {
  if (link === null || link === '') return null;
  const url = client.resolve(link, answer.url);
  if (url === null) return null;
  const isOwn = isOwnSite(client.baseUrl, url);
  const id = isOwn ? idBehind(url, path) : idBehindForeign(url, path);
  return id === null ? null : { id, isOwn };
}

function isExtended(located: string, id: string): boolean {
  return located.startsWith(id) && /^[^\p{L}\p{N}]/u.test(located.slice(id.length));
}

/**
 * Returns whether an answer is complete and from the library: a truncated body may have contained the identifier, and an HTML
 * page can come from a network login.
 */
function isAnswer({ bodyFault, headers }: SiteAnswer): boolean {
  return bodyFault === null && !/html/i.test(headers['content-type'] ?? '');
}
