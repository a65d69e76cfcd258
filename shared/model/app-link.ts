import { addresses } from './addresses.ts';

/** The scheme of links that Mediadesk opens. */
export const LINK_SCHEME = 'mediadesk';

const LONGEST_LINK = 2048;
/** Ids of the library are short; anything else in a link is no id. */
const ID = /^[\w-]{1,64}$/;
const TARGETS = ['item', 'collection'] as const;

/** A place of a library, as a link names it. */
export interface LinkedPlace {
  /** The origin of the library. */
  baseUrl: string;
  target: (typeof TARGETS)[number];
  id: string;
}

/**
 * Reads `mediadesk://open?library=https://media.example.org&item=123` (or `collection=`). Null: the link is not of this form; it has
 * no effect.
 */
export function readAppLink(link: string): LinkedPlace | null {
  const url = link.length > LONGEST_LINK ? null : addresses.parse(link);
  if (url === null) return null;
  const { protocol, host, pathname, searchParams } = url;
  if (protocol !== `${LINK_SCHEME}:` || host.toLowerCase() !== 'open' || (pathname !== '' && pathname !== '/'))
    return null;
  const library = addresses.parse(searchParams.get('library') ?? '');
  if (library === null) return null;
  const { protocol: scheme, origin, username, password } = library;
  if ((scheme !== 'https:' && scheme !== 'http:') || username !== '' || password !== '') return null;
  for (const target of TARGETS) {
    const id = searchParams.get(target);
    if (id !== null && ID.test(id)) return { baseUrl: origin, target, id };
  }
  return null;
}

/** Returns the link to a place; null when no link can name it, such as an item that the library doesn't have yet. */
export function appLinkTo({ baseUrl, target, id }: LinkedPlace): string | null {
  const origin = addresses.parse(baseUrl)?.origin ?? '';
  const link = `${LINK_SCHEME}://open?library=${encodeURIComponent(origin)}&${target}=${encodeURIComponent(id)}`;
  return readAppLink(link) === null ? null : link;
}
