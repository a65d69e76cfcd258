/** The error of one field of a request. */
export interface RefusedField {
  field: string;
  message: string;
}

/** An error that the caller sees: a status, a sentence, and the invalid fields. */
export class Problem extends Error {
  readonly status: number;
  readonly fields: readonly RefusedField[];
  /** Additional headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Additional members of the body of a 422. */
  readonly more: Readonly<Record<string, unknown>>;
  /** Whether the caller lacks a permission. Unlike for other 403s, the API leaves the status open. */
  readonly lacksPermission: boolean = false;

  constructor(
    status: number,
    message: string,
    fields: readonly RefusedField[] = [],
    headers: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.headers = headers;
    this.more = more;
  }
}

/** The problem that the caller lacks a permission. */
class LacksPermission extends Problem {
  override readonly lacksPermission = true;
}

export const badRequest = (message: string): Problem => new Problem(400, message);
/**
 * The problem that the access token is missing or no longer valid. As RFC 6750 demands, the answer says which of the two applies,
 * and contains no error details when no token was sent.
 */
export const unauthorized = (sent: 'no-token' | 'bad-token'): Problem =>
  new Problem(401, 'Bad credentials', [], { 'www-authenticate': bearerChallenge(sent) });
/**
 * The problem of a forbidden request. Without a message: the caller lacks a permission. With a message: no caller may do this,
 * which is 403 in every dialect.
 */
export const forbidden = (message?: string): Problem =>
  message === undefined
    ? new LacksPermission(403, 'You do not have the permission to do this.')
    : new Problem(403, message);
export const notFound = (what: string): Problem => new Problem(404, `${what} not found.`);
export const conflict = (message: string): Problem => new Problem(409, message);
/** The maximum number of reported fields: the first ones are enough for a caller that sends ten thousand wrong ids. */
const MAX_REPORTED = 100;
export const invalid = (fields: readonly RefusedField[]): Problem =>
  new Problem(422, 'The request has invalid values.', fields.slice(0, MAX_REPORTED));
export function bearerChallenge(sent: 'no-token' | 'bad-token'): string {
  const error = ', error="invalid_token", error_description="The access token is not valid or has expired."';
  return `Bearer realm="library"${sent === 'bad-token' ? error : ''}`;
}

export const readOnly = (): Problem => new Problem(503, 'The service is in read-only mode: writes are disabled.');

/** Seconds after which a client may find the service started again. */
const STOPPING_RETRY_S = 10;
/** The problem that the service is about to stop. The API's retryable error for servers, with a time to wait. */
export const stopping = (): Problem =>
  new Problem(503, 'The service is stopping: it accepts no more writes.', [], {
    'retry-after': String(STOPPING_RETRY_S),
  });

/** Seconds after which somebody may have made room on the drive. */
const FULL_RETRY_S = 60;
/**
 * The problem that the drive has no room for new files. Not 503, which the API gives to read-only mode: clients would stop other writes
 * too.
 */
export const noSpace = (): Problem =>
  new Problem(507, 'The drive of the library is almost full: it accepts no new files at the moment.', [], {
    'retry-after': String(FULL_RETRY_S),
  });

/** Seconds after which the storage may answer again. */
const STORAGE_RETRY_S = 10;
/** The problem that content can't be stored or read at present. Not 503, for the reason of `noSpace`. */
export const storageGone = (): Problem =>
  new Problem(502, 'The storage of the library does not answer at the moment.', [], {
    'retry-after': String(STORAGE_RETRY_S),
  });
