import type { UploadSelection } from '../../../../shared/contract/uploads.ts';
import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import type { EngineContext } from '../../command-base/context.ts';
import type { Command } from '../../command-base/define-command.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { countedUploads } from '../../output/text-format.ts';
import { NOT_SENT_YET } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';

interface ResolveInput {
  choice: 'skip' | 'upload';
  selection: UploadSelection;
}

export const duplicatesSkipCommand = resolveCommand('skip', 'Skip duplicates. Default: all that need your decision.');
export const duplicatesUploadCommand = resolveCommand(
  'upload',
  'Upload duplicates anyway. Default: all that need your decision.',
);

function resolveCommand(choice: ResolveInput['choice'], summary: string): Command {
  return defineEngineCommand<ResolveInput>({
    name: `duplicates ${choice}`,
    operands: '[UPLOAD…]',
    summary,
    options: { batch: SELECTION_OPTIONS.batch, all: SELECTION_OPTIONS.all },
    read: (values, ids) => ({ choice, selection: readSelection(values, ids, { kind: 'all' }, ['batch', 'all']) }),
    run: resolveDuplicates,
  });
}

/** Decides about duplicates. Sends nothing by itself. */
async function resolveDuplicates(
  context: EngineContext,
  { choice, selection: given }: ResolveInput,
): Promise<ExitCode> {
  const { engine, output } = context;
  const { selection, error } = await knownSelection(context, given);
  const { changed } = await engine.call('uploads.resolveDuplicates', { selection, choice });
  output.record({ duplicates: { choice, changed } });
  const what = countedUploads(changed);
  output.line(choice === 'skip' ? `Skipped: ${what}.` : `Queued: ${what}.`);
  if (choice === 'upload' && changed > 0) output.note(NOT_SENT_YET);
  return afterKnown(context, error, EXIT.complete);
}
