import type { FastifyRequest } from 'fastify';
import { cookieNames, readCookies, type SessionUser, sessionUser } from '../oauth/sessions.ts';
import type { Site } from '../site/site.ts';

/** The user who is signed in with a browser. */
export interface Visitor extends SessionUser {
  /** Value of the session's cookie. */
  session: string;
  isAdmin: boolean;
  hasPassword: boolean;
}

export async function visitorOf(site: Site, request: FastifyRequest): Promise<Visitor | undefined> {
  const session = readCookies(request.headers.cookie).get(cookieNames(site).session) ?? '';
  const user = await sessionUser(site, session);
  if (user === undefined) return undefined;
  const row = await site.store.get<{ is_admin: number; has_password: number }>(
    'SELECT is_admin, password_hash IS NOT NULL AS has_password FROM users WHERE id = ?',
    user.id,
  );
  return { ...user, session, isAdmin: row?.is_admin === 1, hasPassword: row?.has_password === 1 };
}
