import { LOOPBACK_REDIRECT, OOB_REDIRECT } from '../../shared/api/oauth.ts';
import type { Store } from '../database/store.ts';

export interface OauthClient {
  id: string;
  displayName: string;
  redirectUris: readonly string[];
  flows: readonly ('code' | 'token')[];
}

export async function findClient(store: Store, id: string): Promise<OauthClient | undefined> {
  const row = await store.get<{ id: string; display_name: string; redirect_uris: string; flows: string }>(
    'SELECT * FROM oauth_clients WHERE id = ?',
    id,
  );
  if (!row) return undefined;
  const redirectUris = JSON.parse(row.redirect_uris) as string[];
  return {
    id: row.id,
    displayName: row.display_name,
    redirectUris,
    flows: JSON.parse(row.flows) as ('code' | 'token')[],
  };
}

/** Registers a client, or changes the registration of its id. */
export async function saveClient(store: Store, client: OauthClient): Promise<void> {
  await store.run(
    `INSERT INTO oauth_clients (id, display_name, redirect_uris, flows) VALUES (?, ?, ?, ?) ON CONFLICT (id)
     DO UPDATE SET display_name = excluded.display_name, redirect_uris = excluded.redirect_uris, flows = excluded.flows`,
    client.id,
    client.displayName,
    JSON.stringify(client.redirectUris),
    JSON.stringify(client.flows),
  );
}

/**
 * Returns whether a client may use a redirect URI. It must equal a registered one exactly; in the code flow, a registered
 * `http://localhost/` permits any port. The token flow does not allow the out-of-band page, because a token is never shown.
 */
export function redirectAllowed(client: OauthClient, uri: string, flow: 'code' | 'token'): boolean {
  if (flow === 'token') return client.redirectUris.includes(uri) && !isOob(uri);
  if (client.redirectUris.includes(uri)) return true;
  return client.redirectUris.includes(LOOPBACK_REDIRECT) && isLoopbackWithPort(uri);
}

function isLoopbackWithPort(uri: string): boolean {
  const port = /^http:\/\/localhost:([1-9]\d{0,4})\/$/.exec(uri)?.[1];
  return port !== undefined && Number(port) <= 65_535;
}

export function isOob(uri: string): boolean {
  return uri === OOB_REDIRECT;
}
