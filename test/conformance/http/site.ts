import { Answer, type Json } from './answer.ts';

/** The timeout of a request, including its whole answer. */
const REQUEST_LIMIT_MS = 30_000;

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface RequestOptions {
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: Json | undefined;
  /** Sent unchanged, instead of `body`. */
  raw?: { type: string; text: string } | undefined;
  form?: FormData | URLSearchParams | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  token?: string | null | undefined;
}

export interface SentRequest {
  method: string;
  /** An absolute address with its query. */
  url: string;
  options: RequestOptions;
  signal: AbortSignal;
}

/** Another way to send requests, such as a generated client. */
export interface Transport {
  /** Resolves with the answer; null: this way can't express the request. */
  send(request: SentRequest): Promise<{ status: number; headers: Headers; text: string } | null>;
}

/** The server under test: its address and a function for requests. Redirects are never followed. */
export class Site {
  readonly baseUrl: string;
  readonly #stop: AbortSignal;
  readonly #transport: Transport | undefined;

  /** All requests that the transport can express are sent by it. */
  constructor(baseUrl: string, stop: AbortSignal, transport?: Transport) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.#stop = stop;
    this.#transport = transport;
  }

  /** The same server without the signal that stops the run, for the cleanup. */
  unstopped(): Site {
    return new Site(this.baseUrl, new AbortController().signal, this.#transport);
  }

  /** A path below the base address, or an absolute address, as an absolute address with a query. */
  url(pathOrUrl: string, query: Query = {}): string {
    const url = new URL(/^https?:\/\//i.test(pathOrUrl) ? pathOrUrl : this.baseUrl + pathOrUrl);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.append(name, String(value));
    }
    return url.href;
  }

  /** The path below the base address that a Location header or a link refers to, whether it is a path or an address. */
  pathOf(location: string): string {
    return location.startsWith(this.baseUrl) ? location.slice(this.baseUrl.length) : location;
  }

  async send(method: string, pathOrUrl: string, options: RequestOptions = {}): Promise<Answer> {
    const url = this.url(pathOrUrl, options.query);
    const signal = AbortSignal.any([this.#stop, AbortSignal.timeout(REQUEST_LIMIT_MS)]);
    const given = await this.#transport?.send({ method, url, options, signal });
    if (given) return new Answer(method, this.pathOf(url), given, given.text);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: headersFor(options),
      signal,
      ...bodyFor(options),
    });
    return new Answer(method, this.pathOf(url), response, await response.text());
  }

  /** The bytes behind an address that needs no token. */
  async bytes(url: string): Promise<{ status: number; bytes: Buffer }> {
    const response = await fetch(url, { signal: AbortSignal.any([this.#stop, AbortSignal.timeout(REQUEST_LIMIT_MS)]) });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  }
}

function headersFor({ body, raw, headers, token }: RequestOptions): Record<string, string> {
  const type = raw?.type ?? (body === undefined ? undefined : 'application/json');
  return {
    accept: 'application/json, text/html;q=0.9, */*;q=0.1',
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(token == null ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
}

function bodyFor({ body, raw, form }: RequestOptions): { body?: string | FormData | URLSearchParams } {
  if (form) return { body: form };
  if (raw) return { body: raw.text };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}
