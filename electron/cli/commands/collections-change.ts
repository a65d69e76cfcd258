import { optionText, requiredText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { findCollection } from '../collections/find-collection.ts';
import { currentSite } from '../command/context.ts';
import { defineEngineCommand } from '../command/define-engine-command.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printable } from '../output/text-format.ts';

/** Makes `collections create`. Answers with the collection as the library has it. */
export const collectionsCreateCommand = defineEngineCommand({
  name: 'collections create',
  operands: 'NAME --in COLLECTION',
  summary: 'Create a collection inside another one.',
  options: {
    in: { value: 'COLLECTION', help: 'The collection to create it in: ID, slug, path or name.' },
    podcast: { value: null, help: 'Make it a podcast.' },
    slug: { value: 'SLUG', help: 'Its slug. Default: made from the name.' },
    description: { value: 'TEXT', help: 'Its description, as XHTML.' },
  },
  read(values, operands) {
    const slug = optionText(values, 'slug');
    const description = optionText(values, 'description');
    const fields = { ...(slug ? { slug } : {}), ...(description === null ? {} : { description }) };
    return { name: onlyName(operands), parent: requiredText(values, 'in'), isPodcast: values.podcast === true, fields };
  },
  async run(context, { name, parent, isPodcast, fields }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: parentId } = await findCollection(engine, siteId, parent);
    const collection = await engine.call('library.createCollection', {
      ...{ siteId, parentId, displayName: name, isPodcast, ...fields },
    });
    output.line(`Created “${printable(collection.display_name)}” (ID ${collection.id}, slug ${collection.slug}).`);
    output.record({ collection });
    return EXIT.complete;
  },
});

export const collectionsRenameCommand = defineEngineCommand({
  name: 'collections rename',
  operands: 'COLLECTION NAME',
  summary: 'Rename a collection.',
  options: {
    reslugify: { value: null, help: 'Make the slug from the new name, too; links break.' },
  },
  read(values, operands) {
    const [ref = '', ...rest] = operands;
    if (ref === '') throw new UsageError('Enter the collection and its new name.');
    return { ref, name: onlyName(rest), reslugify: values.reslugify === true };
  },
  async run(context, { ref, name, reslugify }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: collectionId, name: before } = await findCollection(engine, siteId, ref);
    const patch = { display_name: name };
    const renamed = await engine.call('library.updateCollection', { siteId, collectionId, patch, expected: {} });
    const { collection } = reslugify
      ? await engine.call('library.reslugifyCollection', { siteId, collectionId })
      : renamed;
    output.record({ collection });
    output.line(`Renamed “${printable(before)}” to “${printable(collection.display_name)}” (slug ${collection.slug}).`);
    return EXIT.complete;
  },
});

export const collectionsMoveCommand = defineEngineCommand({
  name: 'collections move',
  operands: 'COLLECTION… --to COLLECTION',
  summary: 'Move collections into another one.',
  options: { to: { value: 'COLLECTION', help: 'The collection to move them into: ID, slug, path or name.' } },
  read(values, refs) {
    if (refs.length === 0) throw new UsageError('Enter the collections to move.');
    return { refs, to: requiredText(values, 'to') };
  },
  async run(context, { refs, to }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const target = await findCollection(engine, siteId, to);
    const moves: { collectionId: string; newParentId: string }[] = [];
    for (const ref of refs) {
      moves.push({ collectionId: (await findCollection(engine, siteId, ref)).id, newParentId: target.id });
    }
    const { moved, failed } = await engine.call('library.moveCollections', { siteId, moves });
    for (const each of moved) {
      output.record({ moved: { ...each, newParentId: target.id } });
      output.line(`Moved “${printable(each.displayName)}” to “${printable(target.name)}”.`);
    }
    for (const { error } of failed) output.error(error);
    return failed.length === 0 ? EXIT.complete : EXIT.incomplete;
  },
});

/** The one name among the operands. Throws `UsageError`. */
function onlyName(operands: readonly string[]): string {
  const [name = '', extra] = operands;
  if (name.trim() === '') throw new UsageError('Enter a name.');
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}. Put a name with blanks in quotes.`);
  return name.trim();
}
