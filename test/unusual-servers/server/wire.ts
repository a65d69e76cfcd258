import type { IncomingHttpHeaders } from 'node:http';

/** The hosts of one library: its API, the store that receives the bytes, and a host that belongs to neither. */
export type Host = 'site' | 'store' | 'foreign';

/** The purpose of a request, as the API names it. */
export type Route =
  | 'authorize'
  | 'token'
  | 'tokeninfo'
  | 'user'
  | 'tree'
  | 'collections'
  | 'collection'
  | 'create-collection'
  | 'list-items'
  | 'count-items'
  | 'create-item'
  | 'item'
  | 'update-item'
  | 'publish'
  | 'add-tags'
  | 'delete-item'
  | 'list-files'
  | 'create-file'
  | 'file'
  | 'delete-file'
  | 'create-thumb'
  | 'destination'
  | 'notify'
  | 'other';

/** The head of a request, before its body is read. */
export interface RequestHead {
  host: Host;
  route: Route;
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  /** The ids in the path, decoded. */
  ids: string[];
}

export interface Request extends RequestHead {
  body: Buffer;
}

/** The end of a connection after its reply. `keep`: the client may reuse it. */
type Ending = 'keep' | 'close' | 'reset';

/** An answer. Header names and values are sent exactly as given. */
export interface Reply {
  status: number;
  headers: [name: string, value: string][];
  body: string | Buffer;
  /** The delay of the reply in milliseconds of the library's clock. */
  delayMs?: number;
  /** The exact bytes to send instead of everything above. */
  raw?: string | Buffer;
  /** Whether the reply is lost: the request took effect, but no byte of the reply is sent. */
  isLost?: boolean;
  ending?: Ending;
}

export function reply(status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Reply {
  return { status, headers: Object.entries(headers), body };
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return reply(status, JSON.stringify(value), { 'Content-Type': 'application/json', ...headers });
}

export function html(status: number, text: string, headers: Record<string, string> = {}): Reply {
  const page = `<!doctype html><html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>`;
  return reply(status, page, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
}

export function headerOf(answer: Reply, name: string): string | undefined {
  return answer.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** Returns the reply with these headers, which replace headers with the same names; null removes a header. */
export function withHeaders(answer: Reply, changes: Record<string, string | null>): Reply {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = answer.headers.filter(([name]) => !changed.has(name.toLowerCase()));
  const added = Object.entries(changes).filter((each): each is [string, string] => each[1] !== null);
  return { ...answer, headers: [...kept, ...added] };
}

export function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

/** Returns the JSON of a request or reply; undefined for a body that is no JSON. */
export function jsonOf({ body }: { body: string | Buffer }): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The reply with its JSON changed. What is no JSON stays as it is. */
// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
export function withJson(answer: Reply, change: (value: any) => unknown): Reply {
  const value = jsonOf(answer);
  return value === undefined ? answer : { ...answer, body: JSON.stringify(change(value)) };
}
