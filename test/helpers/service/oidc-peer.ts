// A real provider of OpenID Connect (oidc-provider) on loopback, whose users are set by the test.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider, { type Configuration } from 'oidc-provider';

export interface OidcPeer {
  readonly issuer: string;
  readonly secret: string;
  /** The claims of its users, by `sub`. */
  readonly users: Map<string, Record<string, unknown>>;
  /** The user who signs in without a page; null: the provider shows a form that asks for the `sub`. */
  user: string | null;
  /** Begins to serve, with these redirect URIs of the client `library`. Until then, requests wait. */
  serve(redirectUris: readonly string[]): void;
  close(): Promise<void>;
}

const SCOPES = ['openid', 'profile', 'email', 'groups'];

/** Listens at once, so that its address can be configured before the redirect URIs are known. */
export async function startOidcPeer(changes: Configuration = {}): Promise<OidcPeer> {
  let ready: (handler: RequestListener) => void = () => {};
  const handler = new Promise<RequestListener>((resolve) => {
    ready = resolve;
  });
  const server = createServer((request, response) => void handler.then((handle) => handle(request, response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secret = 'a secret of the library: 100% secret/+';
  const users = new Map<string, Record<string, unknown>>();

  const peer: OidcPeer = {
    issuer,
    secret,
    users,
    user: null,
    serve(redirectUris) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: 'library', client_secret: secret, redirect_uris: [...redirectUris] }],
        claims: {
          openid: ['sub'],
          profile: ['name', 'given_name', 'family_name'],
          email: ['email', 'email_verified'],
          groups: ['groups'],
        },
        scopes: SCOPES,
        cookies: { keys: ['a key for tests'] },
        ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        features: { devInteractions: { enabled: false } },
        findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...users.get(id) }) }),
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        ...changes,
      });
      const serve = provider.callback();
      ready((request, response) => {
        if (!request.url?.startsWith('/interaction/')) void serve(request, response);
        else void interact(provider, () => peer.user, request, response);
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return peer;
}

/** Signs the user in and consents, or shows the form. The user `deny` denies. */
async function interact(
  provider: Provider,
  user: () => string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const entered = request.method === 'POST' ? new URLSearchParams(await text(request)).get('sub') : user();
  if (entered === null) {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Provider</title><h1>Provider</h1><form method="post"><input name="sub" aria-label="User"><button>Continue</button></form>',
    );
    return;
  }
  if (entered === 'deny') {
    const denied = { error: 'access_denied', error_description: 'denied <script>' };
    await provider.interactionFinished(request, response, denied);
    return;
  }
  const grant = new provider.Grant({ accountId: entered, clientId: 'library' });
  grant.addOIDCScope(SCOPES.join(' '));
  const result = { login: { accountId: entered }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}
