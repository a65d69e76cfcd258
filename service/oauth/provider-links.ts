import { sameText } from '../secrets/signer.ts';
import type { Site } from '../site/site.ts';

/** A link of a sign-in page to a provider. */
export interface ProviderLink {
  displayName: string;
  href: string;
}

/**
 * Returns the links of a sign-in page to the providers that sign users in. `cookie`: the form cookie of the browser. `to`: the page of
 * the library, as a path with its query, that a sign-in leads to, and that leads to the sign-in page when nobody is signed in.
 */
export function providerLinks(site: Site, cookie: string, to: string): ProviderLink[] {
  const query = new URLSearchParams({ to, csrf: linkToken(site, cookie, to) });
  return site.settings.current().oidc_providers.map(({ name, display_name }) => ({
    displayName: display_name,
    href: `/oidc/${name}/start?${query}`,
  }));
}

/** Returns the page to which a link leads; undefined when the link is not from a sign-in page that this browser got. */
export function targetOfLink(site: Site, cookie: string, params: URLSearchParams): string | undefined {
  const to = params.get('to') ?? '';
  return cookie !== '' && sameText(params.get('csrf') ?? '', linkToken(site, cookie, to)) ? to : undefined;
}

function linkToken({ signer }: Site, cookie: string, to: string): string {
  return signer.digest('provider-link', JSON.stringify([cookie, to]));
}
