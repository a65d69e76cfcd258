/** What went wrong with one exchange, as plain facts: the input of `classify`. */
export type Failure = StatusFailure | NetworkFailure | AnswerFailure;

interface Exchange {
  method: string;
  url: URL;
  /** False for a host that is not the site itself: its 401 says nothing about our sign-in. */
  ownSite: boolean;
}

/** The server answered, and not with a success. */
export interface StatusFailure extends Exchange {
  kind: 'status';
  status: number;
  contentType: string;
  body: string;
  /** The header of that name, as sent. */
  retryAfter: string | null;
  /** The header of that name, as sent: the server's clock. */
  date?: string | null;
  /** The methods that the header of that name allows, with 405. */
  allow?: string | undefined;
}

/** No answer, or only half of one. */
export interface NetworkFailure extends Exchange {
  kind: 'network';
  /** The code of the system, of TLS, or of the HTTP parser. */
  code: string;
  /** For time-outs: what was waited for. */
  phase: string | null;
  /** False when it is certain that no byte of the request left this machine. */
  sent: boolean;
}

/** A success whose contents can't be used. */
interface AnswerFailure extends Exchange {
  kind: 'answer';
  status: number;
  /** What is wrong with it, in words for a report. */
  reason: string;
}
