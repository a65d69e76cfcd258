import { UsageError } from '../arguments/usage-error.ts';
import type { EngineContext } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { NOT_SENT_YET } from '../uploads/changed-uploads.ts';

interface ChooseInput {
  uploadId: string;
  /** null: a new item. */
  mediaId: string | null;
}

export const itemsUseCommand = defineEngineCommand<ChooseInput>({
  name: 'items use',
  operands: 'UPLOAD ITEM',
  summary: 'Continue an upload in an item that “items list” shows.',
  options: {},
  read(_values, [uploadId, mediaId, ...others]) {
    if (uploadId === undefined || mediaId === undefined || others.length > 0) {
      throw new UsageError('Name one upload and one item.');
    }
    return { uploadId, mediaId };
  },
  run: chooseItem,
});

export const itemsNewCommand = defineEngineCommand<ChooseInput>({
  name: 'items new',
  operands: 'UPLOAD',
  summary: 'Continue an upload in a new item.',
  options: {},
  read(_values, [uploadId, ...others]) {
    if (uploadId === undefined || others.length > 0) throw new UsageError('Name one upload.');
    return { uploadId, mediaId: null };
  },
  run: chooseItem,
});

/** Chooses the item of an upload, or a new one. Sends nothing by itself. */
async function chooseItem({ engine, output }: EngineContext, { uploadId, mediaId }: ChooseInput): Promise<ExitCode> {
  const { changed } = await engine.call('uploads.chooseItem', { id: uploadId, mediaId });
  output.record({ items: { uploadId, mediaId, changed } });
  if (changed === 0) {
    output.line('This upload does not ask about an item.');
    return EXIT.usage;
  }
  output.line(mediaId === null ? 'Queued: a new item is created.' : `Queued: it goes into item ${mediaId}.`);
  output.note(NOT_SENT_YET);
  return EXIT.complete;
}
