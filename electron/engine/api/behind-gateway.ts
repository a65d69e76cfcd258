import { type AppError, appError } from '../../../shared/contract/app-error.ts';

/** Returns the error of a library that doesn't answer; `answer`: that of a server in front of it. */
export function behindGateway(answer: AppError, details: Record<string, unknown> | null): AppError {
  return appError('network.gateway', { details: details ?? {}, cause: answer });
}
