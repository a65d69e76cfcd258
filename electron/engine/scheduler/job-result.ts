import { type AppError, type AppErrorData, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';

/**
 * How a step of a job ended without an error. A step stores its facts itself, and throws its errors. The first result of a step
 * other than `done` ends the job.
 */
export type StepResult =
  /** The step is done: the next one is planned from the row. As the result of a job: it has ended. */
  | { kind: 'done' }
  /**
   * It is too early to continue: the step runs again in `inMs`; 0 for an upload that is
   * polled, because the poll schedule decides. `reason`: what the row shows until then. `keepsRetryCount`: the
   * step did not succeed in anything, so its earlier failures still count; false: its requests succeeded, and the count restarts.
   */
  | { kind: 'wait'; inMs: number; reason: AppErrorData | null; keepsRetryCount: boolean }
  /** The job gives up its slot without a result, and runs again when it is due. No retry is used up. */
  | { kind: 'release' };

/**
 * A job that ended with an error, classified by the error catalog: `retry` (it runs again after the backoff or when the cause is
 * gone), `ask` (the user has to decide) or `failed` (permanent). `counted`: what the failure counts for, such as the step of an
 * upload.
 */
export interface JobFailure<Counted = unknown> {
  kind: 'retry' | 'ask' | 'failed';
  error: AppErrorData;
  counted: Counted;
}

/** How a job ended. A job throws only for bugs and database errors. */
export type JobResult<Counted = unknown> = StepResult | JobFailure<Counted>;

export const DONE: StepResult = { kind: 'done' };
export const RELEASE: StepResult = { kind: 'release' };

/**
 * Returns the result of a step whose request to the library succeeded, but must be repeated in `inMs`. `reason`: the error code
 * that the row shows until then.
 */
export function pollAgain(inMs: number, reason: ErrorCode = 'upload.looking'): StepResult {
  return { kind: 'wait', inMs, reason: appError(reason).toData(), keepsRetryCount: false };
}

/** Returns the result of a step that has to wait for something else, such as a breaker. Its earlier failures still count. */
export function waitFor(inMs: number, reason: AppError | AppErrorData): StepResult {
  return { kind: 'wait', inMs, reason: 'toData' in reason ? reason.toData() : reason, keepsRetryCount: true };
}

/** Returns the result of a job with a step that threw. A missing sign-in is a `retry`: its cause can go away. */
export function failureOf<Counted>(error: unknown, counted: Counted): JobFailure<Counted> {
  const data = toAppError(error).toData();
  const disposition = dispositionOf(data.code);
  const kind = disposition === 'ask' ? 'ask' : disposition === 'permanent' ? 'failed' : 'retry';
  return { kind, error: data, counted };
}
