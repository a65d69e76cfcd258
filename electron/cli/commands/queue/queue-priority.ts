import { PRIORITIES } from '../../../../shared/model/uploads/priorities.ts';
import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { printChanged } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';

export const queuePriorityCommand = defineEngineCommand({
  name: 'queue priority',
  operands: 'CLASS [UPLOAD…]',
  summary: `Set the priority of uploads: ${PRIORITIES.join(', ')}.`,
  options: SELECTION_OPTIONS,
  read(values, [word = '', ...ids]) {
    const priority = PRIORITIES.find((each) => each === word);
    if (!priority) throw new UsageError(`Invalid priority: ${word}. Use ${PRIORITIES.join(', ')}.`);
    return { priority, selection: readSelection(values, ids, null) };
  },
  async run(context, { selection: given, priority }) {
    const { selection, error } = await knownSelection(context, given);
    const answer = await context.engine.call('uploads.setPriority', { selection, priority });
    printChanged(context.output, 'priority', `Priority set to ${priority}`, answer);
    return afterKnown(context, error, EXIT.complete);
  },
});
