// A real library service with providers of OpenID Connect.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorizeUrl, OidcBrowser, type Page, providerLink } from './oidc-browser.ts';
import { type ServiceProcess, type ServiceStart, startService } from './service-process.ts';

export interface OidcLibrary {
  service: ServiceProcess;
  /** Changes fields of all providers while the library runs. */
  change(fields: Record<string, unknown>): Promise<void>;
  callback(name: string): string;
  /** Opens the sign-in page, signs in with a provider, and returns the page at the end: a consent page when it succeeded. */
  signIn(name: string, browser?: OidcBrowser): Promise<Page>;
  /** Goes through a sign-in up to the provider's redirect to the library, which is returned and not followed. */
  untilCallback(name: string, browser: OidcBrowser): Promise<string>;
  stop(): Promise<void>;
}

const SECRET_VARIABLE = 'OIDC_SECRET_OF_TEST';

/** The settings of a provider with the client `library`. */
export const providerSettings = (name: string, issuer: string, more: Record<string, unknown> = {}) => ({
  name,
  display_name: `University ${name}`,
  issuer,
  client_id: 'library',
  client_secret_env: SECRET_VARIABLE,
  ...more,
});

export async function startOidcLibrary(
  providers: readonly Record<string, unknown>[],
  secret: string,
  start: ServiceStart = {},
): Promise<OidcLibrary> {
  const folder = mkdtempSync(join(tmpdir(), 'library-oidc-'));
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ oidc_providers: providers }));
  const env = { ...process.env, [SECRET_VARIABLE]: secret };
  const service = await startService({ config, env, ...start });
  const callback = (name: string) => `${service.baseUrl}/oidc/${name}/callback`;
  return {
    service,
    callback,
    async change(fields) {
      const oidc_providers = providers.map((each) => ({ ...each, ...fields }));
      await service.control('PATCH', '/settings', { oidc_providers });
    },
    async signIn(name, browser = new OidcBrowser()) {
      return browser.open(providerLink(await browser.open(authorizeUrl(service)), name));
    },
    async untilCallback(name, browser) {
      const page = await browser.open(authorizeUrl(service));
      return (await browser.open(providerLink(page, name), callback(name))).url;
    },
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the name and the address of the account on a consent page; null on any other page. */
export function accountOn(page: Page): string | null {
  return /Signed in as ([^(]*\([^)]*\))/.exec(page.html)?.[1] ?? null;
}

/** Returns the message of a page about a problem; null on any other page. */
export function problemOn(page: Page): string | null {
  return /<p class="problem">([^<]*)</.exec(page.html)?.[1] ?? null;
}
