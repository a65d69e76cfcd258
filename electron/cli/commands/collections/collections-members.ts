import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';

/**
 * Lists the users and groups with their roles in a collection, one line each, with the collection from which an inherited role
 * comes.
 */
export const collectionsMembersCommand = defineEngineCommand({
  name: 'collections members',
  operands: 'COLLECTION',
  summary: 'List the users and groups of a collection with their roles.',
  options: {},
  read(_values, operands) {
    const [ref = ''] = operands;
    if (operands.length !== 1 || ref === '') throw new UsageError('Enter one collection.');
    return { ref };
  },
  async run(context, { ref }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: collectionId } = await findCollection(engine, siteId, ref);
    const { places, visible, isCut } = await engine.call('library.collectionMembers', { siteId, collectionId });
    const rows: string[][] = [];
    for (const { members, ...place } of places) {
      for (const member of members) {
        output.record({ member: { ...member, collectionId: place.collectionId } });
        const from = place.collectionId === collectionId ? '' : `“${place.name}”`;
        const name = member.name === '' ? member.id : member.name;
        rows.push([member.kind, name, member.role, from]);
      }
    }
    output.table(['KIND', 'NAME', 'ROLE', 'INHERITED FROM'], rows);
    output.record({ visible, isCut });
    if (places.every(({ members }) => members.length === 0)) output.note('No roles that your account can see.');
    if (visible === 'own') output.note('You see only your own roles: you may not share this collection.');
    const own = places.filter((place) => place.collectionId !== collectionId && place.visible === 'own');
    if (visible !== 'own' && own.length > 0) {
      const names = own.map(({ name }) => `“${name}”`).join(', ');
      output.note(`Of the roles inherited from ${names} you see only your own: you may not share these collections.`);
    }
    if (isCut) output.note('Roles are also inherited from a collection that you can’t see.');
    return EXIT.complete;
  },
});
