import { hashToken, randomToken } from '../secrets/random-token.ts';
import type { Site } from '../site/site.ts';

const SESSION_MS = 8 * 3_600_000;
/** The last use of a session is recorded this exactly, because each record is a write. */
const SEEN_EVERY_MS = 5 * 60_000;

export interface SessionUser {
  id: number;
  email_address: string;
  display_name: string;
}

/** Starts a browser session for a user who has just logged in; returns the cookie's value. */
export async function startSession(site: Site, userId: number): Promise<string> {
  const value = randomToken();
  const now = site.now();
  await site.store.run(
    'INSERT INTO sessions (hash, user_id, expires_at, created_at, seen_at) VALUES (?, ?, ?, ?, ?)',
    hashToken(value),
    userId,
    now + SESSION_MS,
    now,
    now,
  );
  await site.store.run('UPDATE users SET last_login_on = ? WHERE id = ?', Math.floor(now / 1000), userId);
  return value;
}

export async function sessionUser(site: Site, value: string | undefined): Promise<SessionUser | undefined> {
  if (!value) return undefined;
  const hash = hashToken(value);
  const now = site.now();
  const row = await site.store.get<SessionUser & { seen_at: number | null }>(
    `SELECT u.id, u.email_address, trim(u.first_name || ' ' || u.last_name) AS display_name, s.seen_at
     FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = ? AND s.expires_at > ? AND u.deactivated_on IS NULL`,
    hash,
    now,
  );
  if (row === undefined) return undefined;
  const { seen_at: seenAt, ...user } = row;
  if (now - (seenAt ?? 0) >= SEEN_EVERY_MS && !site.settings.current().read_only) {
    await site.store.run('UPDATE sessions SET seen_at = ? WHERE hash = ?', now, hash);
  }
  return user;
}

export async function endSession(site: Site, value: string | undefined): Promise<void> {
  if (value) await site.store.run('DELETE FROM sessions WHERE hash = ?', hashToken(value));
}

/**
 * Returns the names of the cookies. They include a digest of the site, because browsers share cookies between the ports of a
 * host.
 */
export function cookieNames(site: Site): { session: string; form: string; device: string; another: string } {
  const suffix = site.signer
    .digest('cookie-name', 'site')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
  // Browsers accept a cookie with this prefix from the host itself only, never from a sibling domain.
  const prefix = site.baseUrl.startsWith('https:') ? '__Host-' : '';
  const name = (kind: string) => `${prefix}library_${kind}_${suffix}`;
  return { session: name('session'), form: name('form'), device: name('device'), another: name('another') };
}

const ANOTHER_S = 600;

/**
 * Returns the cookie of a browser whose user wants to sign in with another account: a provider that remembers the user must ask
 * again.
 */
export function anotherCookie(site: Site): string {
  return setCookie(site, cookieNames(site).another, '1', ANOTHER_S);
}

/** The maximum lifetime of a cookie that browsers allow. */
const DEVICE_MS = 400 * 86_400_000;

interface DeviceCookie {
  /** User id. */
  u: number;
  /** Random; distinguishes the browsers of one user. */
  k: string;
  /** Epoch ms. */
  x: number;
}

/** Returns the id of a browser in which this user has signed in before; undefined for any other browser. */
export function deviceNameOf(site: Site, value: string | undefined, userId: number | undefined): string | undefined {
  const cookie = value === undefined ? undefined : site.signer.verify<DeviceCookie>('device', value);
  return cookie && cookie.u === userId && cookie.x > site.now() ? cookie.k : undefined;
}

/** Returns the cookie that identifies a browser after its user has signed in. The cookie grants no access. */
export function deviceCookie(site: Site, name: string, userId: number): string {
  const cookie: DeviceCookie = { u: userId, k: randomToken(12), x: site.now() + DEVICE_MS };
  return setCookie(site, name, site.signer.sign('device', cookie), DEVICE_MS / 1000);
}

export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((part) => part.trim().split('='));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

/** Returns a `Set-Cookie` value. Without `maxAgeS`, the cookie lasts until the browser quits; an empty value deletes it. */
export function setCookie(site: Site, name: string, value: string, maxAgeS?: number): string {
  const secure = site.baseUrl.startsWith('https:') ? '; Secure' : '';
  const age = value === '' ? 0 : maxAgeS;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age === undefined ? '' : `; Max-Age=${age}`}`;
}
