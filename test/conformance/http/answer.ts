import { Failure } from '../suite/failure.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** A complete answer of a server. */
export class Answer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(method: string, path: string, response: { status: number; headers: Headers }, text: string) {
    this.method = method;
    this.path = path;
    this.status = response.status;
    this.headers = response.headers;
    this.text = text;
  }

  get location(): string | null {
    return this.headers.get('location');
  }

  /** Whether it is a success (200 to 299). */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The body as JSON; throws a `Failure` when it is not JSON. */
  json(): Json {
    try {
      return JSON.parse(this.text) as Json;
    } catch {
      throw new Failure(`The body is not JSON: ${this}`);
    }
  }

  /** The body as a JSON object. */
  object(): JsonObject {
    const value = this.json();
    if (!isObject(value)) throw new Failure(`The body is not a JSON object: ${this}`);
    return value;
  }

  /** The server's clock in epoch ms, from its Date header; without one our own clock. */
  serverTimeMs(): number {
    const dated = Date.parse(this.headers.get('date') ?? '');
    return Number.isNaN(dated) ? Date.now() : dated;
  }

  /** A short summary of request and answer, without tokens. */
  toString(): string {
    const text = this.text.replace(/("(?:access|refresh)_token"\s*:\s*)"[^"]*"/g, '$1"…"').trim();
    const location = this.location === null ? '' : ` Location: ${withoutSecrets(this.location)}`;
    return `${this.method} ${this.path} → ${this.status}${location} ${text.slice(0, 400)}`.trimEnd();
  }
}

function withoutSecrets(location: string): string {
  return location.replace(/((?:code|access_token)=)[^&#]*/g, '$1…');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path such as `links.self`; undefined when there is none. */
export function at(value: Json | undefined, path: string): Json | undefined {
  let current = value;
  for (const name of path.split('.')) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}
