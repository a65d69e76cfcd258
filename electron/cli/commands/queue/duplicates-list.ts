import type { DuplicateDetails, UploadRow } from '../../../../shared/contract/uploads.ts';
import { noOperands, optionText } from '../../arguments/options.ts';
import { SELECTION_OPTIONS } from '../../arguments/selection.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { eachUpload } from '../../uploads/each-upload.ts';
import { requireBatch } from '../../uploads/known-uploads.ts';

interface ListInput {
  batchId: string | null;
}

export const duplicatesListCommand = defineEngineCommand<ListInput>({
  name: 'duplicates list',
  operands: '',
  summary: 'List duplicates that need your decision.',
  options: { batch: SELECTION_OPTIONS.batch },
  read(values, operands) {
    noOperands(operands);
    return { batchId: optionText(values, 'batch') };
  },
  reads: () => true,
  run: listDuplicates,
});

/** Lists the uploads whose contents their collection has already and that need a decision. */
async function listDuplicates(context: EngineContext, { batchId }: ListInput): Promise<ExitCode> {
  const { engine, output } = context;
  await requireBatch(context, batchId);
  const rows: string[][] = [];
  for await (const row of eachUpload(engine, { filter: 'failed', batchId })) {
    if (row.error?.code !== 'upload.duplicate') continue;
    output.record({ duplicate: row });
    rows.push([row.id, row.fileName, duplicateText(row)]);
  }
  output.table(['UPLOAD', 'FILE', 'EXISTING ITEM'], rows);
  if (rows.length === 0) output.note('No duplicates need your decision.');
  else
    output.note(
      'To skip them, run “mediadesk duplicates skip”. To upload them anyway, run “mediadesk duplicates upload”.',
    );
  return EXIT.complete;
}

/** Returns the existing item of the collection: `“Lecture 7”, the same contents, https://…`. */
function duplicateText({ error }: Pick<UploadRow, 'error'>): string {
  const { title, match, url } = (error?.details ?? {}) as Partial<DuplicateDetails>;
  const how = match === 'contents' ? 'the same contents' : 'probably: the same name and size';
  return [`“${title ?? ''}”`, how, ...(url ? [url] : [])].join(', ');
}
