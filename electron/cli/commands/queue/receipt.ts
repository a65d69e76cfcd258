import { appError } from '../../../../shared/contract/app-error.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { receiptToCsv } from '../../../../shared/model/receipts/receipt-csv.ts';
import { receiptToHtml } from '../../../../shared/model/receipts/receipt-html.ts';
import { noOperands, oneOf } from '../../arguments/options.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { localHourCycle } from '../../output/local-time.ts';
import { requireBatch } from '../../uploads/known-uploads.ts';
import { receiptSummary } from '../../uploads/upload-outcome.ts';

const FORMATS = ['json', 'csv', 'html'] as const;

interface ReceiptInput {
  /** null: the newest batch. */
  batchId: string | null;
  format: (typeof FORMATS)[number];
}

export const receiptCommand = defineEngineCommand<ReceiptInput>({
  name: 'receipt',
  operands: '[BATCH]',
  summary: 'Print the receipt of a batch. Default: the latest.',
  options: { format: { value: 'KIND', values: FORMATS, help: 'json (default), csv or html.' } },
  read(values, [batchId = null, ...others]) {
    noOperands(others);
    return { batchId, format: oneOf(values, 'format', FORMATS, 'json') };
  },
  reads: () => true,
  run: printReceipt,
});

/** Prints the receipt of a batch, as a document on standard output. */
async function printReceipt(context: EngineContext, { batchId, format }: ReceiptInput): Promise<ExitCode> {
  const { engine, output } = context;
  await requireBatch(context, batchId);
  const receipt = await engine.call('uploads.receipt', { batchId: batchId ?? (await newestBatchId(engine)) });
  const timeZone = localTimeZone();
  if (format === 'html')
    output.document(receiptToHtml(receipt, { timeZone, hourCycle: localHourCycle(), nowMs: Date.now() }));
  else if (format === 'csv') output.document(receiptToCsv(receipt));
  else output.jsonDocument(receipt);
  output.note(receiptSummary(receipt));
  return EXIT.complete;
}

async function newestBatchId(engine: EngineContext['engine']): Promise<string> {
  const [newest] = await engine.call('uploads.batches', { limit: 1 });
  if (!newest) throw appError('upload.unknown', { message: 'There are no uploads in this profile yet.' });
  return newest.id;
}
