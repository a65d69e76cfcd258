import { readSecret } from '../secrets/secret-source.ts';
import type { OidcProvider } from '../site/oidc-settings.ts';

type Place = Pick<OidcProvider, 'client_secret_env' | 'client_secret_file'>;

/**
 * Returns the secret of the client at a provider, as it is now: the file may have been replaced by a newer secret. Throws an error
 * with a sentence for the operator, without the secret.
 */
export function clientSecretOf({ client_secret_env: env, client_secret_file: file }: Place): string {
  return readSecret({ env, file });
}

/** Returns a sentence for each secret that the content of a configuration file names and that can't be read. */
export function secretProblems(content: unknown): string[] {
  const providers = (content as { oidc_providers?: unknown } | null)?.oidc_providers;
  if (!Array.isArray(providers)) return [];
  return providers.flatMap((provider: unknown, index) => {
    const place = placeOf(provider);
    if (place === undefined) return [];
    try {
      clientSecretOf(place);
      return [];
    } catch (error) {
      return [`✖ ${error instanceof Error ? error.message : String(error)}\n  → at oidc_providers[${index}]`];
    }
  });
}

/** Returns where a provider's secret is; undefined when that is not exactly one place, which the schema reports. */
function placeOf(provider: unknown): Place | undefined {
  const { client_secret_env, client_secret_file } = (provider ?? {}) as Record<string, unknown>;
  if (typeof client_secret_env === 'string' && client_secret_file === undefined) return { client_secret_env };
  if (typeof client_secret_file === 'string' && client_secret_env === undefined) return { client_secret_file };
  return undefined;
}
