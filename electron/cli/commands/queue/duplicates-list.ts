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
  for await (const row of eachUpload(engine, { filter: 'needs-decision', batchId })) {
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

/** Why an item is probably the same when the contents can't be compared, by where it was found. */
const PROBABLY: Record<DuplicateDetails['where'], string> = {
  library: 'probably: the same title and size',
  history: 'probably: a similar file of the same size',
};

/** Returns the existing item of the collection: `“Lecture 7”, the same contents, https://…`. */
function duplicateText({ error }: Pick<UploadRow, 'error'>): string {
  const { title, match, where, url } = (error?.details ?? {}) as Partial<DuplicateDetails>;
  const how = match === 'contents' ? 'the same contents' : PROBABLY[where ?? 'library'];
  return [`“${title ?? ''}”`, how, ...(url ? [url] : [])].join(', ');
}
