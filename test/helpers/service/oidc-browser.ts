// A minimal browser for the way from the sign-in page to a provider and back.
import { PKCE } from './service-sign-in.ts';

export interface Page {
  url: string;
  status: number;
  html: string;
  headers: Headers;
}

/** Follows redirects between programs on this computer; as in real browsers, cookies belong to the host, not to its port. */
export class OidcBrowser {
  readonly cookies = new Map<string, string>();
  /** The addresses of all redirects, in their order. */
  readonly trail: string[] = [];

  /** `until`: the redirect to an address that begins with it is not followed; `url` is this address then. */
  async open(url: string, until?: string): Promise<Page> {
    let next = url;
    for (let hop = 0; hop < 15; hop += 1) {
      const response = await fetch(next, { redirect: 'manual', headers: { cookie: this.#header() } });
      this.#keep(response);
      const location = response.headers.get('location');
      const target = location === null ? undefined : new URL(location, next);
      if (target) this.trail.push(target.href);
      if (!target)
        return { url: next, status: response.status, html: await response.text(), headers: response.headers };
      await response.arrayBuffer();
      if (until !== undefined && target.href.startsWith(until)) {
        return { url: target.href, status: response.status, html: '', headers: response.headers };
      }
      next = target.href;
    }
    throw new Error('Too many redirects.');
  }

  #header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

export function authorizeUrl(
  library: { baseUrl: string; clientId: string },
  more: Record<string, string> = {},
): string {
  const params = { response_type: 'code', client_id: library.clientId, redirect_uri: 'http://localhost:41234/' };
  return `${library.baseUrl}/api2/oauth/authorize?${new URLSearchParams({ ...params, state: 'the state', ...PKCE, ...more })}`;
}

/** Returns the address of the link of a provider on the sign-in page. */
export function providerLink(page: Page, name: string): string {
  const links = [...page.html.matchAll(/<a class="button quiet" href="([^"]*)"/g)].map(([, href = '']) => decode(href));
  const href = links.find((each) => each.startsWith(`/oidc/${name}/start?`));
  if (href === undefined) throw new Error(`The page has no link for ${name}:\n${page.html.slice(-1500)}`);
  return new URL(href, page.url).href;
}

export function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
