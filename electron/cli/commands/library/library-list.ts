import { noOperands, type OptionValues, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { eachItem, mediaQueryOf } from '../../library/each-item.ts';
import { type ItemQuery, QUERY_OPTIONS, readItemQuery } from '../../library/query-options.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { localTime } from '../../output/local-time.ts';

interface ListInput {
  query: ItemQuery;
  limit: number;
}

const MOST_ITEMS = 100_000;
const OPTIONS = {
  ...QUERY_OPTIONS,
  limit: { value: 'N', help: 'List at most N items. Default: 100.' },
};

export const libraryListCommand = defineEngineCommand<ListInput>({
  name: 'library list',
  operands: '',
  summary: 'List items of the library.',
  options: OPTIONS,
  read(values, operands) {
    noOperands(operands);
    return { query: readItemQuery(values, ''), limit: readLimit(values) };
  },
  run: listItems,
});

export const librarySearchCommand = defineEngineCommand<ListInput>({
  name: 'library search',
  operands: 'TEXT',
  summary: 'Find items of the library by their texts.',
  options: OPTIONS,
  read(values, words) {
    const text = words.join(' ').trim();
    if (text === '') throw new UsageError('Enter a search text.');
    return { query: readItemQuery(values, text), limit: readLimit(values) };
  },
  run: async (context, input) => {
    const isFound = await printItems(context, input);
    return isFound ? EXIT.complete : EXIT.incomplete;
  },
});

async function listItems(context: EngineContext, input: ListInput): Promise<ExitCode> {
  await printItems(context, input);
  return EXIT.complete;
}

/** Prints the items of a query. Returns whether there is one. */
async function printItems(context: EngineContext, { query, limit }: ListInput): Promise<boolean> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const rows: string[][] = [];
  let total = 0;
  const onTotal = (now: number) => {
    total = now;
  };
  for await (const item of eachItem(engine, await mediaQueryOf(engine, siteId, query), limit, onTotal)) {
    output.record({ item });
    const created = item.createdOn === null ? '' : localTime(Date.parse(item.createdOn));
    rows.push([item.id, item.type ?? '', item.status, created, item.title]);
  }
  output.table(['ID', 'TYPE', 'STATUS', 'CREATED', 'TITLE'], rows);
  output.note(countText(rows.length, total));
  return rows.length > 0;
}

function countText(listed: number, total: number): string {
  if (listed === 0) return 'No items found.';
  if (listed < total) return `${listed} of ${total} items. Use --limit to list more.`;
  return listed === 1 ? '1 item.' : `${listed} items.`;
}

function readLimit(values: OptionValues): number {
  const text = optionText(values, 'limit') ?? '100';
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST_ITEMS) return limit;
  throw new UsageError(`Invalid value for --limit: ${text}. Use a number from 1 to ${MOST_ITEMS}.`);
}
