import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import { AppError, type AppErrorData } from '../../../shared/contract/app-error.ts';
import { endsAll } from '../../../shared/contract/errors/error-catalog.ts';

/** The entries of a change of several; each is in one of the two lists. */
interface Changed<T> {
  done: T[];
  failed: { entry: T; error: AppErrorData }[];
}

/**
 * Makes a change for each entry in turn. An entry that fails does not end the others, except when the library can't be reached, the
 * sign-in is missing, or the account is no administrator any more: the entries after it fail with the same error, without a request.
 */
export async function changeEach<T>(entries: Iterable<T>, change: (entry: T) => Promise<void>): Promise<Changed<T>> {
  const changed: Changed<T> = { done: [], failed: [] };
  let end: AppError | null = null;
  for (const entry of new Set(entries)) {
    try {
      if (end !== null) throw end;
      await change(entry);
      changed.done.push(entry);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (endsAll(error.code)) end = error;
      changed.failed.push({ entry, error: error.toData() });
    }
  }
  return changed;
}

/** Names the entries that failed. */
export function adminOutcomeOf({ done, failed }: Changed<string>, nameOf: (id: string) => string): AdminOutcome {
  return { done, failed: failed.map(({ entry: id, error }) => ({ id, name: nameOf(id), error })) };
}

/** Returns what a library reads back after a change; `given` when it can't be read, because the change itself succeeded. */
export async function orGiven<T>(read: Promise<T>, given: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof AppError) return given;
    throw error;
  }
}

/** Returns null when the library does not have what is read. */
export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof AppError && error.code === 'api.not-found') return null;
    throw error;
  }
}
