import type { Site } from '../site/site.ts';
import { Problem } from '../wire/problem.ts';
import { type Attempt, createLoginLimit } from './login-limit.ts';
import { deviceOf } from './sessions.ts';

/** The input of the login form. */
export interface Credentials {
  email: string;
  password: string;
  /** IP address of the browser. */
  address: string;
  /** Cookie of a browser in which a user has signed in before. */
  deviceCookie: string | undefined;
}

/** How an attempt ended. The login page shows the message of a refusal. */
export type SignInResult =
  | { kind: 'signed-in'; userId: number; isKnownBrowser: boolean }
  | { kind: 'refused'; status: number; message: string; headers: Readonly<Record<string, string>> };

interface UserRow {
  id: number;
  password_hash: string | null;
}

/** Creates the function that checks credentials and limits attempts. A matching hash with an outdated cost is replaced. */
export function createSignIn(site: Site): (credentials: Credentials) => Promise<SignInResult> {
  const limit = createLoginLimit();

  return async ({ email, password, address, deviceCookie }) => {
    const user = site.store.get<UserRow>('SELECT id, password_hash FROM users WHERE email_address = ?', email);
    const device = deviceOf(site, deviceCookie, user?.id) ?? null;
    const attempt: Attempt = { account: email, address, device };
    const waitMs = limit.begin(attempt, site.now());
    if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1000));
    const verdict = await site.passwords
      .verify(password, user?.password_hash, device === null ? 'stranger' : 'known')
      .catch((error: unknown) => {
        limit.withdrawn(attempt, site.now());
        if (error instanceof Problem) return error;
        throw error;
      });
    if (verdict instanceof Problem) return refused(verdict.status, verdict.message, verdict.headers);
    // The user may have been deleted while the password was checked.
    if (!user || !verdict.isRight || !site.store.get('SELECT 1 FROM users WHERE id = ?', user.id)) {
      return refused(401, 'The email address or the password is not right.');
    }
    limit.succeeded(attempt, site.now());
    if (verdict.fresh !== null) replaceHash(site, user, verdict.fresh);
    return { kind: 'signed-in', userId: user.id, isKnownBrowser: device !== null };
  };
}

function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): SignInResult {
  return { kind: 'refused', status, message, headers };
}

function tooMany(waitS: number): SignInResult {
  const message = `Too many attempts. Wait ${waitText(waitS)} and try again.`;
  return refused(429, message, { 'retry-after': String(waitS) });
}

function waitText(seconds: number): string {
  if (seconds === 1) return '1 second';
  if (seconds < 100) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

function replaceHash(site: Site, user: UserRow, fresh: string): void {
  if (site.settings.current().read_only) return;
  site.store.run(
    'UPDATE users SET password_hash = ? WHERE id = ? AND password_hash IS ?',
    fresh,
    user.id,
    user.password_hash,
  );
}
