import type { CollectionDeletion } from '../../../../shared/contract/collections.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { waitsText } from '../../edits/edit-text.ts';
import { EXIT } from '../../output/exit-codes.ts';

/** Shows the collections and items that a deletion removes; deletes only with `--yes`, and never more than was counted. */
export const collectionsDeleteCommand = defineEngineCommand({
  name: 'collections delete',
  operands: 'COLLECTION…',
  summary: 'Show what deleting collections removes; delete them with --yes.',
  options: { yes: { value: null, help: 'Delete them with all subcollections and items. You can’t undo this.' } },
  read(values, refs) {
    if (refs.length === 0) throw new UsageError('Enter the collections to delete.');
    return { refs, isConfirmed: values.yes === true };
  },
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { refs, isConfirmed }) {
    const { engine, output, interruption } = context;
    const { id: siteId } = await currentSite(context);
    const collectionIds: string[] = [];
    for (const ref of refs) collectionIds.push((await findCollection(engine, siteId, ref)).id);
    const plan = await engine.call('library.planDeletion', { siteId, collectionIds });
    output.record({ deletion: plan });
    for (const line of planLines(plan)) output.line(line);
    if (!isConfirmed) {
      output.note('Nothing was deleted. Add --yes to delete them. You can’t undo this.');
      return EXIT.incomplete;
    }
    const confirmed = { collectionIds: plan.collectionIds, items: plan.items };
    interruption.signal.addEventListener('abort', () => void engine.call('library.stopDeletion', { siteId }));
    const result = await engine.call('library.deleteCollections', { siteId, collectionIds, confirmed });
    output.record({ deleted: { collectionIds: result.deleted, items: result.deletedItems } });
    output.line(
      `Deleted: ${counted(result.deleted.length, 'selected collection')}, ${counted(result.deletedItems, 'item')}.`,
    );
    for (const id of result.pending ?? []) output.line(waitsText(`Delete collection ${id}`));
    for (const { error } of result.failed) output.error(error);
    return (
      interruption.exitCode() ??
      (result.failed.length === 0 && (result.pending ?? []).length === 0 ? EXIT.complete : EXIT.incomplete)
    );
  },
});

/** Returns `3 collections, 12 items, 15 files`, and the collections that the account may not delete. */
function planLines({ collections, items, files, forbidden }: CollectionDeletion): string[] {
  const parts = [counted(collections, 'collection'), counted(items, 'item')];
  if (files !== null) parts.push(counted(files, 'file'));
  const names = forbidden.map(({ displayName }) => `“${displayName}”`).join(', ');
  return [parts.join(', '), ...(names === '' ? [] : [`You don’t have permission to delete: ${names}`])];
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
