import type { MediaFile } from '../../../shared/api/files.ts';
import type { MediaDetail } from '../../../shared/contract/library.ts';
import { onlyOperand } from '../arguments/options.ts';
import { currentSite } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { EXIT } from '../output/exit-codes.ts';
import { localTime } from '../output/local-time.ts';
import { formatBytes, printable, table } from '../output/text-format.ts';

export const libraryShowCommand = defineEngineCommand({
  name: 'library show',
  operands: 'ITEM',
  summary: 'Show an item of the library with its files.',
  options: {},
  read: (_values, operands) => ({ mediaId: onlyOperand(operands, 'Enter the ID of an item.') }),
  async run(context, { mediaId }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const detail = await engine.call('library.media', { siteId, mediaId });
    output.record({ media: detail });
    for (const line of table(factsOf(detail))) output.line(line);
    for (const line of filesOf(detail.files)) output.line(line);
    return EXIT.complete;
  },
});

function factsOf({ item, collectionName, viewUrl }: MediaDetail): string[][] {
  const time = (text: string | null) => (text === null ? '' : localTime(Date.parse(text)));
  const facts = [
    ['Title', item.title],
    ['ID', item.id],
    ['Type', item.type ?? ''],
    ['Status', item.status],
    ['Published', time(item.publish_on)],
    ['Collection', collectionName ?? item.collection_id],
    ['Byline', item.byline ?? ''],
    ['Tags', item.tags.join(', ')],
    ['Length', item.duration_hms ?? ''],
    ['Created', time(item.created_on)],
    ['Changed', time(item.modified_on)],
    ['Address', viewUrl ?? ''],
    ['Description', item.description_plain ?? item.description ?? ''],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** One row for each file, and below it one for each encoding of it. */
function filesOf(files: readonly MediaFile[]): string[] {
  if (files.length === 0) return [];
  const rows = files.flatMap((file) => [fileRow(file), ...(file.encodings ?? []).map((each) => fileRow(each, '  '))]);
  return ['', ...table([['FILE', 'KIND', 'STATUS', 'SIZE', 'NAME'], ...rows])];
}

function fileRow(file: Omit<MediaFile, 'encodings'>, indent = ''): string[] {
  const size = file.size === null ? '' : formatBytes(file.size);
  const kind = file.encoding_profile ?? file.type ?? '';
  return [`${indent}${file.id}`, kind, file.status, size, printable(file.display_name)];
}
