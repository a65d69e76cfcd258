import { UsageError } from '../../arguments/usage-error.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { NOT_SENT_YET } from '../../uploads/changed-uploads.ts';

interface ChooseInput {
  uploadId: string;
  /** null: a new item. */
  mediaId: string | null;
}

export const itemsUseCommand = defineEngineCommand<ChooseInput>({
  name: 'items use',
  operands: 'UPLOAD ITEM',
  summary: 'Use an existing item for an upload. See “items list”.',
  options: {},
  read(_values, [uploadId, mediaId, ...others]) {
    if (uploadId === undefined || mediaId === undefined || others.length > 0) {
      throw new UsageError('Enter one upload ID and one item ID.');
    }
    return { uploadId, mediaId };
  },
  run: chooseItem,
});

export const itemsNewCommand = defineEngineCommand<ChooseInput>({
  name: 'items new',
  operands: 'UPLOAD',
  summary: 'Create a new item for an upload.',
  options: {},
  read(_values, [uploadId, ...others]) {
    if (uploadId === undefined || others.length > 0) throw new UsageError('Enter one upload ID.');
    return { uploadId, mediaId: null };
  },
  run: chooseItem,
});

/** Chooses the item of an upload, or a new one. Sends nothing by itself. */
async function chooseItem({ engine, output }: EngineContext, { uploadId, mediaId }: ChooseInput): Promise<ExitCode> {
  const { changed } = await engine.call('uploads.chooseItem', { id: uploadId, mediaId });
  output.record({ items: { uploadId, mediaId, changed } });
  if (changed === 0) {
    output.line('This upload doesn’t need a decision about an item.');
    return EXIT.incomplete;
  }
  output.line(mediaId === null ? 'Queued with a new item.' : `Queued with item ${mediaId}.`);
  output.note(NOT_SENT_YET);
  return EXIT.complete;
}
