import { appError } from '../../../shared/contract/app-error.ts';
import { receiptToCsv } from '../../../shared/model/receipt-csv.ts';
import { receiptToHtml } from '../../../shared/model/receipt-html.ts';
import type { Command } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../text-format.ts';
import { receiptSummary } from '../upload-outcome.ts';
import type { CommandContext } from './context.ts';

/** Prints what became of each file of a batch, as a document on standard output. */
export async function printReceipt(
  { engine, output }: CommandContext,
  { batchId, format }: Extract<Command, { kind: 'receipt' }>,
): Promise<ExitCode> {
  const receipt = await engine.call('uploads.receipt', { batchId: batchId ?? (await newestBatchId(engine)) });
  if (format === 'html')
    output.document(receiptToHtml(receipt, { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }));
  else if (format === 'csv') output.document(receiptToCsv(receipt));
  else output.document(`${JSON.stringify(receipt, null, output.json ? 0 : 2)}\n`);
  output.note(receiptSummary(receipt));
  return EXIT.complete;
}

async function newestBatchId(engine: CommandContext['engine']): Promise<string> {
  const [newest] = await engine.call('uploads.batches', { limit: 1 });
  if (!newest) throw appError('upload.unknown', { message: 'Nothing was uploaded with this profile yet.' });
  return newest.id;
}

const PAGE = 200;

/** Finds uploads in all receipts. Exit code 1 when nothing fits. */
export async function searchReceipts(
  { engine, output }: CommandContext,
  { text }: Extract<Command, { kind: 'receipts-search' }>,
): Promise<ExitCode> {
  for (let offset = 0; ; offset += PAGE) {
    const { total, rows } = await engine.call('receipts.search', { text, limit: PAGE, offset });
    for (const { batchId, site, collectionName, line } of rows) {
      output.record({ upload: { batchId, site, collectionName, ...line } });
      output.line(printable(`${line.outcome}  ${line.fileName}  “${line.title}”  ${collectionName}  ${line.addedAt}`));
      output.line(printable(`  batch ${batchId}, item ${line.mediaId ?? '–'}, sha256 ${line.sha256 ?? '–'}`));
    }
    if (rows.length === 0 || offset + rows.length >= total) {
      output.note(total === 1 ? '1 upload found.' : `${total} uploads found.`);
      return total > 0 ? EXIT.complete : EXIT.incomplete;
    }
  }
}
