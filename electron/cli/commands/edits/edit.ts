import { type OptionSpec, type OptionValues, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { warnOfClock } from '../../command-base/clock-warning.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand, EDITING_INTERRUPTED } from '../../command-base/define-engine-command.ts';
import { CHANGE_OPTIONS, readChange, type WantedChange } from '../../edits/change-options.ts';
import { runEdit } from '../../edits/run-edit.ts';
import { seriesOf } from '../../edits/series-of.ts';
import {
  editSelectionOf,
  ITEM_SELECTION_OPTIONS,
  type ItemSelection,
  readItemSelection,
} from '../../library/item-selection.ts';
import { QUERY_OPTIONS } from '../../library/query-options.ts';
import type { ExitCode } from '../../output/exit-codes.ts';

interface EditInput {
  items: ItemSelection;
  wanted: WantedChange;
  isDryRun: boolean;
  isConfirmed: boolean;
  label: string;
}

/** The order of a query's items in a series. Items that are given by their ids have the order of these. */
const ORDER_OPTIONS = {
  sort: { ...QUERY_OPTIONS.sort, help: 'With --every and a query: the order of the items. Default: created_on.' },
  order: QUERY_OPTIONS.order,
} as const satisfies Record<string, OptionSpec>;

/** Edits items by their ids, or all items of a query, through the same journal as the window. */
export const editCommand = defineEngineCommand<EditInput>({
  name: 'edit',
  operands: '[ITEM…]',
  summary: 'Edit items of the library: by ID, or all items of a query.',
  options: {
    ...CHANGE_OPTIONS,
    ...ITEM_SELECTION_OPTIONS,
    ...ORDER_OPTIONS,
    label: { value: 'TEXT', help: 'A name for this edit in lists.' },
    'dry-run': { value: null, help: 'Only show what would change.' },
    yes: { value: null, help: 'Confirm --delete.' },
  },
  read: readInput,
  interruptedText: EDITING_INTERRUPTED,
  run: editItems,
});

function readInput(values: OptionValues, ids: readonly string[]): EditInput {
  const isOrdered = values.sort !== undefined || values.order !== undefined;
  if (isOrdered && (ids.length > 0 || values.every === undefined)) {
    throw new UsageError('Use --sort and --order only with --every and a query.');
  }
  return {
    items: readItemSelection(values, ids),
    wanted: readChange(values),
    isDryRun: values['dry-run'] === true,
    isConfirmed: values.yes === true,
    label: optionText(values, 'label') ?? '',
  };
}

async function editItems(context: EngineContext, input: EditInput): Promise<ExitCode> {
  const { engine } = context;
  const { id: siteId } = await currentSite(context);
  const { change, series, moveTo } = input.wanted;
  if (change.publication?.kind === 'at' || series !== null) await warnOfClock(context, siteId);
  const times =
    series === null ? {} : { publication: { kind: 'series', series: await seriesOf(engine, series) } as const };
  const target = moveTo === null ? {} : { collectionId: (await findCollection(engine, siteId, moveTo)).id };
  const selection = await editSelectionOf(engine, siteId, input.items);
  return runEdit(context, {
    selection,
    change: { ...change, ...times, ...target },
    isDryRun: input.isDryRun,
    isConfirmed: input.isConfirmed,
    label: input.label,
  });
}
