import { z } from 'zod';
import { idSchema, linksSchema } from '../../../shared/api/wire.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { parseAnswer, type SiteAnswer, type SiteClient, unusable } from './http-client.ts';
import { idBehind, idBehindForeign, isOwnSite } from './links.ts';

/**
 * The identifier of what a request created, where the answer names it: by a `Location` header on the site's own origin,
 * else by the `id` of the body, else by a `Location` with another origin (a host name behind a reverse proxy, another scheme
 * or port) or the `self` link of the body. `path` is what was posted to, such as `/api2/media`. An address with another
 * origin counts only by its path, and nothing is ever requested from there. An answer that names nothing is `api.malformed` with the outcome unknown, see `wasAnswered`.
 */
export function createdId(client: SiteClient, answer: SiteAnswer, path: string): string {
  const body = bodyOf(answer);
  const located = locatedId(client, answer, path);
  const bodyId = body?.id ?? null;
  if (located?.isOwn === false && bodyId !== null) return bodyId;
  // Some add a format or a readable name to the path: the body has the identifier itself.
  if (located !== null && bodyId !== null && isExtended(located.id, bodyId)) return bodyId;
  const id = located?.id ?? bodyId ?? linkedId(client, answer, path, body?.links.self ?? null)?.id;
  if (id !== undefined) return id;
  throw unnamed(answer, 'neither Location nor body name what was created');
}

/** The error for a creation that was answered without what the client needs to know about it, see `wasAnswered`. */
export function unnamed(answer: SiteAnswer, reason: string): AppError {
  const { code, message, details, cause } = unusable(answer, reason);
  return new AppError(code, message, { ...details, answered: isAnswer(answer) }, cause);
}

/** Whether the library said that it created something, although it did not say what. */
export function wasAnswered(error: unknown): boolean {
  return error instanceof AppError && error.details?.answered === true;
}

const bodySchema = z.object({ id: idSchema.nullish().catch(null), links: linksSchema.catch({}) });

function bodyOf(answer: SiteAnswer): z.output<typeof bodySchema> | null {
  try {
    return parseAnswer(bodySchema, answer);
  } catch {
    // A body is optional: many services answer a creation without one.
    return null;
  }
}

/** An identifier in an address, and whether that address lies on the site's own origin. */
interface LinkedId {
  id: string;
  isOwn: boolean;
}

function locatedId(client: SiteClient, answer: SiteAnswer, path: string): LinkedId | null {
  const location = answer.headers.location?.trim() ?? '';
  if (location === '') return null;
  // Relative to the collection as a folder, which is what a bare identifier can only mean.
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

/** A body that broke off may have named it, and a page of HTML can be that of a network login. */
function isAnswer({ bodyFault, headers }: SiteAnswer): boolean {
  return bodyFault === null && !/html/i.test(headers['content-type'] ?? '');
}
