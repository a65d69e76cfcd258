import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { printChanged } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';

export const queueNextCommand = defineEngineCommand({
  name: 'queue next',
  operands: '[UPLOAD…]',
  summary: 'Send uploads before all others.',
  options: SELECTION_OPTIONS,
  read: (values, ids) => ({ selection: readSelection(values, ids, null) }),
  async run(context, { selection: given }) {
    const { selection, error } = await knownSelection(context, given);
    printChanged(
      context.output,
      'next',
      'Next in the queue',
      await context.engine.call('uploads.sendNext', { selection }),
    );
    return afterKnown(context, error, EXIT.complete);
  },
});
