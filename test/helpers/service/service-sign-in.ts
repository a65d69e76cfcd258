import { createHash, randomBytes } from 'node:crypto';

/** The parts of a service that signing in needs. */
export interface SignInTarget {
  baseUrl: string;
  clientId: string;
  admin: { email_address: string; password: string };
}

export interface SignInOptions {
  /** One of the seeded accounts; the administrator by default. */
  email?: string;
  password?: string;
  redirectUri?: string;
  scope?: string;
  responseType?: 'code' | 'token';
  decision?: 'approve' | 'deny';
  state?: string;
  /** Sends a PKCE challenge, unless false. */
  pkce?: boolean;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

/** A PKCE challenge for tests that read pages and redeem no code, or that redeem it with `PKCE_VERIFIER`. */
export const PKCE_VERIFIER = randomBytes(32).toString('base64url');
export const PKCE = {
  code_challenge: createHash('sha256').update(PKCE_VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
} as const;

/** A minimal browser for these pages: cookies, and forms that are parsed and sent. */
export class FormBrowser {
  readonly cookies = new Map<string, string>();
  readonly #language: string | undefined;

  /** `language`: what it sends as `Accept-Language`. */
  constructor(language?: string) {
    this.#language = language;
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(url: string, form?: URLSearchParams): Promise<{ url: string; response: Response; html: string }> {
    let next = { url, form };
    for (let hop = 0; hop < 10; hop += 1) {
      const response = await fetch(next.url, {
        redirect: 'manual',
        headers: {
          accept: 'text/html',
          cookie: this.cookieHeader(),
          ...(this.#language === undefined ? {} : { 'accept-language': this.#language }),
        },
        ...(next.form ? { method: 'POST', body: next.form } : {}),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
        this.cookies.set(name, value);
      }
      const location = response.headers.get('location');
      const target = location === null ? undefined : new URL(location, next.url);
      const stays = target?.origin === new URL(url).origin;
      if (!target || !stays) return { url: next.url, response, html: await response.text() };
      next = { url: target.href, form: undefined };
    }
    throw new Error('Too many redirects.');
  }

  /** Sends the page's first form that has a field (or button) of this name, with values filled in. */
  submit(page: { url: string; html: string }, field: string, values: Record<string, string>) {
    const form = (page.html.match(/<form[\s\S]*?<\/form>/g) ?? []).find((part) => part.includes(`name="${field}"`));
    if (!form) throw new Error(`The page has no form with ${field}:\n${page.html.slice(0, 2000)}`);
    const body = new URLSearchParams();
    for (const input of form.match(/<input[^>]*type="hidden"[^>]*>/g) ?? []) {
      body.set(attribute(input, 'name'), attribute(input, 'value'));
    }
    for (const [name, value] of Object.entries(values)) body.set(name, value);
    return this.open(new URL(attribute(form, 'action'), page.url).href, body);
  }
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&');
}

export interface AuthorizationOutcome {
  /** The parameters of the redirect (or of the out-of-band page's title). */
  params: URLSearchParams;
  verifier: string | null;
  redirectUri: string;
  state: string;
}

/** Follows the login and consent pages and returns what the application receives. */
export async function authorize(target: SignInTarget, options: SignInOptions = {}): Promise<AuthorizationOutcome> {
  const responseType = options.responseType ?? 'code';
  // Any port is valid, but only in the code flow.
  const redirectUri = options.redirectUri ?? `http://localhost${responseType === 'code' ? ':41234' : ''}/`;
  const state = options.state ?? randomBytes(6).toString('base64url');
  const verifier = responseType === 'code' && options.pkce !== false ? randomBytes(32).toString('base64url') : null;
  const query = new URLSearchParams({
    response_type: responseType,
    client_id: target.clientId,
    redirect_uri: redirectUri,
    state,
  });
  if (options.scope !== undefined) query.set('scope', options.scope);
  if (verifier !== null) {
    query.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
    query.set('code_challenge_method', 'S256');
  }
  const browser = new FormBrowser();
  let page = await browser.open(`${target.baseUrl}/api2/oauth/authorize?${query}`);
  page = await browser.submit(page, 'email_address', {
    email_address: options.email ?? target.admin.email_address,
    password: options.password ?? target.admin.password,
  });
  page = await browser.submit(page, 'decision', { decision: options.decision ?? 'approve' });
  return { params: outcomeOf(page), verifier, redirectUri, state };
}

function outcomeOf(page: { response: Response; html: string }): URLSearchParams {
  const location = page.response.headers.get('location');
  if (location !== null) {
    const url = new URL(location);
    return new URLSearchParams(url.hash === '' ? url.search : url.hash.slice(1));
  }
  const title = attribute(`title="${/<title>([^<]*)<\/title>/.exec(page.html)?.[1] ?? ''}"`, 'title');
  return new URLSearchParams(title.replace(/^\S+ /, ''));
}

/** Signs in over plain HTTP; returns the tokens. */
export async function signIn(target: SignInTarget, options: SignInOptions = {}): Promise<Tokens> {
  const { params, verifier, redirectUri } = await authorize(target, options);
  const code = params.get('code');
  if (code === null) throw new Error(`No code was given: ${params}`);
  const response = await fetch(`${target.baseUrl}/api2/oauth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: target.clientId,
      ...(verifier === null ? {} : { code_verifier: verifier }),
    }),
  });
  if (!response.ok) throw new Error(`The token endpoint answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Tokens;
}
