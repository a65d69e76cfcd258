import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { offeredItems } from '../../../shared/model/offered-items.ts';
import { asksAboutItem } from '../../../shared/model/upload-machine.ts';
import type { Command } from '../command.ts';
import { eachUpload } from '../each-upload.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable, table } from '../text-format.ts';
import type { CommandContext } from './context.ts';

/** Lists the uploads that ask which item of the library is theirs, with the items that may be. */
export async function listItems(
  { engine, output }: CommandContext,
  { batchId }: Extract<Command, { kind: 'items-list' }>,
): Promise<ExitCode> {
  const asking: UploadRow[] = [];
  for await (const row of eachUpload(engine, { filter: 'failed', batchId })) if (asksAboutItem(row)) asking.push(row);
  for (const row of asking) output.record({ asksAboutItem: row });
  if (!output.json) for (const line of table(asking.flatMap(linesOf))) output.line(line);
  if (asking.length === 0) output.note('No upload asks about an item.');
  else output.note('“mediadesk items use UPLOAD ITEM” takes an item, “mediadesk items new UPLOAD” creates a new one.');
  return EXIT.complete;
}

/** Says which item belongs to an upload, or that it needs a new one. Sends nothing by itself. */
export async function chooseItem(
  { engine, output }: CommandContext,
  { uploadId, mediaId }: Extract<Command, { kind: 'items-choose' }>,
): Promise<ExitCode> {
  const { changed } = await engine.call('uploads.chooseItem', { id: uploadId, mediaId });
  output.record({ items: { uploadId, mediaId, changed } });
  if (changed === 0) {
    output.line('This upload does not ask about an item.');
    return EXIT.usage;
  }
  output.line(mediaId === null ? 'Queued: a new item is created.' : `Queued: it goes into item ${mediaId}.`);
  output.note('Nothing is sent yet: “mediadesk queue resume --wait” sends it, and so does the window.');
  return EXIT.complete;
}

/** One line per item that may be the upload's; one without an item where the library lists none. */
function linesOf(row: UploadRow): string[][] {
  const items = offeredItems(row);
  if (items.length === 0) return [[row.id, row.fileName, '', 'the library lists no item that may be it']];
  return items.map(({ id, title, createdOn }) => [
    row.id,
    row.fileName,
    id,
    printable(createdOn === null ? `“${title}”` : `“${title}”, created ${createdOn}`),
  ]);
}
