import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { offeredItems } from '../../../../shared/model/offered-items.ts';
import { asksAboutItem } from '../../../../shared/model/uploads/upload-machine.ts';
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

export const itemsListCommand = defineEngineCommand<ListInput>({
  name: 'items list',
  operands: '',
  summary: 'List uploads that may already have an item in the library and need your decision.',
  options: { batch: SELECTION_OPTIONS.batch },
  read(values, operands) {
    noOperands(operands);
    return { batchId: optionText(values, 'batch') };
  },
  reads: () => true,
  run: listItems,
});

/** Lists the uploads that need a choice of their item in the library, with the candidates. */
async function listItems(context: EngineContext, { batchId }: ListInput): Promise<ExitCode> {
  const { engine, output } = context;
  await requireBatch(context, batchId);
  const asking: UploadRow[] = [];
  for await (const row of eachUpload(engine, { filter: 'failed', batchId })) if (asksAboutItem(row)) asking.push(row);
  for (const row of asking) output.record({ asksAboutItem: row });
  output.table(['UPLOAD', 'FILE', 'ITEM', 'TITLE'], asking.flatMap(linesOf));
  if (asking.length === 0) output.note('No uploads need a decision about an item.');
  else
    output.note(
      'To use an item, run “mediadesk items use UPLOAD ITEM”. To create a new one, run “mediadesk items new UPLOAD”.',
    );
  return EXIT.complete;
}

/** Returns one row per candidate; one row without an item when the library lists none. */
function linesOf(row: UploadRow): string[][] {
  const items = offeredItems(row);
  if (items.length === 0) return [[row.id, row.fileName, '', 'no matching item in the library']];
  return items.map(({ id, title, createdOn }) => [
    row.id,
    row.fileName,
    id,
    createdOn === null ? `“${title}”` : `“${title}”, created ${createdOn}`,
  ]);
}
