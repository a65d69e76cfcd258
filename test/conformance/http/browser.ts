import type { Form } from './html.ts';
import type { Site } from './site.ts';

export interface Page {
  url: string;
  status: number;
  location: string | null;
  html: string;
}

const REQUEST_LIMIT_MS = 30_000;

/** A minimal browser for plain HTML forms: it keeps cookies and sends forms. It does not follow redirects. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(site: Site) {
    this.#origin = new URL(site.baseUrl).origin;
  }

  async open(url: string, form?: URLSearchParams): Promise<Page> {
    // Cookies and form fields are sent to the site only.
    if (new URL(url).origin !== this.#origin) throw new Error(`The page leads away from the site: ${url}`);
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      headers: {
        accept: 'text/html',
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form ? { origin: this.#origin } : {}),
      },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return { url, status: response.status, location: response.headers.get('location'), html: await response.text() };
  }

  /** Sends a form with the page's preset values and the given ones. */
  submit(page: Page, form: Form, values: Readonly<Record<string, string>>): Promise<Page> {
    const target = new URL(form.action || page.url, page.url);
    const fields = new URLSearchParams([...form.preset]);
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    if (form.method === 'post') return this.open(target.href, fields);
    target.search = fields.toString();
    return this.open(target.href);
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(';');
    const cut = pair.indexOf('=');
    const [name, value] = [pair.slice(0, cut).trim(), pair.slice(cut + 1).trim()];
    const isGone = value === '' || attributes.some((text) => /^\s*max-age\s*=\s*0\s*$/i.test(text));
    if (isGone) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
