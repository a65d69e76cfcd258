/** One request, when its answer has ended or its connection was closed. */
export interface RequestFacts {
  /** The id in the header `X-Request-Id` of the answer; null when the service gives none. */
  id: string | null;
  method: string;
  /** The template of the route, such as `/api2/media/:id`; null when no route has the path. */
  route: string | null;
  /** The beginning of the path, when no route has it: see `beginningOf`. */
  path: string | null;
  /** The status of the answer; null when none was sent completely. */
  status: number | null;
  durationMs: number;
  /** Bytes of the connection after the headers of the request. */
  receivedBytes: number;
  /** Bytes of the connection from then on to the client. Counted for the request log: 0 without an id. */
  sentBytes: number;
  userId: number | null;
}

/** Called for each request; it must not throw. */
export type RequestObserver = (facts: RequestFacts) => void;

/**
 * Returns what a log may have of the address of a request that no route has: its first segment, at most 40 characters of it. A wrong
 * address can have a secret anywhere behind it, such as a signed address with two slashes or in capital letters.
 */
export function beginningOf(url: string): string {
  const [beginning] = /^\/[\w.~-]{0,40}/.exec(url) ?? [''];
  const isWhole = url.length === beginning.length || (url[beginning.length] === '?' && beginning !== '');
  return isWhole ? beginning : `${beginning}…`;
}
