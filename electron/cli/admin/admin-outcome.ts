import type { AdminOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { afterCommand } from '../output/next-step.ts';
import type { Output } from '../output/output.ts';

/** The names of outcomes in `--json`, with the words that begin their lines. */
const VERBS = { deleted: 'Deleted', changed: 'Changed', imported: 'Imported' } as const;

/**
 * Prints what became of a change to several users, groups, tags or roles: a line such as `Deleted: 3 groups, 1 failed.`, then each
 * failed one with its reason. With `--json`, the record is `{ deleted: outcome }`. Returns the exit code; that of the signal after an
 * interruption.
 */
export function reportOutcome<O extends AdminOutcome>(
  { output, interruption }: Pick<EngineContext, 'output' | 'interruption'>,
  name: keyof typeof VERBS,
  { one, outcome }: { one: string; outcome: O },
): ExitCode {
  output.record({ [name]: outcome });
  const { done, failed } = outcome;
  const failedText = failed.length === 0 ? '' : `, ${failed.length} failed`;
  output.line(`${VERBS[name]}: ${counted(done.length, one)}${failedText}.`);
  const code = reportFailed(output, failed);
  return interruption.exitCode() ?? code;
}

/** Prints the entries that failed, each with its reason, and returns the exit code. */
export function reportFailed(output: Output, failed: AdminOutcome['failed']): ExitCode {
  for (const { id, name, error } of failed) {
    output.error(
      afterCommand({ ...error, message: `“${name === '' ? id : name}”: ${error.message}` }, 'command-ended'),
    );
  }
  return failed.length === 0 ? EXIT.complete : EXIT.incomplete;
}

/** A group, a tag or a role. */
interface Named {
  id: string;
  name: string;
}

/** Prints what was created; with `--json`, the record is `{ group: … }`, by `kind`. */
export function reportCreated(output: Output, kind: 'group' | 'tag', created: Named): ExitCode {
  output.record({ [kind]: created });
  output.line(`Created “${created.name}” (ID ${created.id}).`);
  return EXIT.complete;
}

/** The same for a new name. */
export function reportRenamed(output: Output, kind: 'group' | 'tag', before: Named, after: Named): ExitCode {
  output.record({ [kind]: after });
  output.line(`Renamed “${before.name}” to “${after.name}”.`);
  return EXIT.complete;
}

/** Returns `1 user`, or `12 users`. `several`: the plural, when it has other letters than an s more. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
