import { type AppError, type AppErrorData, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, type ErrorCode } from '../../../shared/contract/error-catalog.ts';

/** Progress without a failure. */
export type Progress =
  /** Done: the row determines the next step. */
  | { kind: 'done' }
  /**
   * Too early to know: the step runs again in `inMs`, and the row shows `reason` until then. `keepsTries`: earlier
   * failures of the step still count; otherwise its requests succeeded, and the count is reset.
   */
  | { kind: 'wait'; inMs: number; reason: AppErrorData | null; keepsTries: boolean }
  /** The job releases its slot; nothing is counted. */
  | { kind: 'release' };

/**
 * A failure, classified by the error catalog: `retry` after the backoff or when its cause is gone, `ask` the user, or
 * `failed` permanently. `counted`: what the failure is counted for.
 */
export interface Failure<Counted = unknown> {
  kind: 'retry' | 'ask' | 'failed';
  error: AppErrorData;
  counted: Counted;
}

/** The result of a step of background work. Exceptions are reserved for bugs and database errors. */
export type StepResult<Counted = unknown> = Progress | Failure<Counted>;

export const DONE: Progress = { kind: 'done' };
export const RELEASE: Progress = { kind: 'release' };

/**
 * Returns: nothing failed, but it is too early to know; poll again in `inMs`. `reason`: the error code that the row
 * shows until then.
 */
export function pollAgain(inMs: number, reason: ErrorCode = 'upload.looking'): Progress {
  return { kind: 'wait', inMs, reason: appError(reason).toData(), keepsTries: false };
}

/** Returns: the job waits for something that is not its own failure. Its earlier failures still count. */
export function waitFor(inMs: number, reason: AppError | AppErrorData): Progress {
  return { kind: 'wait', inMs, reason: 'toData' in reason ? reason.toData() : reason, keepsTries: true };
}

/** Returns the result of a step that threw. */
export function failureOf<Counted>(error: unknown, counted: Counted): Failure<Counted> {
  const data = toAppError(error).toData();
  const disposition = dispositionOf(data.code);
  const kind = disposition === 'ask' ? 'ask' : disposition === 'permanent' ? 'failed' : 'retry';
  return { kind, error: data, counted };
}
