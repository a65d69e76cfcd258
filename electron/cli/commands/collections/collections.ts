import type { CollectionRow } from '../../../../shared/contract/library.ts';
import type { Engine } from '../../../engine/engine.ts';
import { noOperands } from '../../arguments/options.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';

interface CollectionsInput {
  tree: boolean;
}

/** Defines the command that lists collections; it has a short and a long name. */
const listCommand = (name: string) =>
  defineEngineCommand<CollectionsInput>({
    name,
    operands: '',
    summary: 'List the collections you have access to.',
    options: { tree: { value: null, help: 'Show them as a tree.' } },
    read(values, operands) {
      noOperands(operands);
      return { tree: values.tree === true };
    },
    run: listCollections,
  });

export const collectionsCommand = listCommand('collections');
export const collectionsListCommand = listCommand('collections list');

interface PlacedCollection {
  collection: CollectionRow;
  /** Names from the root to this collection, both included. */
  path: string[];
}

/** Yields every collection, parents before their children. No recursion: a tree may be thousands of levels deep. */
async function* walkTree(engine: Engine, siteId: string): AsyncGenerator<PlacedCollection> {
  const childrenOf = async (parentId: string | null, path: readonly string[]) => {
    const rows = await engine.call('library.collections', { siteId, parentId });
    return rows.map((collection) => ({ collection, path: [...path, collection.displayName] })).reverse();
  };
  // The next collection is the last one.
  const open = await childrenOf(null, []);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { id, childCount } = next.collection;
    if (childCount > 0) open.push(...(await childrenOf(id, next.path)));
  }
}

async function listCollections(context: EngineContext, { tree }: CollectionsInput): Promise<ExitCode> {
  const { engine, output } = context;
  const site = await currentSite(context);
  const rows: string[][] = [];
  for await (const { collection, path } of walkTree(engine, site.id)) {
    output.record({ collection: { ...collection, path } });
    const name = tree ? `${'  '.repeat(path.length - 1)}${collection.displayName}` : path.join(' / ');
    const count = collection.mediaCount === null ? '' : String(collection.mediaCount);
    rows.push([name, count, collection.id, collection.slug]);
  }
  if (rows.length === 0) output.note(`You have no access to collections at ${site.baseUrl}.`);
  output.table(['NAME', 'ITEMS', 'ID', 'SLUG'], rows);
  return EXIT.complete;
}
