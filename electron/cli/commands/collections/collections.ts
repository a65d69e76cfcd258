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

/** Yields every collection, parents before their children. */
async function* walkTree(
  engine: Engine,
  siteId: string,
  parentId: string | null = null,
  above: readonly string[] = [],
): AsyncGenerator<PlacedCollection> {
  for (const collection of await engine.call('library.collections', { siteId, parentId })) {
    const path = [...above, collection.displayName];
    yield { collection, path };
    if (collection.childCount > 0) yield* walkTree(engine, siteId, collection.id, path);
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
