/** One request, when its answer has ended or its connection was closed. */
export interface RequestFacts {
  /** The id in the header `X-Request-Id` of the answer; null when the service gives none. */
  id: string | null;
  method: string;
  /** The template of the route, such as `/api2/media/:id`; null when no route has the path. */
  route: string | null;
  /** The path without query, when no route has it; signed parts are redacted. */
  path: string | null;
  /** The status of the answer; null when none was sent completely. */
  status: number | null;
  durationMs: number;
  /** Bytes of the connection after the headers of the request, and from then on to the client. */
  receivedBytes: number;
  sentBytes: number;
  userId: number | null;
}

/** Called for each request; it must not throw. */
export type RequestObserver = (facts: RequestFacts) => void;
