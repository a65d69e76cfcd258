// A provider of OpenID Connect that lies as a test wants. It signs everybody in at once.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface HostileOidc {
  readonly issuer: string;
  /** Fields of its metadata that replace the right ones; undefined removes one. */
  metadata: Record<string, unknown>;
  /** Claims of the ID token that replace the right ones; undefined removes one. */
  claims: Record<string, unknown>;
  /** Parameters of the redirect that replace the right ones; null removes one. */
  answer: Record<string, string | null>;
  /** Returns the ID token; the right one by default. */
  idToken: (claims: Record<string, unknown>) => string;
  /** Answers a path in place of the right answer, if there is an entry. */
  readonly paths: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  /** The paths that were asked for. */
  readonly seen: string[];
  /** The bodies of the requests for tokens. */
  readonly redeemed: URLSearchParams[];
  sign(claims: Record<string, unknown>): string;
  close(): Promise<void>;
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a signed token. */
export function signedToken(claims: Record<string, unknown>, key: KeyObject, kid: string): string {
  const body = `${part({ alg: 'RS256', kid, typ: 'JWT' })}.${part(claims)}`;
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
}

/** Returns a token without a signature. */
export const unsignedToken = (claims: Record<string, unknown>): string => `${part({ alg: 'none' })}.${part(claims)}.`;

export async function startHostileOidc(): Promise<HostileOidc> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const peer: HostileOidc = {
    issuer,
    metadata: {},
    claims: {},
    answer: {},
    paths: new Map(),
    seen: [],
    redeemed: [],
    idToken: (claims) => peer.sign(claims),
    sign: (claims) => signedToken(claims, privateKey, 'k'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function send(response: ServerResponse, body: unknown): void {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  }

  function authorize(url: URL, response: ServerResponse): void {
    const code = randomBytes(9).toString('base64url');
    nonces.set(code, url.searchParams.get('nonce') ?? '');
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    const params = { code, state: url.searchParams.get('state'), iss: issuer, ...peer.answer };
    for (const [name, value] of Object.entries(params)) if (value !== null) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(await text(request));
    peer.redeemed.push(body);
    const nowS = Math.floor(Date.now() / 1000);
    const right = {
      iss: issuer,
      sub: 'one',
      aud: 'library',
      iat: nowS,
      exp: nowS + 300,
      nonce: nonces.get(body.get('code') ?? '') ?? '',
    };
    const access_token = createHash('sha256').update(JSON.stringify(right)).digest('base64url');
    send(response, { access_token, token_type: 'Bearer', id_token: peer.idToken({ ...right, ...peer.claims }) });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', issuer);
    peer.seen.push(url.pathname);
    const own = peer.paths.get(url.pathname);
    if (own) own(request, response);
    else if (url.pathname === '/authorize') authorize(url, response);
    else if (url.pathname === '/token') await token(request, response);
    else if (url.pathname === '/jwks') {
      send(response, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] });
    } else if (url.pathname === '/.well-known/openid-configuration') {
      send(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...peer.metadata,
      });
    } else response.writeHead(404).end();
  }
  return peer;
}
