import { AppError } from '../../../shared/contract/app-error.ts';

/** Returns the result of a request; null when the library answers that the resource does not exist. Throws any other error. */
export async function existing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Returns whether the library answered that a resource does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'api.not-found';
}
