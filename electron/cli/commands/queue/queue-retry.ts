import type { UploadSelection } from '../../../../shared/contract/uploads.ts';
import { requiredText } from '../../arguments/options.ts';
import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { NOT_SENT_YET, printChanged } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';

/** `collection`: the new collection of a batch whose collection the library does not know. */
type RetryInput = { selection: UploadSelection } | { batchId: string; collection: string };

export const queueRetryCommand = defineEngineCommand<RetryInput>({
  name: 'queue retry',
  operands: '[UPLOAD…]',
  summary: 'Queue failed uploads again. Default: all of them.',
  options: {
    batch: { value: 'ID', help: 'All failed uploads of this batch.' },
    failed: SELECTION_OPTIONS.failed,
    all: { value: null, help: 'All failed, cancelled and waiting uploads.' },
    collection: {
      value: 'COLLECTION',
      help: 'With --batch: use another collection if the library doesn’t have the one you entered.',
    },
  },
  read(values, ids) {
    const selection = readSelection(values, ids, { kind: 'failed' });
    if (values.collection === undefined) return { selection: withoutCancelled(selection) };
    if (selection.kind !== 'batch') throw new UsageError('--collection requires --batch ID.');
    return { batchId: selection.batchId, collection: requiredText(values, 'collection') };
  },
  run: (context, input) =>
    'collection' in input ? retryIn(context, input.batchId, input.collection) : retry(context, input.selection),
});

/** A retry of a batch includes only its failed uploads: cancelled uploads stay cancelled. */
function withoutCancelled(selection: UploadSelection): UploadSelection {
  return selection.kind === 'batch' ? { kind: 'failed', batchId: selection.batchId } : selection;
}

async function retry(context: EngineContext, given: UploadSelection): Promise<ExitCode> {
  const { selection, error } = await knownSelection(context, given);
  printQueued(context, await context.engine.call('uploads.retry', selection));
  return afterKnown(context, error, EXIT.complete);
}

/** Retries a batch with another collection. */
async function retryIn(context: EngineContext, batchId: string, collection: string): Promise<ExitCode> {
  printQueued(context, await context.engine.call('uploads.chooseCollection', { batchId, collectionRef: collection }));
  return EXIT.complete;
}

function printQueued({ output }: EngineContext, answer: { changed: number }): void {
  printChanged(output, 'retry', 'Queued', answer);
  if (answer.changed > 0) output.note(NOT_SENT_YET);
}
