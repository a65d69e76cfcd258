import { createHash, randomBytes } from 'node:crypto';
import { Browser, type Page } from './browser.ts';
import { formsOf, titleOf } from './html.ts';
import type { Site } from './site.ts';

export const OOB = 'urn:ietf:wg:oauth:2.0:oob';
export const LOOPBACK = 'http://localhost:8765/';

export interface Credentials {
  email: string;
  password: string;
}

export interface AuthorizationRequest {
  response_type?: string | undefined;
  client_id?: string | undefined;
  redirect_uri?: string | undefined;
  scope?: string | undefined;
  state?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
}

/**
 * The PKCE parameters (RFC 7636) of every request for a code: a server may require them, and servers without PKCE
 * ignore unknown parameters. One verifier for the whole run is sufficient for tests.
 */
export const CODE_VERIFIER = randomBytes(32).toString('base64url');
export const PKCE = {
  code_challenge: createHash('sha256').update(CODE_VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
} as const;

/** How a visit to the authorization endpoint ended. */
export interface Outcome {
  /** `redirect`: to the application. `page`: a page without a form to fill in, or the login form again after a wrong password. */
  kind: 'redirect' | 'page';
  status: number;
  /** The target of the redirect; empty for a page. */
  location: string;
  query: URLSearchParams;
  fragment: URLSearchParams;
  title: string;
  html: string;
  /** Whether a form with a `decision` was shown. */
  sawConsent: boolean;
}

const MAX_STEPS = 12;

export function randomState(): string {
  return randomBytes(5).toString('hex');
}

export function authorizationUrl(site: Site, request: AuthorizationRequest): string {
  return site.url('/api2/oauth/authorize', { ...request });
}

/** Follows the pages of the authorization endpoint: logs in if asked, decides, and returns how it ended. */
export async function authorize(
  site: Site,
  request: AuthorizationRequest,
  person: Credentials,
  decision: 'approve' | 'deny' = 'approve',
  browser: Browser = new Browser(site),
): Promise<Outcome> {
  let page = await browser.open(authorizationUrl(site, request));
  let [loginsLeft, sawConsent] = [1, false];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (page.location !== null) {
      const target = new URL(page.location, page.url);
      if (!isOnSite(site, target) || returns(request, target)) return redirected(page, target.href, sawConsent);
      page = await browser.open(target.href);
      continue;
    }
    const forms = formsOf(page.html);
    const consent = forms.find((form) => form.names.has('decision'));
    const login = forms.find((form) => form.names.has('password') && form.names.has('email_address'));
    if (consent) {
      sawConsent = true;
      page = await browser.submit(page, consent, { decision });
    } else if (login && loginsLeft > 0) {
      loginsLeft -= 1;
      page = await browser.submit(page, login, { email_address: person.email, password: person.password });
    } else {
      return shown(page, sawConsent);
    }
  }
  throw new Error(`The pages of the authorization endpoint have no end; the last one was ${page.url}`);
}

function isOnSite(site: Site, url: URL): boolean {
  return url.origin === new URL(site.baseUrl).origin;
}

function returns({ redirect_uri }: AuthorizationRequest, url: URL): boolean {
  return redirect_uri !== undefined && /^https?:/.test(redirect_uri) && url.href.startsWith(redirect_uri);
}

function redirected(page: Page, location: string, sawConsent: boolean): Outcome {
  const url = new URL(location);
  return {
    kind: 'redirect',
    status: page.status,
    location,
    query: url.searchParams,
    fragment: new URLSearchParams(url.hash.slice(1)),
    title: '',
    html: '',
    sawConsent,
  };
}

function shown(page: Page, sawConsent: boolean): Outcome {
  return {
    kind: 'page',
    status: page.status,
    location: '',
    query: new URLSearchParams(),
    fragment: new URLSearchParams(),
    title: titleOf(page.html),
    html: page.html,
    sawConsent,
  };
}
