import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { printChanged } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';

export const queueCancelCommand = defineEngineCommand({
  name: 'queue cancel',
  operands: '[UPLOAD…]',
  summary: 'Cancel uploads. Your local files stay unchanged.',
  options: SELECTION_OPTIONS,
  read: (values, ids) => ({ selection: readSelection(values, ids, null) }),
  async run(context, { selection: given }) {
    const { engine, output } = context;
    const { selection, error } = await knownSelection(context, given);
    printChanged(output, 'cancel', 'Cancelled', await engine.call('uploads.cancel', selection));
    if ((await engine.call('uploads.leftovers', null)).left > 0) {
      output.note(
        'Their unfinished items are still in the library. To remove them, run “mediadesk queue resume --wait” or open the Mediadesk window.',
      );
    }
    return afterKnown(context, error, EXIT.complete);
  },
});
