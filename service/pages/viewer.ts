import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { cookieNames, readCookies, sessionUser } from '../oauth/sessions.ts';
import { mayFetchContent } from '../resources/media/media-rights.ts';
import type { MediaRow } from '../resources/media/media-row.ts';
import type { Site } from '../site/site.ts';

/** The viewer of a page: a user with the cookie of the login page, or an anonymous visitor. */
export interface Viewer {
  access: Access;
  /** undefined for an anonymous visitor. */
  userId: number | undefined;
}

export async function viewerOf(site: Site, request: FastifyRequest): Promise<Viewer> {
  const user = await sessionUser(site, readCookies(request.headers.cookie).get(cookieNames(site).session));
  if (!user) return { access: await site.access.ofPublic(), userId: undefined };
  const row = await site.store.get<{ is_admin: number }>('SELECT is_admin FROM users WHERE id = ?', user.id);
  return { access: await site.access.of({ userId: user.id, isAdmin: row?.is_admin === 1 }), userId: user.id };
}

/** Returns whether the viewer may see the page of an item: published items with media-read, others also with media-update. */
export function mayWatch({ access, userId }: Viewer, media: MediaRow): boolean {
  const visible =
    media.status === 'published' || (userId !== undefined && access.may('media-update', media.collection_id));
  return visible && access.may('media-read', media.collection_id);
}

/** Returns whether the viewer may play an item. Besides the right to see its page, this requires the right to fetch its files. */
export function mayPlay({ access, userId }: Viewer, media: MediaRow): boolean {
  return mayFetchContent(access, userId, media);
}
