import type { FaultFacts } from '../network/connection-fault.ts';

/** The result of a failed exchange as plain facts: the input of `classify`. */
export type ExchangeFailure = StatusFailure | NetworkFailure | AnswerFailure;

interface Exchange {
  method: string;
  url: URL;
  /** False for a host that is not the site itself: its 401 does not concern our sign-in. */
  ownSite: boolean;
}

/** The server answered with an error status. */
export interface StatusFailure extends Exchange {
  kind: 'status';
  status: number;
  contentType: string;
  body: string;
  /** The Retry-After header as sent. */
  retryAfter: string | null;
  /** The Date header as sent: the server's clock. */
  date?: string | null;
  /** The methods in the Allow header of a 405. */
  allow?: string | undefined;
}

/** No answer, or a truncated one. */
export interface NetworkFailure extends Exchange {
  kind: 'network';
  /** The error code of the system, of TLS, or of the HTTP parser. */
  code: string;
  /** For timeouts: the phase that did not end in time. */
  phase: string | null;
  /** False when certainly no byte of the request was sent. */
  sent: boolean;
  /** What is known about the proxy on the way, or about the certificate. */
  facts?: FaultFacts;
}

/** A success whose contents are unusable. */
interface AnswerFailure extends Exchange {
  kind: 'answer';
  status: number;
  /** The fault of the answer, for a report. */
  reason: string;
}
