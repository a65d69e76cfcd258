/** What is wrong with one field of a request. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** A refusal that the caller is to see: a status, a sentence, and what is wrong with which field. */
export class Problem extends Error {
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  /** That the caller lacks a permission: a refusal whose status the API leaves open, unlike the other 403s. */
  readonly lacksPermission: boolean = false;

  constructor(status: number, message: string, fields: readonly FieldProblem[] = []) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** The refusal of what the caller has no permission to do. */
class LacksPermission extends Problem {
  override readonly lacksPermission = true;
}

export const badRequest = (message: string): Problem => new Problem(400, message);
export const unauthorized = (): Problem => new Problem(401, 'Bad credentials');
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
export const readOnly = (): Problem => new Problem(503, 'The service is in read-only mode: writes are disabled.');
