import { MOST_UNTYPED_DELETIONS } from '../../../shared/model/access/admin-limits.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { standardLineQuestion } from '../output/standard-streams.ts';
import { counted } from './admin-outcome.ts';

export const YES_OPTION = { yes: { value: null, help: 'Delete without asking. You can’t undo this.' } } as const;

type Confirming = Pick<EngineContext, 'output' | 'interruption'>;

/**
 * Asks whether to delete what was just shown. Returns null when it is confirmed, by `--yes` or by what the user types in a terminal;
 * otherwise, also after an interruption, prints that nothing was deleted, and returns the exit code. `terminal`: null without one.
 */
export async function refusalOfDeletion(
  context: Confirming,
  { count, one, isYes }: { count: number; one: string; isYes: boolean },
  terminal: ReturnType<typeof standardLineQuestion> = standardLineQuestion(),
): Promise<ExitCode | null> {
  const word = count > MOST_UNTYPED_DELETIONS ? String(count) : 'yes';
  const texts = { action: `Delete ${counted(count, one)}`, verb: 'delete', done: 'deleted' };
  return refusalOf(context, { ...texts, word, isYes }, terminal);
}

/** The same for a merge. */
export async function refusalOfMerge(
  context: Confirming,
  { action, isYes }: { action: string; isYes: boolean },
): Promise<ExitCode | null> {
  return refusalOf(context, { action, verb: 'merge', done: 'merged', word: 'yes', isYes }, standardLineQuestion());
}

/** The same for the rest of an interrupted command. */
export async function refusalOfContinuing(
  context: Confirming,
  { action, isYes }: { action: string; isYes: boolean },
): Promise<ExitCode | null> {
  return refusalOf(context, { action, verb: 'continue', done: 'changed', word: 'yes', isYes }, standardLineQuestion());
}

/** Returns the exit code after an interruption, and prints what was not done; null without one. Called right before a change. */
export function refusalOfStopped({ output, interruption }: Confirming, done: string): ExitCode | null {
  if (!interruption.signal.aborted) return null;
  output.note(`Nothing was ${done}.`);
  return interruption.exitCode() ?? EXIT.incomplete;
}

async function refusalOf(
  context: Confirming,
  { action, verb, done, word, isYes }: { action: string; verb: string; done: string; word: string; isYes: boolean },
  terminal: ReturnType<typeof standardLineQuestion>,
): Promise<ExitCode | null> {
  const { output, interruption } = context;
  if (isYes || interruption.signal.aborted) return refusalOfStopped(context, done);
  const ask = output.json ? null : terminal;
  if (ask !== null) {
    const answer = await ask(`${action}? You can’t undo this. Type ${word}: `, interruption.signal);
    if (answer?.trim().toLowerCase() === word) return refusalOfStopped(context, done);
  }
  output.note(
    ask === null ? `Nothing was ${done}. Add --yes to ${verb}. You can’t undo this.` : `Nothing was ${done}.`,
  );
  return interruption.exitCode() ?? EXIT.incomplete;
}
