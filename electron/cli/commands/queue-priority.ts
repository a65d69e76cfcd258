import { PRIORITIES } from '../../../shared/model/priorities.ts';
import { printChanged } from '../changed-uploads.ts';
import { defineEngineCommand } from '../define-engine-command.ts';
import { EXIT } from '../exit-codes.ts';
import { afterKnown, knownSelection } from '../known-uploads.ts';
import { readSelection, SELECTION_OPTIONS } from '../selection.ts';
import { UsageError } from '../usage-error.ts';

export const queuePriorityCommand = defineEngineCommand({
  name: 'queue priority',
  operands: 'CLASS [UPLOAD…]',
  summary: `Give uploads a priority: ${PRIORITIES.join(', ')}.`,
  options: SELECTION_OPTIONS,
  read(values, [word = '', ...ids]) {
    const priority = PRIORITIES.find((each) => each === word);
    if (!priority) throw new UsageError(`A priority is ${PRIORITIES.join(', ')}; not “${word}”.`);
    return { priority, selection: readSelection(values, ids, null) };
  },
  async run(context, { selection: given, priority }) {
    const { selection, error } = await knownSelection(context, given);
    const answer = await context.engine.call('uploads.setPriority', { selection, priority });
    printChanged(context.output, 'priority', `Now of ${priority} priority`, answer);
    return afterKnown(context, error, EXIT.complete);
  },
});
