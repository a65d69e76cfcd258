import { type AppError, type AppErrorData, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, type ErrorCode } from '../../../shared/contract/error-catalog.ts';

/** Progress without a failure. */
export type Progress =
  /** Done: the row says what comes next. */
  | { kind: 'done' }
  /**
   * Too early to know: again in `inMs`. The row shows `reason` meanwhile. `keepsTries`: earlier failures of the step still
   * count; otherwise its requests were answered, and the count starts anew.
   */
  | { kind: 'wait'; inMs: number; reason: AppErrorData | null; keepsTries: boolean }
  /** The job gives its slot back; nothing happened that counts. */
  | { kind: 'release' };

/**
 * A failure, classified by the error catalogue: `retry` after the backoff or once its cause is gone, `ask` a person, or
 * `failed` for good. `counted`: what the failure counts against.
 */
export interface Failure<Counted = unknown> {
  kind: 'retry' | 'ask' | 'failed';
  error: AppErrorData;
  counted: Counted;
}

/** How a step of background work ended. Exceptions are left for faults of the program and of its database. */
export type StepResult<Counted = unknown> = Progress | Failure<Counted>;

export const DONE: Progress = { kind: 'done' };
export const RELEASE: Progress = { kind: 'release' };

/** Nothing failed, but it is too early to know: poll again in `inMs`. `reason`: the error code that the row shows meanwhile. */
export function pollAgain(inMs: number, reason: ErrorCode = 'upload.looking'): Progress {
  return { kind: 'wait', inMs, reason: appError(reason).toData(), keepsTries: false };
}

/** The job waits for something that is not its own failure. Its failures so far still count. */
export function waitFor(inMs: number, reason: AppError | AppErrorData): Progress {
  return { kind: 'wait', inMs, reason: 'toData' in reason ? reason.toData() : reason, keepsTries: true };
}

/** The result of a step that threw. */
export function failureOf<Counted>(error: unknown, counted: Counted): Failure<Counted> {
  const data = toAppError(error).toData();
  const disposition = dispositionOf(data.code);
  const kind = disposition === 'ask' ? 'ask' : disposition === 'permanent' ? 'failed' : 'retry';
  return { kind, error: data, counted };
}
