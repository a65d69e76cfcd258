import { printChanged } from '../changed-uploads.ts';
import { defineEngineCommand } from '../define-engine-command.ts';
import { EXIT } from '../exit-codes.ts';
import { afterKnown, knownSelection } from '../known-uploads.ts';
import { readSelection, SELECTION_OPTIONS } from '../selection.ts';

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
      'To be sent next',
      await context.engine.call('uploads.sendNext', { selection }),
    );
    return afterKnown(context, error, EXIT.complete);
  },
});
