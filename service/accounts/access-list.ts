// Everything that is signed in as a user: browsers, and apps with tokens.
import type { Store } from '../database/store.ts';
import { hashToken } from '../secrets/random-token.ts';
import type { Site } from '../site/site.ts';

type AccessSite = Pick<Site, 'store' | 'now'>;

/** A browser that is signed in on the pages of the library. */
export interface BrowserSession {
  /** Digest of the session's cookie. */
  id: string;
  isThis: boolean;
  /** Epoch ms; null: an earlier version of the service started it. */
  startedAt: number | null;
  seenAt: number | null;
}

/** Returns the sessions of a user, this one first, then the latest ones. `cookie`: of the browser that asks. */
export async function sessionsOf(
  { store, now }: AccessSite,
  userId: number,
  cookie: string,
): Promise<BrowserSession[]> {
  const own = hashToken(cookie);
  return (
    await store.all<{ hash: string; created_at: number | null; seen_at: number | null }>(
      `SELECT hash, created_at, seen_at FROM sessions WHERE user_id = ? AND expires_at > ?
       ORDER BY hash = ? DESC, seen_at DESC NULLS LAST LIMIT 200`,
      userId,
      now(),
      own,
    )
  ).map(({ hash, created_at, seen_at }) => ({
    id: hash,
    isThis: hash === own,
    startedAt: created_at,
    seenAt: seen_at,
  }));
}

/** A sign-in of an app, with the tokens that follow from it. */
export interface ConnectedApp {
  /** The family of its tokens. */
  id: string;
  name: string;
  /** Epoch ms of the sign-in. */
  startedAt: number;
  /** Epoch ms of the latest token: an app that is in use gets one when the last one expires. */
  usedAt: number;
}

/** Returns the apps with a valid token of this user, the latest ones first. */
export function appsOf({ store, now }: AccessSite, userId: number): Promise<ConnectedApp[]> {
  return store.all<ConnectedApp & Record<string, number | string>>(
    `SELECT t.family AS id, coalesce(c.display_name, t.client_id) AS name, min(coalesce(t.started_at, t.created_at)) AS "startedAt",
       max(t.created_at) AS "usedAt"
     FROM oauth_tokens t LEFT JOIN oauth_clients c ON c.id = t.client_id WHERE t.user_id = ?
     GROUP BY t.family, t.client_id, c.display_name
     HAVING max(CASE WHEN t.used_at IS NULL THEN t.expires_at ELSE 0 END) > ?
     ORDER BY "usedAt" DESC, id LIMIT 200`,
    userId,
    now(),
  );
}

/** Ends a session of this user; those of others stay. */
export async function endSessionOf(store: Store, userId: number, id: string): Promise<void> {
  await store.run('DELETE FROM sessions WHERE hash = ? AND user_id = ?', id, userId);
}

/** Ends the tokens of one sign-in of an app of this user. */
export async function endAppOf(store: Store, userId: number, id: string): Promise<void> {
  await store.run('DELETE FROM oauth_tokens WHERE family = ? AND user_id = ?', id, userId);
}

/** Ends the sessions of a user. `except`: the cookie of a session that stays. */
export async function endSessions(store: Store, userId: number, except = ''): Promise<void> {
  await store.run('DELETE FROM sessions WHERE user_id = ? AND hash <> ?', userId, hashToken(except));
}

/** Ends the tokens of all apps of a user, and the codes that could still be exchanged for some. */
export async function endApps(store: Store, userId: number): Promise<void> {
  await store.run('DELETE FROM oauth_tokens WHERE user_id = ?', userId);
  await store.run('DELETE FROM oauth_codes WHERE user_id = ?', userId);
}
