// A person at the sign-in pages, without a browser: plain HTTP, cookies and HTML forms.

export interface Credentials {
  email_address: string;
  password: string;
}

interface Answer {
  url: string;
  status: number;
  body: string;
}

class Visitor {
  readonly #cookies = new Map<string, string>();
  readonly #stopAt: (url: URL) => boolean;

  /** Follows redirects, but not those to an address that `stopAt` names. */
  constructor(stopAt: (url: URL) => boolean) {
    this.#stopAt = stopAt;
  }

  async go(address: string, form?: URLSearchParams): Promise<Answer> {
    let url = new URL(address);
    let body = form;
    for (let hop = 0; hop < 10; hop += 1) {
      if (this.#stopAt(url)) return { url: url.href, status: 0, body: '' };
      const answer = await fetch(url, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body ? { body } : {}),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        this.#cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) return { url: url.href, status: answer.status, body: await answer.text() };
      await answer.body?.cancel();
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error(`Too many redirects from ${address}`);
  }
}

function unescapeHtml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return named[name] ?? whole;
  });
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  return value === undefined ? null : unescapeHtml(value);
}

/** The first form of a page that has a field of this name: where it goes, and its hidden fields. */
function formWith(page: Answer, field: string): { action: string; fields: URLSearchParams } {
  for (const [form] of page.body.matchAll(/<form\b[\s\S]*?<\/form>/gi)) {
    if (!form.includes(`name="${field}"`)) continue;
    const fields = new URLSearchParams();
    for (const [input] of form.matchAll(/<input\b[^>]*>/gi)) {
      if (attribute(input, 'type') === 'hidden')
        fields.set(attribute(input, 'name') ?? '', attribute(input, 'value') ?? '');
    }
    const opening = /<form\b[^>]*>/i.exec(form)?.[0] ?? '';
    return { action: new URL(attribute(opening, 'action') ?? '', page.url).href, fields };
  }
  throw new Error(`No form with “${field}” on ${page.url} (${page.status}):\n${page.body.slice(0, 500)}`);
}

/**
 * Opens `openUrl`, signs in and answers the consent form. Returns the address with the outcome, to which the browser
 * would be sent, without going there.
 */
export async function answerSignIn(openUrl: string, who: Credentials, decision: 'approve' | 'deny'): Promise<string> {
  const redirectUri = new URL(openUrl).searchParams.get('redirect_uri') ?? '';
  const redirect = new URL(redirectUri);
  const visitor = new Visitor((url) => url.origin === redirect.origin);
  const login = formWith(await visitor.go(openUrl), 'password');
  login.fields.set('email_address', who.email_address);
  login.fields.set('password', who.password);
  const consent = formWith(await visitor.go(login.action, login.fields), 'decision');
  consent.fields.set('decision', decision);
  const end = await visitor.go(consent.action, consent.fields);
  if (end.status !== 0) throw new Error(`No way back from ${end.url} (${end.status}):\n${end.body.slice(0, 500)}`);
  return end.url;
}

/** The same, and goes to the redirect as the browser would. Returns the page that the application shows there. */
export async function completeSignIn(
  openUrl: string,
  who: Credentials,
  decision: 'approve' | 'deny' = 'approve',
): Promise<{ status: number; body: string }> {
  const answer = await fetch(await answerSignIn(openUrl, who, decision), { redirect: 'manual' });
  return { status: answer.status, body: await answer.text() };
}
