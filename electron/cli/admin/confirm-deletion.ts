import type { EngineContext } from '../command-base/context.ts';
import { standardLineQuestion } from '../output/standard-streams.ts';
import { counted } from './admin-outcome.ts';

export const YES_OPTION = { yes: { value: null, help: 'Delete without asking. You can’t undo this.' } } as const;

/** The most that a `yes` confirms; for more, the number must be typed. */
const MOST_BY_YES = 20;

/**
 * Returns whether a deletion that was just shown is confirmed: by `--yes`, or by what the user types in a terminal. Prints that nothing
 * was deleted when it isn't. `terminal`: null without one.
 */
export async function isDeletionConfirmed(
  { output, interruption }: Pick<EngineContext, 'output' | 'interruption'>,
  { count, one, isYes }: { count: number; one: string; isYes: boolean },
  terminal: ReturnType<typeof standardLineQuestion> = standardLineQuestion(),
): Promise<boolean> {
  if (isYes) return true;
  const ask = output.json ? null : terminal;
  if (ask !== null) {
    const word = count > MOST_BY_YES ? String(count) : 'yes';
    const answer = await ask(`Delete ${counted(count, one)}? You can’t undo this. Type ${word}: `, interruption.signal);
    if (answer?.trim().toLowerCase() === word) return true;
  }
  output.note(ask === null ? 'Nothing was deleted. Add --yes to delete. You can’t undo this.' : 'Nothing was deleted.');
  return false;
}
