import { optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { printChanged } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownIds } from '../../uploads/known-uploads.ts';

export const queueMoveCommand = defineEngineCommand({
  name: 'queue move',
  operands: 'UPLOAD…',
  summary: 'Move uploads before another one, or to the end of the queue.',
  options: { before: { value: 'UPLOAD', help: 'The upload to move them before. Default: the end of the queue.' } },
  read(values, ids) {
    if (ids.length === 0) throw new UsageError('Enter the IDs of the uploads.');
    return { ids, before: optionText(values, 'before') };
  },
  async run(context, { ids, before }) {
    // If the `--before` upload doesn't exist, nothing is moved.
    const place = await knownIds(context, before === null ? [] : [before]);
    if (place.error !== null) throw place.error;
    const { known, error } = await knownIds(context, ids);
    if (error !== null && known.length === 0) throw error;
    printChanged(context.output, 'move', 'Moved', await context.engine.call('uploads.move', { ids: known, before }));
    return afterKnown(context, error, EXIT.complete);
  },
});
