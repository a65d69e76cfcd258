import type { BulkChange, EditSelection } from '../../../shared/contract/edits.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { planLines } from './edit-text.ts';
import { withReadProgress } from './plan-progress.ts';
import { sendEdits } from './send-edits.ts';

export interface WantedEdit {
  selection: EditSelection;
  change: BulkChange;
  /** Only shows the changes. */
  isDryRun: boolean;
  /** Whether the user confirmed the change; a deletion requires it. */
  isConfirmed?: boolean;
  /** A name for lists of edits; empty: none. */
  label: string;
}

const SHOWN_ROWS = 100;

/** Plans an edit, shows it or sends it, and returns the exit code: incomplete when items were omitted. */
export async function runEdit(context: EngineContext, wanted: WantedEdit): Promise<ExitCode> {
  const { engine, output } = context;
  const { selection, change, isDryRun, isConfirmed = false, label } = wanted;
  const plan = await withReadProgress(context, 'Reading the items…', () =>
    engine.call('edits.plan', { selection, change, planId: null, offset: 0, limit: SHOWN_ROWS }),
  );
  output.record({ plan });
  const mustConfirm = change.delete === true && !isConfirmed;
  if (isDryRun || mustConfirm) {
    for (const line of planLines(plan)) output.line(line);
    output.note(
      mustConfirm ? 'Nothing was deleted. Add --yes to delete them. You can’t undo this.' : 'Nothing was changed.',
    );
    return mustConfirm || plan.problems + plan.missing > 0 ? EXIT.incomplete : EXIT.complete;
  }
  const { group } = await withReadProgress(context, `Storing ${plan.changed} edits…`, () =>
    engine.call('edits.apply', { planId: plan.planId, except: [], label }),
  );
  const leftOut = plan.problems + plan.missing;
  if (leftOut > 0) {
    output.note(`${leftOut === 1 ? '1 item is' : `${leftOut} items are`} left out. To see the reason, use --dry-run.`);
  }
  if (group === null) {
    output.line('Nothing to change.');
    return leftOut === 0 ? EXIT.complete : EXIT.incomplete;
  }
  const code = await sendEdits(context, group.id);
  return leftOut === 0 || code !== EXIT.complete ? code : EXIT.incomplete;
}
