import type { CollectionRow } from '../../../shared/contract/library.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Command } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable, table } from '../text-format.ts';
import { type CommandContext, currentSite } from './context.ts';

interface PlacedCollection {
  collection: CollectionRow;
  /** Names from the top down to it, its own included. */
  path: string[];
}

/** Every collection, parents before their children. */
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

export async function listCollections(
  context: CommandContext,
  { tree }: Extract<Command, { kind: 'collections' }>,
): Promise<ExitCode> {
  const { engine, output } = context;
  const site = await currentSite(context);
  const rows: string[][] = [];
  for await (const { collection, path } of walkTree(engine, site.id)) {
    output.record({ collection: { ...collection, path } });
    const name = tree ? `${'  '.repeat(path.length - 1)}${collection.displayName}` : path.join(' / ');
    const count = collection.mediaCount === null ? '' : String(collection.mediaCount);
    rows.push([name, count, collection.id, collection.slug]);
  }
  if (rows.length === 0) output.note(`${printable(site.baseUrl)} shows you no collections.`);
  else for (const line of table([['NAME', 'ITEMS', 'ID', 'SLUG'], ...rows])) output.line(line);
  return EXIT.complete;
}
