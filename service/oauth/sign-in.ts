import { rehashing } from '../audit/acting.ts';
import { type Message, say } from '../languages/texts.ts';
import type { Site } from '../site/site.ts';
import { Problem } from '../wire/problem.ts';
import type { LoginAttempt } from './login-limit.ts';
import { deviceNameOf, endSession, startSession } from './sessions.ts';
import { type AnyLoginLimit, loginLimitOf } from './shared-login-limit.ts';

/** The input of the login form. */
export interface Credentials {
  email: string;
  password: string;
  /** IP address of the browser. */
  address: string;
  /** Cookie of a browser in which a user has signed in before. */
  deviceCookie: string | undefined;
}

export interface SignedIn {
  kind: 'signed-in';
  userId: number;
  isKnownBrowser: boolean;
  /** The hash of the password that was right. */
  passwordHash: string;
}

/** How an attempt ended. The login page shows the message of a refusal. */
export type SignInResult =
  | SignedIn
  | { kind: 'refused'; status: number; message: Message; headers: Readonly<Record<string, string>> };

interface UserRow {
  id: number;
  password_hash: string | null;
}

/** A library has one limit for all forms that take a password. */
const limits = new WeakMap<Site['store'], AnyLoginLimit>();

function limitOf({ store }: Site): AnyLoginLimit {
  const limit = limits.get(store) ?? loginLimitOf(store);
  limits.set(store, limit);
  return limit;
}

/** Creates the function that checks credentials and limits attempts. A matching hash with an outdated cost is replaced. */
export function createSignIn(site: Site): (credentials: Credentials) => Promise<SignInResult> {
  return async ({ email, password, address, deviceCookie }) => {
    const limit = limitOf(site);
    const user = await site.store.get<UserRow>(
      'SELECT id, password_hash FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE',
      email,
    );
    const device = deviceNameOf(site, deviceCookie, user?.id) ?? null;
    const attempt: LoginAttempt = { account: email, address, device };
    const waitMs = await limit.begin(attempt, site.now());
    if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1000));
    const verdict = await site.passwords
      .verify(password, user?.password_hash, device === null ? 'stranger' : 'known')
      .catch(async (error: unknown) => {
        await limit.withdrawn(attempt, site.now());
        if (error instanceof Problem) return error;
        throw error;
      });
    if (verdict instanceof Problem) return refused(verdict.status, say('sign-in.busy'), verdict.headers);
    if (!user || !verdict.isRight || (await rightHash(site, user, password)) === undefined) {
      return refused(401, say('sign-in.wrong'));
    }
    await limit.succeeded(attempt, site.now());
    // The answer is given with the right password only.
    if (await isDeactivated(site, user.id)) return refused(403, say('sign-in.deactivated'));
    const passwordHash = await hashNow(site, user, password, verdict.fresh);
    if (passwordHash === undefined) return refused(401, say('sign-in.wrong'));
    return { kind: 'signed-in', userId: user.id, isKnownBrowser: device !== null, passwordHash };
  };
}

/**
 * Ends the session that a browser had, and starts one for a user who has just signed in; returns the cookie's value. undefined: meanwhile
 * the user was deleted or deactivated, or has another password, which ends the access of everyone who knows the old one. One
 * transaction, so that the audit names the user for all of it.
 */
export function startSignedIn(
  site: Site,
  { userId, passwordHash }: SignedIn,
  earlier: string | undefined,
): Promise<string | undefined> {
  return site.store.transaction(async () => {
    const row = await site.store.get<{ password_hash: string | null }>(
      'SELECT password_hash FROM users WHERE id = ? AND deactivated_on IS NULL',
      userId,
    );
    if (row?.password_hash !== passwordHash) return undefined;
    await endSession(site, earlier);
    return await startSession(site, userId);
  });
}

async function isDeactivated({ store }: Site, userId: number): Promise<boolean> {
  return (await store.get('SELECT 1 FROM users WHERE id = ? AND deactivated_on IS NOT NULL', userId)) !== undefined;
}

/**
 * Returns the hash of a password that was right, if it is right now: while it was checked, the user may have been deleted or have set
 * another one, which ends the access of everyone who knows the old one.
 */
async function rightHash(
  { store, passwords }: Site,
  { id, password_hash }: UserRow,
  password: string,
): Promise<string | undefined> {
  const now = await store.get<{ password_hash: string | null }>('SELECT password_hash FROM users WHERE id = ?', id);
  const isRight =
    now !== undefined &&
    (now.password_hash === password_hash || (await passwords.verify(password, now.password_hash, 'known')).isRight);
  return isRight ? (now.password_hash ?? undefined) : undefined;
}

function refused(status: number, message: Message, headers: Readonly<Record<string, string>> = {}): SignInResult {
  return { kind: 'refused', status, message, headers };
}

function tooMany(waitS: number): SignInResult {
  return refused(429, waitText(waitS), { 'retry-after': String(waitS) });
}

function waitText(seconds: number): Message {
  if (seconds < 100) return say('sign-in.wait-seconds', { count: seconds });
  return say('sign-in.wait-minutes', { count: Math.ceil(seconds / 60) });
}

/** Returns the hash that a user has now, which `fresh` replaces, if there is one; undefined when the password is not right any more. */
async function hashNow(site: Site, user: UserRow, password: string, fresh: string | null): Promise<string | undefined> {
  if (fresh !== null && (await replaceHash(site, user, fresh))) return fresh;
  return await rightHash(site, user, password);
}

/** Replaces the hash of a password that was right by one of today's cost. Returns false when it stays, or is another one now. */
async function replaceHash(site: Site, { id, password_hash }: UserRow, fresh: string): Promise<boolean> {
  if (site.settings.current().read_only) return false;
  const update = 'UPDATE users SET password_hash = ? WHERE id = ? AND password_hash IS NOT DISTINCT FROM ?';
  return (await rehashing(() => site.store.run(update, fresh, id, password_hash))).changes > 0;
}
