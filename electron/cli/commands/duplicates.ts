import type { DuplicateDetails, UploadRow } from '../../../shared/contract/uploads.ts';
import type { Command } from '../command.ts';
import { eachUpload } from '../each-upload.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable, table } from '../text-format.ts';
import type { CommandContext } from './context.ts';
import { afterKnown, knownSelection, requireBatch } from './known-uploads.ts';

/** Lists the uploads whose contents their collection has already and that wait for a word about it. */
export async function listDuplicates(
  context: CommandContext,
  { batchId }: Extract<Command, { kind: 'duplicates-list' }>,
): Promise<ExitCode> {
  const { engine, output } = context;
  await requireBatch(context, batchId);
  const rows: string[][] = [];
  for await (const row of eachUpload(engine, { filter: 'failed', batchId })) {
    if (row.error?.code !== 'upload.duplicate') continue;
    output.record({ duplicate: row });
    rows.push([row.id, row.fileName, duplicateText(row)]);
  }
  if (!output.json) for (const line of table(rows)) output.line(line);
  if (rows.length === 0) output.note('No upload asks about a duplicate.');
  else output.note('“mediadesk duplicates skip” leaves them out, “mediadesk duplicates upload” sends them anyway.');
  return EXIT.complete;
}

/** Says about duplicates what is to become of them. Sends nothing by itself. */
export async function resolveDuplicates(
  context: CommandContext,
  { choice, selection: meant }: Extract<Command, { kind: 'duplicates-resolve' }>,
): Promise<ExitCode> {
  const { engine, output } = context;
  const { selection, error } = await knownSelection(context, meant);
  const { changed } = await engine.call('uploads.resolveDuplicates', { selection, choice });
  output.record({ duplicates: { choice, changed } });
  const what = changed === 1 ? '1 upload' : `${changed} uploads`;
  output.line(choice === 'skip' ? `Left out: ${what}.` : `Queued to be uploaded anyway: ${what}.`);
  if (choice === 'upload' && changed > 0) {
    output.note('Nothing is sent yet: “mediadesk queue resume --wait” sends it, and so does the window.');
  }
  return afterKnown(context, error, EXIT.complete);
}

/** `“Lecture 7”, the same contents, https://…`: what the collection has. */
function duplicateText({ error }: Pick<UploadRow, 'error'>): string {
  const { title, match, url } = (error?.details ?? {}) as Partial<DuplicateDetails>;
  const how = match === 'contents' ? 'the same contents' : 'probably: the same name and size';
  return printable([`“${title ?? ''}”`, how, ...(url ? [url] : [])].join(', '));
}
