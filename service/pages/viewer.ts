import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { cookieNames, readCookies, sessionUser } from '../oauth/sessions.ts';
import { mayHaveBytes } from '../resources/media/media-rights.ts';
import type { MediaRow } from '../resources/media/media-row.ts';
import type { Site } from '../site/site.ts';

/** Who is before the screen: signed in by the cookie of the login page, or anyone. */
export interface Viewer {
  access: Access;
  /** undefined for whoever has not signed in. */
  userId: number | undefined;
}

export function viewerOf(site: Site, request: FastifyRequest): Viewer {
  const user = sessionUser(site, readCookies(request.headers.cookie).get(cookieNames(site).session));
  if (!user) return { access: site.access.ofPublic(), userId: undefined };
  const row = site.store.get<{ is_admin: number }>('SELECT is_admin FROM users WHERE id = ?', user.id);
  return { access: site.access.of({ userId: user.id, isAdmin: row?.is_admin === 1 }), userId: user.id };
}

/** Published items are shown to those who hold media-read, others to those who may edit them. */
export function mayWatch({ access, userId }: Viewer, media: MediaRow): boolean {
  const visible =
    media.status === 'published' || (userId !== undefined && access.may('media-update', media.collection_id));
  return visible && access.may('media-read', media.collection_id);
}

/** The page of an item is for those who may read it; its bytes are for those who could fetch them as a file. */
export function mayPlay({ access, userId }: Viewer, media: MediaRow): boolean {
  return mayHaveBytes(access, userId, media);
}
