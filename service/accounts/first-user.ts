import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { issueLink, type LinkSite } from './links.ts';

/** The key of `meta` with the id of the administrator with whom a library began. */
const KEY = 'first_user';

/** Records the only account of a new library. */
export async function rememberFirstUser(store: Store, userId: number): Promise<void> {
  await writeMeta(store, KEY, String(userId));
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
export async function firstUserToken(site: LinkSite, email: string): Promise<string | undefined> {
  const { store } = site;
  return await store.transaction(async () => {
    const row = await waitingUser(store);
    if (row === undefined) return undefined;
    const isFree =
      (await store.get(
        'SELECT 1 FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE AND id <> ?',
        email,
        row.id,
      )) === undefined;
    if (isFree && row.email_address !== email) {
      await store.run(
        'UPDATE users SET email_address = ?, unique_id = ? WHERE id = ?',
        email,
        `basic:${email}`,
        row.id,
      );
    }
    return await issueLink(site, { id: row.id, email_address: isFree ? email : row.email_address }, 'first-user');
  });
}

/** Returns the first user while nobody has signed in as this user. */
async function waitingUser(store: Store): Promise<FirstUserRow | undefined> {
  return await store.get<FirstUserRow>(
    'SELECT id, email_address FROM users WHERE id = ? AND password_hash IS NULL AND last_login_on IS NULL',
    Number((await readMeta(store, KEY)) ?? -1),
  );
}
