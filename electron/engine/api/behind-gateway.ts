import { type AppError, appError } from '../../../shared/contract/app-error.ts';

/**
 * Returns the error of a library that doesn't answer; `answer`: that of a server in front of it. Its `Retry-After` is left out: the
 * library may be back earlier, and its breaker probes it seldom.
 */
export function behindGateway(answer: AppError, { retryAfterMs: _, ...details }: Record<string, unknown>): AppError {
  return appError('network.gateway', { details, cause: answer });
}
