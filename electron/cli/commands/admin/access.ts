import type { Explanation } from '../../../../shared/contract/admin/access.ts';
import { MAX_WHO } from '../../../../shared/model/access/admin-limits.ts';
import { counted } from '../../admin/admin-outcome.ts';
import { wayText } from '../../admin/effects-text.ts';
import { findSubject, SUBJECT_OPTIONS } from '../../admin/find-subject.ts';
import { printTable } from '../../admin/print-list.ts';
import { optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { readPermission } from './roles.ts';

export const accessExplainCommand = defineEngineCommand({
  name: 'access explain',
  operands: 'PERSON|--group GROUP [COLLECTION]',
  summary:
    'Show what a user or a group may do in a collection and why; without COLLECTION, in each collection with a role.',
  options: { group: SUBJECT_OPTIONS.group },
  read(values, operands) {
    const group = optionText(values, 'group');
    const refs = group === null ? operands : [group, ...operands];
    const [ref = '', collection = null, extra] = refs;
    if (ref === '') throw new UsageError('Enter a user, or use --group.');
    if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`);
    return { who: { kind: group === null ? 'user' : 'group', ref } as const, collection };
  },
  async run(context, { who, collection }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { subject } = await findSubject(engine, siteId, who);
    const collectionId = collection === null ? null : (await findCollection(engine, siteId, collection)).id;
    const { places, subjectName } = await engine.call('access.explain', { siteId, subject, collectionId });
    for (const place of places) {
      output.record({ place: { subject, subjectName, ...place } });
      for (const line of placeLines(place)) output.line(line);
    }
    if (places.length === 0) output.line(`“${subjectName}” has no role that counts in any collection.`);
    return EXIT.complete;
  },
});

function placeLines({ path, ways, permissions, service, differs }: Explanation['places'][number]): string[] {
  return [
    path.join(' / '),
    `  ${permissions.length === 0 ? 'Nothing here: no role counts in this collection.' : permissions.join(', ')}`,
    ...ways.map((way) => `  - ${wayText(way)}`),
    ...(differs
      ? [`  The library calculates something else. It decides: ${(service ?? []).join(', ') || 'nothing'}`]
      : []),
  ];
}

export const accessWhoCommand = defineEngineCommand({
  name: 'access who',
  operands: 'COLLECTION PERMISSION',
  summary: 'List the users with a permission in a collection, such as media-download, and why they have it.',
  options: {},
  read(_values, [ref = '', permission = '', extra]) {
    if (ref === '' || permission === '') throw new UsageError('Enter the collection and the permission.');
    if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`);
    return { ref, name: permission };
  },
  async run(context, { ref, name }) {
    const { engine, output } = context;
    const permission = readPermission(name, 'access who');
    const { id: siteId } = await currentSite(context);
    const { id: collectionId } = await findCollection(engine, siteId, ref);
    const question = { siteId, collectionId, permission, limit: MAX_WHO };
    const { total, isPublic, people } = await engine.call('access.who', question);
    for (const person of people) output.record({ person });
    output.record({ total, isPublic });
    printTable(
      output,
      {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        'E-MAIL': ({ email }) => email,
        BY: ({ ways }) => ways.map(wayText).join('; '),
      },
      people,
    );
    if (total === 0) output.line('Nobody has this permission here.');
    if (isPublic) output.line('Visitors without an account have it, too.');
    if (total > 0) output.note(`${counted(total, 'user')}.`);
    if (total > people.length) output.note(`Only the first ${people.length} are listed.`);
    return EXIT.complete;
  },
});
