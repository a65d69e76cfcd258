// A real library with two providers of OpenID Connect that can lie.
import { type HostileOidc, startHostileOidc } from './hostile-oidc.ts';
import { authorizeUrl, type OidcBrowser, type Page } from './oidc-browser.ts';
import { accountOn, type OidcLibrary, problemOn, providerSettings, startOidcLibrary } from './oidc-library.ts';
import { clientFor } from './service-client.ts';
import { make } from './service-people.ts';

export interface HostilePair {
  honest: HostileOidc;
  liar: HostileOidc;
  /** Has an account for the user `one` of each provider. */
  library: OidcLibrary;
  /** The secret of the client at both providers. */
  secret: string;
  /** Changes fields of both providers in the library. A new client id makes the library read their metadata again. */
  readMetadataAgain(fields?: Record<string, unknown>): Promise<void>;
  /** Makes both providers truthful, and the library forget refused answers. */
  reset(): Promise<void>;
  isSignedIn(browser: OidcBrowser): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startHostilePair(): Promise<HostilePair> {
  const secret = 'the secret of the library';
  const [honest, liar] = [await startHostileOidc(), await startHostileOidc()];
  const settings = [providerSettings('honest', honest.issuer), providerSettings('liar', liar.issuer)];
  const library = await startOidcLibrary(settings, secret);
  const admin = await clientFor(library.service);
  for (const name of ['honest', 'liar']) {
    await make(admin, 'users', { unique_id: `oidc:${name}:one`, email_address: `one@${name}.example` });
  }
  let changes = 0;
  const pair: HostilePair = {
    honest,
    liar,
    library,
    secret,
    async readMetadataAgain(fields = {}) {
      changes += 1;
      const client_id = `library-${changes}`;
      for (const peer of [honest, liar]) peer.claims = { ...peer.claims, aud: client_id };
      await library.change({ client_id, ...fields });
    },
    async reset() {
      for (const peer of [honest, liar]) {
        Object.assign(peer, { metadata: {}, claims: {}, answer: {}, idToken: peer.sign });
        peer.paths.clear();
        peer.redeemed.length = 0;
        peer.seen.length = 0;
      }
      await pair.readMetadataAgain();
      await passTime(library, 3_600_000);
    },
    isSignedIn: async (browser) => accountOn(await browser.open(authorizeUrl(library.service))) !== null,
    async stop() {
      await library.stop();
      await honest.close();
      await liar.close();
    },
  };
  return pair;
}

/** Sets the clock of the library forward. */
export async function passTime({ service }: OidcLibrary, ms: number): Promise<void> {
  const { clock_offset_ms } = await service.control<{ clock_offset_ms: number }>('GET', '/settings');
  await service.control('PATCH', '/settings', { clock_offset_ms: clock_offset_ms + ms });
}

export const outcomeOf = (page: Page) => ({ status: page.status, problem: problemOn(page), account: accountOn(page) });
