import type { UploadSelection } from '../../../../shared/contract/uploads.ts';
import { requiredText } from '../../arguments/options.ts';
import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { NOT_SENT_YET, printChanged } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';

/**
 * `acceptsReplaced`: files that replaced the added ones are sent. `collection`: the new collection of a batch whose collection the
 * library does not know.
 */
type RetryInput = { selection: UploadSelection; acceptsReplaced: boolean } | { batchId: string; collection: string };

export const queueRetryCommand = defineEngineCommand<RetryInput>({
  name: 'queue retry',
  operands: '[UPLOAD…]',
  summary: 'Queue failed uploads again. Default: all of them.',
  options: {
    batch: { value: 'ID', help: 'All failed uploads of this batch.' },
    failed: SELECTION_OPTIONS.failed,
    all: { value: null, help: 'All failed, cancelled and waiting uploads.' },
    'accept-replaced': {
      value: null,
      help: 'If another file is now at the path of an upload, its captions or its thumbnail, send that file.',
    },
    collection: {
      value: 'COLLECTION',
      help: 'With --batch: use another collection if the library doesn’t have the one you entered.',
    },
  },
  read(values, ids) {
    const selection = readSelection(values, ids, { kind: 'failed' });
    const acceptsReplaced = values['accept-replaced'] !== undefined;
    if (values.collection === undefined) return { selection: withoutCancelled(selection), acceptsReplaced };
    if (acceptsReplaced) throw new UsageError('Use only one of: --collection, --accept-replaced.');
    if (selection.kind !== 'batch') throw new UsageError('--collection requires --batch ID.');
    return { batchId: selection.batchId, collection: requiredText(values, 'collection') };
  },
  run: (context, input) =>
    'collection' in input ? retryIn(context, input.batchId, input.collection) : retry(context, input),
});

/** A retry of a batch includes only its failed uploads: cancelled uploads stay cancelled. */
function withoutCancelled(selection: UploadSelection): UploadSelection {
  return selection.kind === 'batch' ? { kind: 'failed', batchId: selection.batchId } : selection;
}

async function retry(
  context: EngineContext,
  { selection: given, acceptsReplaced }: { selection: UploadSelection; acceptsReplaced: boolean },
): Promise<ExitCode> {
  const { selection, error } = await knownSelection(context, given);
  const { engine } = context;
  // First, because a retry alone means that the file that was added is there again.
  const accepted = acceptsReplaced ? (await engine.call('uploads.acceptReplaced', selection)).changed : 0;
  const { changed } = await engine.call('uploads.retry', selection);
  printQueued(context, { changed: accepted + changed });
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
