import type { EditSelection } from '../../../shared/contract/edits.ts';
import { type OptionValues, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { findCollection } from '../collections/find-collection.ts';
import { currentSite, type EngineContext } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { CHANGE_OPTIONS, readChange, type WantedChange } from '../edits/change-options.ts';
import { runEdit } from '../edits/run-edit.ts';
import { mediaQueryOf } from '../library/each-item.ts';
import { type ItemQuery, QUERY_OPTIONS, readItemQuery } from '../library/query-options.ts';
import type { ExitCode } from '../output/exit-codes.ts';

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
  const { engine } = context;
  const { id: siteId } = await currentSite(context);
  const { change, moveTo } = input.wanted;
  const target = moveTo === null ? {} : { collectionId: (await findCollection(engine, siteId, moveTo)).id };
  const selection: EditSelection =
    input.query === null
      ? { siteId, ids: [...input.ids] }
      : { siteId, query: await mediaQueryOf(engine, siteId, input.query), except: [] };
  return runEdit(context, {
    ...{ selection, change: { ...change, ...target }, isDryRun: input.isDryRun, isConfirmed: input.isConfirmed },
    label: input.label,
  });
}
