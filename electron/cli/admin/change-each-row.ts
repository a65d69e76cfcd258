import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import { type AppErrorData, toAppError } from '../../../shared/contract/app-error.ts';
import { endsAll } from '../../../shared/contract/errors/error-catalog.ts';

/**
 * Makes the changes of a table one by one. The first interruption ends it after a change, and nothing is sent after an error that concerns
 * all of them: the others fail with the same one. `change` returns the id of what it changed.
 */
export async function changeEachRow<R>(
  rows: readonly R[],
  { signal, nameOf }: { signal: AbortSignal; nameOf: (row: R) => string },
  change: (row: R) => Promise<string>,
): Promise<AdminOutcome> {
  const outcome: AdminOutcome = { done: [], failed: [] };
  let end: AppErrorData | null = null;
  for (const row of rows) {
    if (signal.aborted) break;
    const error: AppErrorData | null =
      end ??
      (await change(row).then(
        (id) => {
          outcome.done.push(id);
          return null;
        },
        (thrown) => toAppError(thrown).toData(),
      ));
    if (error === null) continue;
    if (endsAll(error.code)) end = error;
    outcome.failed.push({ id: '', name: nameOf(row), error });
  }
  return outcome;
}
