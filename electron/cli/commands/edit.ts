import type { EditSelection } from '../../../shared/contract/edits.ts';
import { type OptionValues, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { findCollection } from '../collections/find-collection.ts';
import { currentSite, type EngineContext } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { CHANGE_OPTIONS, readChange, type WantedChange } from '../edits/change-options.ts';
import { planLines } from '../edits/edit-text.ts';
import { sendEdits } from '../edits/send-edits.ts';
import { mediaQueryOf } from '../library/each-item.ts';
import { type ItemQuery, QUERY_OPTIONS, readItemQuery } from '../library/query-options.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';

interface EditInput {
  ids: readonly string[];
  /** null: only the ids. */
  query: ItemQuery | null;
  wanted: WantedChange;
  isDryRun: boolean;
  isConfirmed: boolean;
  label: string;
}

const { sort: _sort, order: _order, ...FILTERS } = QUERY_OPTIONS;
const SHOWN_ROWS = 100;

/** Edits items by their ids, or all items of a query, through the same journal as the window. */
export const editCommand = defineEngineCommand<EditInput>({
  name: 'edit',
  operands: '[ITEM…]',
  summary: 'Edit items of the library: by ID, or all items of a query.',
  options: {
    ...CHANGE_OPTIONS,
    query: { value: 'TEXT', help: 'All items with this text; an empty text with filters, or for the whole library.' },
    ...FILTERS,
    label: { value: 'TEXT', help: 'A name for this edit in lists.' },
    'dry-run': { value: null, help: 'Only show what would change.' },
    yes: { value: null, help: 'Confirm --delete.' },
  },
  read: readInput,
  interruptedText: 'Stopping after the items in flight. The rest stays in the list of edits.',
  run: editItems,
});

function readInput(values: OptionValues, ids: readonly string[]): EditInput {
  const text = optionText(values, 'query');
  const hasFilter = Object.keys(FILTERS).some((name) => values[name] !== undefined);
  const isQuery = text !== null || hasFilter;
  if (isQuery && ids.length > 0) throw new UsageError('Enter either the IDs of items or a query.');
  if (!isQuery && ids.length === 0) throw new UsageError('Enter the IDs of items, or use --query.');
  return {
    ids,
    query: isQuery ? readItemQuery(values, text ?? '') : null,
    wanted: readChange(values),
    isDryRun: values['dry-run'] === true,
    isConfirmed: values.yes === true,
    label: optionText(values, 'label') ?? '',
  };
}

async function editItems(context: EngineContext, input: EditInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const { change, moveTo } = input.wanted;
  const target = moveTo === null ? {} : { collectionId: (await findCollection(engine, siteId, moveTo)).id };
  const selection: EditSelection =
    input.query === null
      ? { siteId, ids: [...input.ids] }
      : { siteId, query: await mediaQueryOf(engine, siteId, input.query), except: [] };
  const plan = await engine.call('edits.plan', {
    ...{ selection, change: { ...change, ...target }, planId: null, offset: 0, limit: SHOWN_ROWS },
  });
  output.record({ plan });
  const mustConfirm = change.delete === true && !input.isConfirmed;
  if (input.isDryRun || mustConfirm) {
    for (const line of planLines(plan)) output.line(line);
    output.note(
      mustConfirm ? 'Nothing was deleted. Add --yes to delete them. You can’t undo this.' : 'Nothing was changed.',
    );
    return mustConfirm || plan.problems + plan.missing > 0 ? EXIT.incomplete : EXIT.complete;
  }
  const { group } = await engine.call('edits.apply', { planId: plan.planId, except: [], label: input.label });
  const isWhole = plan.problems + plan.missing === 0;
  if (!isWhole) output.note(`${plan.problems + plan.missing} items are left out. To see them, use --dry-run.`);
  if (group === null) {
    output.line('Nothing to change.');
    return isWhole ? EXIT.complete : EXIT.incomplete;
  }
  const code = await sendEdits(context, group.id);
  return isWhole || code !== EXIT.complete ? code : EXIT.incomplete;
}
