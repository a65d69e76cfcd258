import { appError } from '../../../shared/contract/app-error.ts';
import { receiptToCsv } from '../../../shared/model/receipt-csv.ts';
import type { Command } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { receiptSummary } from '../upload-outcome.ts';
import type { CommandContext } from './context.ts';

/** Prints what became of each file of a batch, as a document on standard output. */
export async function printReceipt(
  { engine, output }: CommandContext,
  { batchId, format }: Extract<Command, { kind: 'receipt' }>,
): Promise<ExitCode> {
  const receipt = await engine.call('uploads.receipt', { batchId: batchId ?? (await newestBatchId(engine)) });
  if (format === 'csv') output.document(receiptToCsv(receipt));
  else output.document(`${JSON.stringify(receipt, null, output.json ? 0 : 2)}\n`);
  output.note(receiptSummary(receipt));
  return EXIT.complete;
}

async function newestBatchId(engine: CommandContext['engine']): Promise<string> {
  const [newest] = await engine.call('uploads.batches', { limit: 1 });
  if (!newest) throw appError('upload.unknown', { message: 'Nothing was uploaded with this profile yet.' });
  return newest.id;
}
