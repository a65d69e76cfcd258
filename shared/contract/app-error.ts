import { z } from 'zod';
import { ERROR_CATALOG, type ErrorCode } from './errors/error-catalog.ts';

/**
 * An error as data, for every boundary: engine → shell → screen, engine → command line, journal rows. Code decides by
 * `code` only, which is stable; `message` is a sentence for the user; `nextStep` is what the user can do.
 */
export const appErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  nextStep: z.string().nullable(),
  /** Facts that help to find the cause: status, path, the server's message. Never a secret. */
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type AppErrorData = z.output<typeof appErrorSchema>;

/** An `AppErrorData` as an exception, inside one process. `appError()` creates it. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly nextStep: string | null;
  readonly details: Record<string, unknown> | null;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.nextStep = ERROR_CATALOG[code].nextStep;
    this.details = details;
  }

  toData(): AppErrorData {
    return { code: this.code, message: this.message, nextStep: this.nextStep, details: this.details };
  }
}

/** Creates an error of the catalog. `message` replaces the catalog's sentence with a more exact one. */
export function appError(
  code: ErrorCode,
  options: { message?: string; details?: Record<string, unknown>; cause?: unknown } = {},
): AppError {
  return new AppError(code, options.message ?? ERROR_CATALOG[code].message, options.details ?? null, options.cause);
}

/** Returns an error that was passed or stored as data. */
export function errorFrom({ code, message, details }: AppErrorData): AppError {
  return new AppError(code as ErrorCode, message, details);
}

/** Converts any thrown value to an `AppError`; an unknown value is a bug and becomes `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return appError('internal', { details: { reason }, cause: thrown });
}
