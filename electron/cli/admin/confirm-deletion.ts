import { MOST_UNTYPED_DELETIONS } from '../../../shared/model/access/admin-limits.ts';
import type { EngineContext } from '../command-base/context.ts';
import { standardLineQuestion } from '../output/standard-streams.ts';
import { counted } from './admin-outcome.ts';

export const YES_OPTION = { yes: { value: null, help: 'Delete without asking. You can’t undo this.' } } as const;

type Confirming = Pick<EngineContext, 'output' | 'interruption'>;

/**
 * Returns whether a deletion that was just shown is confirmed: by `--yes`, or by what the user types in a terminal. Prints that nothing
 * was deleted when it isn't. `terminal`: null without one.
 */
export async function isDeletionConfirmed(
  context: Confirming,
  { count, one, isYes }: { count: number; one: string; isYes: boolean },
  terminal: ReturnType<typeof standardLineQuestion> = standardLineQuestion(),
): Promise<boolean> {
  const word = count > MOST_UNTYPED_DELETIONS ? String(count) : 'yes';
  const texts = { action: `Delete ${counted(count, one)}`, verb: 'delete', done: 'deleted' };
  return isYes || isConfirmed(context, { ...texts, word }, terminal);
}

/** The same for a merge. */
export async function isMergeConfirmed(context: Confirming, action: string): Promise<boolean> {
  return isConfirmed(context, { action, verb: 'merge', done: 'merged', word: 'yes' }, standardLineQuestion());
}

async function isConfirmed(
  { output, interruption }: Confirming,
  { action, verb, done, word }: { action: string; verb: string; done: string; word: string },
  terminal: ReturnType<typeof standardLineQuestion>,
): Promise<boolean> {
  const ask = output.json ? null : terminal;
  if (ask !== null) {
    const answer = await ask(`${action}? You can’t undo this. Type ${word}: `, interruption.signal);
    if (answer?.trim().toLowerCase() === word) return true;
  }
  output.note(
    ask === null ? `Nothing was ${done}. Add --yes to ${verb}. You can’t undo this.` : `Nothing was ${done}.`,
  );
  return false;
}
