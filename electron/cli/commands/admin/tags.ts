import type { TagRow } from '../../../../shared/contract/admin/people.ts';
import { similarNames } from '../../../../shared/model/access/similar-names.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { refusalOfDeletion, YES_OPTION } from '../../admin/confirm-deletion.ts';
import { findAll } from '../../admin/find-named.ts';
import { namedCommands } from '../../admin/named-commands.ts';
import { printList, printPreview } from '../../admin/print-list.ts';
import { itemsText, tagDeletionOf, usesOf } from '../../admin/tag-uses.ts';
import { readRefs } from '../../arguments/names.ts';
import { noOperands } from '../../arguments/options.ts';
import { currentSite } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';

const COLUMNS = { ID: ({ id }: TagRow) => id, NAME: ({ name }: TagRow) => name };

export const adminTagsListCommand = defineEngineCommand({
  name: 'admin tags list',
  operands: '',
  summary: 'List the tags of the library.',
  options: {
    similar: {
      value: null,
      help: 'Only tags that differ in letter case, accents, separators or a plural, with the numbers of their items.',
    },
  },
  read(values, operands) {
    noOperands(operands);
    return { isSimilar: values.similar === true };
  },
  async run(context, { isSimilar }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const all = await engine.call('admin.tags', { siteId });
    if (!isSimilar) {
      printList(output, { name: 'tag', columns: COLUMNS }, all);
      return EXIT.complete;
    }
    const groups = similarNames(all);
    const uses = await usesOf(engine, siteId, groups.flat());
    for (const tags of groups) {
      output.record({ similar: tags.map((tag) => ({ ...tag, items: uses.get(tag.name) ?? null })) });
      output.line(tags.map(({ id, name }) => `“${name}” (ID ${id}, ${itemsText(uses.get(name))})`).join(', '));
    }
    output.note(groups.length === 0 ? 'No tags are similar.' : `${counted(groups.length, 'group')} of similar tags.`);
    return EXIT.complete;
  },
});

export const { create: adminTagsCreateCommand, rename: adminTagsRenameCommand } = namedCommands(
  {
    one: 'tag',
    all: (engine, siteId) => engine.call('admin.tags', { siteId }),
    create: (engine, input) => engine.call('admin.createTag', input),
    rename: (engine, { id: tagId, ...input }) => engine.call('admin.renameTag', { tagId, ...input }),
  },
  ['Create a tag.', 'Rename a tag. All its items have the new name then.'],
);

export const adminTagsDeleteCommand = defineEngineCommand({
  name: 'admin tags delete',
  operands: 'TAG…',
  summary: 'Show how many items have these tags, ask, and delete the tags. The items stay.',
  options: YES_OPTION,
  read: (values, operands) => ({ refs: readRefs(operands, 'Enter the tags to delete.'), isYes: values.yes === true }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { refs, isYes }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const found = findAll(await engine.call('admin.tags', { siteId }), 'tag', refs);
    const tags = await tagDeletionOf(engine, siteId, found);
    output.record({ deletion: { tags } });
    printPreview(output, { ...COLUMNS, ITEMS: ({ items }) => String(items ?? 'unknown') }, tags);
    output.line('The tags are also removed from these items. The items stay in the library.');
    const unconfirmed = await refusalOfDeletion(context, { count: tags.length, one: 'tag', isYes });
    if (unconfirmed !== null) return unconfirmed;
    const outcome = await engine.call('admin.deleteTags', {
      siteId,
      tags: tags.map(({ id, seen }) => ({ id, seen })),
    });
    return reportOutcome(context, 'deleted', { one: 'tag', outcome });
  },
});
