import { MAX_COLLECTION_NAME } from '../../../../shared/api/collection-fields.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { type CollectionPatch, collectionPatchSchema } from '../../../../shared/contract/collections.ts';
import { readNewName } from '../../arguments/names.ts';
import { optionText, requiredText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { waitsText } from '../../edits/edit-text.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import type { Output } from '../../output/output.ts';

/** Defines `collections create`, which prints the collection as the library has it. */
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
    return {
      name: readNewName(operands, MAX_COLLECTION_NAME),
      parent: requiredText(values, 'in'),
      isPodcast: values.podcast === true,
      fields,
    };
  },
  async run(context, { name, parent, isPodcast, fields }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: parentId } = await findCollection(engine, siteId, parent);
    const collection = await engine.call('library.createCollection', {
      siteId,
      parentId,
      displayName: name,
      isPodcast,
      ...fields,
    });
    output.record({ collection });
    if (collection.isPending) return waiting(output, collection.pendingReason, `Create “${name}”`);
    output.line(`Created “${collection.display_name}” (ID ${collection.id}, slug ${collection.slug}).`);
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
    return { ref, name: readNewName(rest, MAX_COLLECTION_NAME), reslugify: values.reslugify === true };
  },
  async run(context, { ref, name, reslugify }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: collectionId, name: before } = await findCollection(engine, siteId, ref);
    const patch = { display_name: name };
    const renamed = await engine.call('library.updateCollection', { siteId, collectionId, patch, expected: {} });
    if (renamed.isPending) {
      output.record(renamed);
      return waiting(output, renamed.pendingReason, `Rename “${before}” to “${name}”`);
    }
    const { collection } = reslugify
      ? await engine.call('library.reslugifyCollection', { siteId, collectionId })
      : renamed;
    output.record({ collection });
    output.line(`Renamed “${before}” to “${collection.display_name}” (slug ${collection.slug}).`);
    return EXIT.complete;
  },
});

/** Changes the fields of a collection other than its parent. */
export const collectionsEditCommand = defineEngineCommand({
  name: 'collections edit',
  operands: 'COLLECTION NAME=VALUE…',
  summary: 'Change a collection, such as description=Talks podcast=yes.',
  options: {},
  read(_values, [ref = '', ...words]) {
    if (ref === '' || words.length === 0) throw new UsageError('Enter the collection and at least one NAME=VALUE.');
    return { ref, patch: readPatch(words) };
  },
  async run(context, { ref, patch }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: collectionId, name } = await findCollection(engine, siteId, ref);
    const saved = await engine.call('library.updateCollection', { siteId, collectionId, patch, expected: {} });
    output.record(saved);
    if (saved.isPending) return waiting(output, saved.pendingReason, `Change “${name}”`);
    output.line(`Changed “${saved.collection.display_name}”.`);
    return EXIT.complete;
  },
});

/** The names of the fields on the command line, with the kind of their values. */
const FIELDS: Readonly<Record<string, { field: keyof CollectionPatch; isSwitch: boolean }>> = {
  name: { field: 'display_name', isSwitch: false },
  slug: { field: 'slug', isSwitch: false },
  description: { field: 'description', isSwitch: false },
  podcast: { field: 'is_podcast', isSwitch: true },
  'inherit-memberships': { field: 'inherit_memberships', isSwitch: true },
  transcribe: { field: 'autotranscribe_enabled', isSwitch: true },
  'transcribe-subcollections': { field: 'autotranscribe_subcollections', isSwitch: true },
  'transcription-profile': { field: 'autotranscribe_profile_id', isSwitch: false },
};

/** Reads `name=Talks podcast=yes`. Throws `UsageError`. */
function readPatch(words: readonly string[]): CollectionPatch {
  const patch: Record<string, string | boolean | null> = {};
  for (const word of words) {
    const equals = word.indexOf('=');
    const name = word.slice(0, Math.max(0, equals));
    const known = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (known === undefined) {
      throw new UsageError(`Unknown field: ${word}. Use NAME=VALUE with ${Object.keys(FIELDS).join(', ')}.`);
    }
    const value = word.slice(equals + 1).trim();
    if (known.isSwitch && value !== 'yes' && value !== 'no') throw new UsageError(`Use yes or no for ${name}.`);
    const text = known.field === 'autotranscribe_profile_id' ? value || null : value;
    patch[known.field] = known.isSwitch ? value === 'yes' : text;
  }
  const parsed = collectionPatchSchema.safeParse(patch);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  const name = Object.keys(FIELDS).find((each) => FIELDS[each]?.field === field) ?? String(field);
  throw new UsageError(`The value of ${name} is empty or too long.`);
}

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
      if (each.isPending) output.line(waitsText(`Move “${each.displayName}” to “${target.name}”`));
      else output.line(`Moved “${each.displayName}” to “${target.name}”.`);
    }
    for (const { error } of failed) output.error(error);
    const isComplete = failed.length === 0 && moved.every(({ isPending }) => !isPending);
    return isComplete ? EXIT.complete : EXIT.incomplete;
  },
});

/** Shows a change that waits in the list of edits, and why. */
function waiting(output: Output, reason: AppErrorData | null | undefined, what: string): ExitCode {
  if (reason) output.notice(reason);
  output.line(waitsText(what));
  return EXIT.incomplete;
}
