import * as oidc from 'openid-client';
import type { OidcProvider } from '../site/oidc-settings.ts';
import { isPrivateChannel } from '../wire/web-address.ts';
import { createBoundedFetch, ProviderFault } from './bounded-fetch.ts';
import { clientSecretOf } from './client-secret.ts';

/** The time for each answer of a provider. */
const ANSWER_MS = 8000;
/** Metadata of a provider are read again after this time. */
const KEPT_MS = 3_600_000;
/** After a failure, the next attempt waits for this time, so that nobody can make the service ask a provider all the time. */
const FAILED_MS = 3000;

/** What is known about each provider, read at its first use. */
export interface ProviderConnections {
  /**
   * Returns the client of a provider with its metadata. Rejects with `ProviderFault` or an error of `openid-client` when the provider
   * doesn't answer, or with metadata that can't be used.
   */
  to(provider: OidcProvider): Promise<oidc.Configuration>;
}

interface Kept {
  key: string;
  untilMs: number;
  configuration: Promise<oidc.Configuration>;
}

export function createConnections(): ProviderConnections {
  const kept = new Map<string, Kept>();

  function open(provider: OidcProvider, key: string, secret: string): Kept {
    const entry: Kept = { key, untilMs: Number.POSITIVE_INFINITY, configuration: discover(provider, secret) };
    entry.configuration.then(
      () => {
        entry.untilMs = performance.now() + KEPT_MS;
      },
      () => {
        entry.untilMs = performance.now() + FAILED_MS;
      },
    );
    kept.set(provider.name, entry);
    return entry;
  }

  return {
    async to(provider) {
      const secret = secretOf(provider);
      const key = JSON.stringify([provider.issuer, provider.client_id, secret]);
      const entry = kept.get(provider.name);
      const isFresh = entry?.key === key && performance.now() < entry.untilMs;
      return (isFresh ? entry : open(provider, key, secret)).configuration;
    },
  };
}

function secretOf(provider: OidcProvider): string {
  try {
    return clientSecretOf(provider);
  } catch (error) {
    throw new ProviderFault('no-secret', error instanceof Error ? error.message : String(error));
  }
}

async function discover(provider: OidcProvider, secret: string): Promise<oidc.Configuration> {
  const issuer = new URL(provider.issuer);
  const configuration = await oidc.discovery(issuer, provider.client_id, undefined, authenticationAtFirst(secret), {
    [oidc.customFetch]: createBoundedFetch(ANSWER_MS),
    timeout: ANSWER_MS / 1000,
    execute: [
      // Without it, the signature of an ID token from the token endpoint would not be checked.
      oidc.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ],
  });
  checkMetadata(configuration.serverMetadata(), issuer);
  return configuration;
}

/** The secret is sent in the way that the provider supports: in a header, unless it names only the body. */
function authenticationAtFirst(secret: string): oidc.ClientAuth {
  const [inHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = !ways.includes('client_secret_basic') && ways.includes('client_secret_post') ? inBody : inHeader;
    return way(server, client, body, headers);
  };
}

/** The issuer must be the configured one, also for providers whose metadata stand for many issuers. */
function checkMetadata(metadata: oidc.ServerMetadata, issuer: URL): void {
  if (URL.parse(metadata.issuer)?.href !== issuer.href) {
    throw new ProviderFault('other-issuer', 'The metadata of the provider name another issuer.');
  }
  const address = URL.parse(metadata.authorization_endpoint ?? '');
  if (!address || !isPrivateChannel(address) || (issuer.protocol === 'https:' && address.protocol !== 'https:')) {
    throw new ProviderFault('not-private', 'The authorization endpoint of the provider is not https.');
  }
}
