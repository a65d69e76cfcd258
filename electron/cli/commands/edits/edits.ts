import { ALL_EDIT_FIELDS, EDIT_FILTERS, type EditChoice, type EditRowsRef } from '../../../../shared/contract/edits.ts';
import { noOperands, type OptionValues, oneOf, onlyOperand, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand, EDITING_INTERRUPTED } from '../../command-base/define-engine-command.ts';
import { readInstant } from '../../edits/change-options.ts';
import { askedBy, decisionLines } from '../../edits/decision-text.ts';
import { groupCells, rowLines } from '../../edits/edit-text.ts';
import { findEditGroup, openGroupsOf, sendEdits } from '../../edits/send-edits.ts';
import { EXIT } from '../../output/exit-codes.ts';

const PAGE = 200;
const GROUP_OR_ROWS = '[GROUP | EDIT…]';

export const editsListCommand = defineEngineCommand({
  name: 'edits list',
  operands: '',
  summary: 'List edits, the newest first.',
  options: { open: { value: null, help: 'Only those that are not finished.' } },
  read(values, operands) {
    noOperands(operands);
    return { isOpen: values.open === true };
  },
  reads: () => true,
  async run({ engine, output }, { isOpen }) {
    const { groups, totals, total } = await engine.call('edits.groups', {
      siteId: null,
      isOpen,
      offset: 0,
      limit: PAGE,
    });
    for (const group of groups) output.record({ edits: group });
    output.record({ totals });
    if (groups.length === 0) output.note('There are no edits.');
    output.table(['ID', 'TIME', 'ITEMS', 'STATE', 'EDIT'], groups.map(groupCells));
    if (groups.length < total) output.note(`${groups.length} of ${total} edits.`);
    return EXIT.complete;
  },
});

export const editsShowCommand = defineEngineCommand({
  name: 'edits show',
  operands: '[GROUP]',
  summary: 'Show the items of an edit, or everything that needs you.',
  options: {
    filter: {
      value: 'STATE',
      values: EDIT_FILTERS,
      help: `${EDIT_FILTERS.join(', ')}. Default: all, or attention without GROUP.`,
    },
  },
  read(values, operands) {
    const ref = operands.length === 0 ? null : onlyOperand(operands, 'Enter an edit.');
    return { ref, filter: oneOf(values, 'filter', EDIT_FILTERS, ref === null ? 'attention' : 'all') };
  },
  reads: () => true,
  async run(context, { ref, filter }) {
    const { engine, output } = context;
    const groupId = ref === null ? null : (await findEditGroup(context, ref)).id;
    for (let offset = 0; ; offset += PAGE) {
      const page = { groupId, filter, entityId: null, offset, limit: PAGE };
      const { rows, total } = await engine.call('edits.groupRows', page);
      for (const row of rows) {
        output.record({ edit: row });
        for (const line of rowLines(row)) output.line(line);
      }
      if (offset === 0 && total === 0) output.note('There are no such edits.');
      if (offset + PAGE >= total) return EXIT.complete;
    }
  },
});

export const editsRetryCommand = defineEngineCommand({
  name: 'edits retry',
  operands: GROUP_OR_ROWS,
  summary: 'Send edits that wait or were refused. Default: all of them.',
  options: {},
  read: (_values, operands) => ({ refs: operands }),
  interruptedText: EDITING_INTERRUPTED,
  async run(context, { refs }) {
    const { engine, output } = context;
    const rows = await rowsOf(context, refs, 'open');
    const groupIds = await openGroupsOf(context, rows);
    const { changed } = await engine.call('edits.retry', rows);
    output.record({ retry: { changed } });
    return sendEdits(context, ...groupIds);
  },
});

export const editsDropCommand = defineEngineCommand({
  name: 'edits drop',
  operands: 'GROUP | EDIT…',
  summary: 'Drop edits that are not sent yet. They stay in the list.',
  options: {},
  read(_values, operands) {
    if (operands.length === 0) throw new UsageError('Enter an edit; “last” is the newest one.');
    return { refs: operands };
  },
  async run(context, { refs }) {
    const { changed } = await context.engine.call('edits.drop', await rowsOf(context, refs, 'open'));
    context.output.record({ drop: { changed } });
    context.output.line(changed === 1 ? '1 item dropped.' : `${changed} items dropped.`);
    return EXIT.complete;
  },
});

export const editsResolveCommand = defineEngineCommand({
  name: 'edits resolve',
  operands: 'GROUP | EDIT…',
  summary: 'Decide edits that someone else’s change or a passed time stopped.',
  options: {
    mine: { value: null, help: 'Send your value, although someone changed it.' },
    theirs: { value: null, help: 'Keep their value.' },
    value: { value: 'TEXT', help: 'Send another text.' },
    now: { value: null, help: 'Publish now, where the publish time has passed.' },
    at: { value: 'TIME', help: 'Publish at another time.' },
    field: {
      value: 'FIELD',
      values: ALL_EDIT_FIELDS,
      help: 'A field, such as title or display_name. Default: all that need it.',
    },
  },
  read(values, operands) {
    if (operands.length === 0) throw new UsageError('Enter an edit; “last” is the newest one.');
    const field =
      optionText(values, 'field') === null ? null : oneOf(values, 'field', ALL_EDIT_FIELDS, ALL_EDIT_FIELDS[0]);
    return { refs: operands, field, choice: readChoice(values) };
  },
  interruptedText: EDITING_INTERRUPTED,
  async run(context, { refs, field, choice }) {
    const { engine, output } = context;
    const rows = await rowsOf(context, refs, 'attention');
    const groupIds = await openGroupsOf(context, rows);
    const asked = await askedBy(context, rows, field);
    const { changed } = await engine.call('edits.resolve', { rows, field, choice });
    output.record({ resolve: { changed } });
    if (changed === 0) {
      output.note('None of these edits needs this decision.');
      return EXIT.incomplete;
    }
    for (const line of decisionLines(asked, choice)) output.line(line);
    return sendEdits(context, ...groupIds);
  },
});

export const editsUndoCommand = defineEngineCommand({
  name: 'edits undo',
  operands: 'GROUP',
  summary: 'Undo an edit: drop what isn’t sent, restore what is.',
  options: {},
  read: (_values, operands) => ({ ref: onlyOperand(operands, 'Enter an edit; “last” is the newest one.') }),
  interruptedText: EDITING_INTERRUPTED,
  async run(context, { ref }) {
    const { engine, output } = context;
    const { id: groupId } = await findEditGroup(context, ref);
    const undo = await engine.call('edits.undo', { groupId });
    output.record({ undo });
    if (undo.dropped > 0) output.line(`${undo.dropped} not sent and dropped.`);
    if (undo.notUndoable > 0) output.line(`${undo.notUndoable} deleted items can’t be restored.`);
    const code = undo.group === null ? EXIT.complete : await sendEdits(context, undo.group.id);
    return undo.notUndoable > 0 ? EXIT.incomplete : code;
  },
});

export const editsRedoCommand = defineEngineCommand({
  name: 'edits redo',
  operands: 'GROUP',
  summary: 'Make an undone edit again.',
  options: {},
  read: (_values, operands) => ({ ref: onlyOperand(operands, 'Enter an edit.') }),
  interruptedText: EDITING_INTERRUPTED,
  async run(context, { ref }) {
    const { engine, output } = context;
    const redo = await engine.call('edits.redo', { groupId: (await findEditGroup(context, ref)).id });
    output.record({ redo });
    if (redo.group !== null) return sendEdits(context, redo.group.id);
    output.line('The undo was not sent yet: it was dropped.');
    return EXIT.complete;
  },
});

function readChoice(values: OptionValues): EditChoice {
  const value = optionText(values, 'value');
  const at = optionText(values, 'at');
  const choices: EditChoice[] = [
    ...(['mine', 'theirs', 'now'] as const).flatMap((kind) => (values[kind] === true ? [{ kind }] : [])),
    ...(value === null ? [] : [{ kind: 'value' as const, value }]),
    ...(at === null ? [] : [{ kind: 'at' as const, at: readInstant(at, 'at') }]),
  ];
  const [choice, another] = choices;
  if (choice === undefined || another !== undefined) {
    throw new UsageError('Use one of --mine, --theirs, --value, --now and --at.');
  }
  return choice;
}

/**
 * Reads the edits of a group that the filter selects, or edits by their numbers. Without arguments: all edits that the filter
 * selects.
 */
async function rowsOf(
  context: EngineContext,
  refs: readonly string[],
  filter: 'open' | 'attention',
): Promise<EditRowsRef> {
  const [ref, ...more] = refs;
  if (ref === undefined) return { groupId: null, filter };
  if (refs.every((each) => /^\d+$/.test(each))) return { ids: [...refs] };
  noOperands(more);
  return { groupId: (await findEditGroup(context, ref)).id, filter };
}
