import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { afterCommand } from '../output/next-step.ts';
import type { Output } from '../output/output.ts';

/** Prints the entries that failed, each with its reason, and returns the exit code. */
export function reportFailed(output: Output, failed: AdminOutcome['failed']): ExitCode {
  for (const { id, name, error } of failed) {
    output.error(
      afterCommand({ ...error, message: `“${name === '' ? id : name}”: ${error.message}` }, 'command-ended'),
    );
  }
  return failed.length === 0 ? EXIT.complete : EXIT.incomplete;
}

/** Returns `1 user`, or `12 users`. `several`: the plural, when it has other letters than an s more. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
