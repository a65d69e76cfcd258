import type { Site } from '../site/site.ts';
import { hashToken, randomToken } from './secrets.ts';

const SESSION_MS = 8 * 3_600_000;

export interface SessionUser {
  id: number;
  email_address: string;
  display_name: string;
}

/** Starts a browser session for someone who has just logged in; returns the cookie's value. */
export function startSession(site: Site, userId: number): string {
  const value = randomToken();
  const now = site.now();
  site.store.run(
    'INSERT INTO sessions (hash, user_id, expires_at) VALUES (?, ?, ?)',
    hashToken(value),
    userId,
    now + SESSION_MS,
  );
  site.store.run('UPDATE users SET last_login_on = ? WHERE id = ?', Math.floor(now / 1000), userId);
  return value;
}

export function sessionUser(site: Site, value: string | undefined): SessionUser | undefined {
  if (!value) return undefined;
  return site.store.get<SessionUser>(
    `SELECT u.id, u.email_address, trim(u.first_name || ' ' || u.last_name) AS display_name
     FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = ? AND s.expires_at > ?`,
    hashToken(value),
    site.now(),
  );
}

export function endSession(site: Site, value: string | undefined): void {
  if (value) site.store.run('DELETE FROM sessions WHERE hash = ?', hashToken(value));
}

/** Cookie names carry the site, since browsers share cookies between the ports of one host. */
export function cookieNames(site: Site): { session: string; form: string } {
  const suffix = site.signer
    .digest('cookie-name', 'site')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
  return { session: `library_session_${suffix}`, form: `library_form_${suffix}` };
}

export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((part) => part.trim().split('='));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

export function setCookie(site: Site, name: string, value: string): string {
  const secure = site.baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${value === '' ? '; Max-Age=0' : ''}`;
}
