/** What is wrong with one field of a request. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** A refusal that the caller is to see: a status, a sentence, and what is wrong with which field. */
export class Problem extends Error {
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  /** Headers that the answer carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** That the caller lacks a permission: a refusal whose status the API leaves open, unlike the other 403s. */
  readonly lacksPermission: boolean = false;

  constructor(
    status: number,
    message: string,
    fields: readonly FieldProblem[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.headers = headers;
  }
}

/** The refusal of what the caller has no permission to do. */
class LacksPermission extends Problem {
  override readonly lacksPermission = true;
}

export const badRequest = (message: string): Problem => new Problem(400, message);
/**
 * No access token, or one that is not valid any more. RFC 6750: the answer says which of the two it was, and nothing about a
 * token that was not sent.
 */
export const unauthorized = (sent: 'no-token' | 'bad-token'): Problem =>
  new Problem(401, 'Bad credentials', [], { 'www-authenticate': bearerChallenge(sent) });
/** Lacking a permission; with a message, something that nobody may do, which is 403 in every dialect. */
export const forbidden = (message?: string): Problem =>
  message === undefined
    ? new LacksPermission(403, 'You do not have the permission to do this.')
    : new Problem(403, message);
export const notFound = (what: string): Problem => new Problem(404, `${what} not found.`);
export const conflict = (message: string): Problem => new Problem(409, message);
/** So many are told of at once; who sends ten thousand wrong ids learns enough from the first ones. */
const MAX_TOLD = 100;
export const invalid = (fields: readonly FieldProblem[]): Problem =>
  new Problem(422, 'The request has invalid values.', fields.slice(0, MAX_TOLD));
export function bearerChallenge(sent: 'no-token' | 'bad-token'): string {
  const error = ', error="invalid_token", error_description="The access token is not valid or has expired."';
  return `Bearer realm="library"${sent === 'bad-token' ? error : ''}`;
}

export const readOnly = (): Problem => new Problem(503, 'The service is in read-only mode: writes are disabled.');
