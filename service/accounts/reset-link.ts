import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { issueLink, type LinkSite, linkUrl } from './links.ts';

export interface ResetLink {
  email_address: string;
  link: string;
}

/** Makes a link for a user who is locked out; undefined when no active user has this address. Earlier links of the user are dead. */
export async function resetLink(site: LinkSite, baseUrl: string, email: string): Promise<ResetLink | undefined> {
  const user = await site.store.get<{ id: number; email_address: string }>(
    'SELECT id, email_address FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE AND deactivated_on IS NULL',
    email,
  );
  if (user === undefined) return undefined;
  return { email_address: user.email_address, link: linkUrl(baseUrl, await issueLink(site, user, 'reset')) };
}

const BASE_URL_KEY = 'base_url';

/** Records the address of the library, for links that are made while the service does not run. */
export async function rememberBaseUrl(store: Store, baseUrl: string): Promise<void> {
  if ((await lastBaseUrl(store)) !== baseUrl) await writeMeta(store, BASE_URL_KEY, baseUrl);
}

/** Returns the address of the library at its last start; undefined before the first one. */
export function lastBaseUrl(store: Store): Promise<string | undefined> {
  return readMeta(store, BASE_URL_KEY);
}
