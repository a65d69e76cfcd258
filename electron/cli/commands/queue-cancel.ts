import { readSelection, SELECTION_OPTIONS } from '../arguments/selection.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printChanged } from '../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../uploads/known-uploads.ts';

export const queueCancelCommand = defineEngineCommand({
  name: 'queue cancel',
  operands: '[UPLOAD…]',
  summary: 'Give up uploads. Nothing on this disk is touched.',
  options: SELECTION_OPTIONS,
  read: (values, ids) => ({ selection: readSelection(values, ids, null) }),
  async run(context, { selection: given }) {
    const { engine, output } = context;
    const { selection, error } = await knownSelection(context, given);
    printChanged(output, 'cancel', 'Cancelled', await engine.call('uploads.cancel', selection));
    if ((await engine.call('uploads.leftovers', null)).left > 0) {
      output.note('What they left in the library is removed by “mediadesk queue resume --wait”, or by the window.');
    }
    return afterKnown(context, error, EXIT.complete);
  },
});
