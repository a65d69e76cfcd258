import type { MediaItem } from '../../../../shared/api/media.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import type { ItemField } from '../../../../shared/item/fields.ts';
import { onlyOperand } from '../../arguments/options.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { printFiles } from '../../output/file-table.ts';
import { localTime } from '../../output/local-time.ts';
import { table } from '../../output/text-format.ts';

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
    if (detail.files.length > 0) output.line('');
    printFiles(output, detail.files);
    return EXIT.complete;
  },
});

/** The label and the value of each field. */
const FIELD_FACTS: Readonly<Record<ItemField, (item: MediaItem) => [label: string, value: string]>> = {
  title: ({ title }) => ['Title', title],
  byline: ({ byline }) => ['Byline', byline ?? ''],
  description: ({ description_plain, description }) => ['Description', description_plain ?? description ?? ''],
  tags: ({ tags }) => ['Tags', tags.join(', ')],
};

function factsOf({ item, collectionName, viewUrl }: MediaDetail): string[][] {
  const time = (text: string | null) => (text === null ? '' : localTime(Date.parse(text)));
  const { title, description, ...others } = FIELD_FACTS;
  const facts = [
    title(item),
    ['ID', item.id],
    ['Type', item.type ?? ''],
    ['Status', item.status],
    ['Published', time(item.publish_on)],
    ['Collection', collectionName ?? item.collection_id],
    ...Object.values(others).map((factOf) => factOf(item)),
    ['Length', item.duration_hms ?? ''],
    ['Created', time(item.created_on)],
    ['Changed', time(item.modified_on)],
    ['Address', viewUrl ?? ''],
    description(item),
  ];
  return facts.filter(([, value]) => value !== '');
}
