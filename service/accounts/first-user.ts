import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { issueLink, type LinkSite } from './links.ts';

/** The key of `meta` with the id of the administrator with whom a library began. */
const KEY = 'first_user';

/** Records the only account of a new library. */
export function rememberFirstUser(store: Store, userId: number): void {
  writeMeta(store, KEY, String(userId));
}

interface FirstUserRow {
  id: number;
  email_address: string;
}

/**
 * Returns the token of a new link for the administrator with whom a library began; undefined once a password was set, or when the library
 * began in another way. The earlier link is dead. A different address than before replaces it, so that a typing error can be corrected by
 * another start.
 */
export function firstUserToken(site: LinkSite, email: string): string | undefined {
  const { store } = site;
  return store.transaction(() => {
    const row = waitingUser(store);
    if (row === undefined) return undefined;
    const isFree =
      store.get(
        'SELECT 1 FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE AND id <> ?',
        email,
        row.id,
      ) === undefined;
    if (isFree && row.email_address !== email) {
      store.run('UPDATE users SET email_address = ?, unique_id = ? WHERE id = ?', email, `basic:${email}`, row.id);
    }
    return issueLink(site, { id: row.id, email_address: isFree ? email : row.email_address }, 'first-user');
  });
}

/** Returns the first user while nobody has signed in as this user. */
function waitingUser(store: Store): FirstUserRow | undefined {
  return store.get<FirstUserRow>(
    'SELECT id, email_address FROM users WHERE id = ? AND password_hash IS NULL AND last_login_on IS NULL',
    Number(readMeta(store, KEY) ?? -1),
  );
}
