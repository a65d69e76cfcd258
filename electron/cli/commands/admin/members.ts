import type { AccessSubject, MembershipRow } from '../../../../shared/contract/admin/access.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { Engine } from '../../../engine/engine.ts';
import { allRows } from '../../admin/all-rows.ts';
import { PREVIEW_OPTION, printEffects } from '../../admin/effects-text.ts';
import { findNamed } from '../../admin/find-named.ts';
import { findSubject, readSubject, SUBJECT_OPTIONS, type SubjectRef } from '../../admin/find-subject.ts';
import { type Columns, printList } from '../../admin/print-list.ts';
import { noOperands, onlyOperand, optionText, requiredText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';

const COLLECTION_MISSING = 'Enter a collection.';

const COLUMNS: Columns<MembershipRow> = {
  COLLECTION: ({ path }) => path.join(' / '),
  KIND: ({ subject }) => subject.kind,
  NAME: ({ subject, subjectName }) => subjectName || subject.id,
  ROLE: ({ roleName }) => roleName,
};

export const adminMembersListCommand = defineEngineCommand({
  name: 'admin members list',
  operands: '',
  summary: 'List who has which role in which collection.',
  options: {
    ...SUBJECT_OPTIONS,
    collection: { value: 'COLLECTION', help: 'Only those of this collection: ID, slug, path or name.' },
    role: { value: 'ROLE', help: 'Only those with this role.' },
  },
  read(values, operands) {
    noOperands(operands);
    return { who: readSubject(values), collection: optionText(values, 'collection'), role: optionText(values, 'role') };
  },
  async run(context, { who, collection, role }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const roleId = role === null ? null : findNamed(await engine.call('admin.roles', { siteId }), 'role', role).id;
    const subject = who === null ? null : (await findSubject(engine, siteId, who)).subject;
    const collectionId = collection === null ? null : (await findCollection(engine, siteId, collection)).id;
    const rows = await memberships(engine, siteId, { subject, collectionId, roleId });
    printList(output, { name: 'membership', columns: COLUMNS }, rows);
    return EXIT.complete;
  },
});

function memberships(
  engine: Engine,
  siteId: string,
  filter: { subject: AccessSubject | null; collectionId: string | null; roleId: string | null },
): Promise<MembershipRow[]> {
  return allRows((part) => engine.call('admin.memberships', { siteId, ...filter, ...part }));
}

export const adminMembersSetCommand = defineEngineCommand({
  name: 'admin members set',
  operands: 'COLLECTION --role ROLE',
  summary:
    'Give a user or a group a role in a collection, instead of an earlier one there. First prints who gains and loses what.',
  options: { ...SUBJECT_OPTIONS, role: { value: 'ROLE', help: 'The role: ID or name.' }, ...PREVIEW_OPTION },
  read: (values, operands) => ({
    ref: onlyOperand(operands, COLLECTION_MISSING),
    who: requiredSubject(readSubject(values)),
    role: requiredText(values, 'role'),
    isPreview: values.preview === true,
  }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { ref, who, role, isPreview }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: roleId, name: roleName } = findNamed(await engine.call('admin.roles', { siteId }), 'role', role);
    const { subject, name } = await findSubject(engine, siteId, who);
    const { id: collectionId, name: collectionName } = await findCollection(engine, siteId, ref);
    const membership = { collectionId, subject, roleId };
    await printEffects(context, siteId, { kind: 'set', ...membership });
    if (isPreview) return EXIT.complete;
    await engine.call('access.set', { siteId, ...membership });
    output.record({ set: membership });
    output.line(`“${name}” has the role “${roleName}” in “${collectionName}” now.`);
    return EXIT.complete;
  },
});

export const adminMembersRemoveCommand = defineEngineCommand({
  name: 'admin members remove',
  operands: 'COLLECTION',
  summary: 'Remove the own role of a user or a group in a collection. First prints who gains and loses what.',
  options: { ...SUBJECT_OPTIONS, ...PREVIEW_OPTION },
  read: (values, operands) => ({
    ref: onlyOperand(operands, COLLECTION_MISSING),
    who: requiredSubject(readSubject(values)),
    isPreview: values.preview === true,
  }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { ref, who, isPreview }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { subject, name } = await findSubject(engine, siteId, who);
    const { id: collectionId, name: collectionName } = await findCollection(engine, siteId, ref);
    const [own] = await memberships(engine, siteId, { subject, collectionId, roleId: null });
    if (own === undefined) {
      throw appError('api.not-found', {
        message: `“${name}” has no role of its own in “${collectionName}”. An inherited one is removed where it comes from.`,
        details: { collectionId, subject: subject.id },
      });
    }
    await printEffects(context, siteId, { kind: 'remove', membershipId: own.id, roleId: own.roleId });
    if (isPreview) return EXIT.complete;
    await engine.call('access.remove', { siteId, membershipId: own.id, collectionId, roleId: own.roleId });
    output.record({ removed: own });
    output.line(`“${name}” no longer has the role “${own.roleName}” in “${collectionName}”.`);
    return EXIT.complete;
  },
});

export const adminMembersInheritCommand = defineEngineCommand({
  name: 'admin members inherit',
  operands: 'COLLECTION on|off',
  summary:
    'Let a collection inherit the roles of the collection above it, or not. First prints who gains and loses what.',
  options: {
    keep: {
      value: null,
      help: 'With off: first give those with only inherited roles the nearest of them directly. Who has another role as well may lose something; the preview names everybody who does.',
    },
    ...PREVIEW_OPTION,
  },
  read(values, [ref = '', word = '', ...more]) {
    noOperands(more);
    if (ref === '' || (word !== 'on' && word !== 'off')) throw new UsageError('Enter the collection, then on or off.');
    const keeps = values.keep === true;
    if (keeps && word === 'on') throw new UsageError('Use --keep only with off.');
    return { ref, inherits: word === 'on', keeps, isPreview: values.preview === true };
  },
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { ref, inherits, keeps, isPreview }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: collectionId, name } = await findCollection(engine, siteId, ref);
    await printEffects(context, siteId, { kind: 'inherit', collectionId, inherits, keeps });
    if (isPreview) return EXIT.complete;
    const { copied } = await engine.call('access.inherit', { siteId, collectionId, inherits, keeps });
    output.record({ inherit: { collectionId, inherits, copied } });
    const added = copied === 0 ? '' : ` ${copiedText(copied)}`;
    output.line(`“${name}” ${inherits ? 'inherits the roles above it' : 'no longer inherits roles'}.${added}`);
    return EXIT.complete;
  },
});

function requiredSubject(who: SubjectRef | null): SubjectRef {
  if (who === null) throw new UsageError('Use --person or --group.');
  return who;
}

/** Returns how many inherited roles became own ones, as a sentence. */
export function copiedText(copied: number): string {
  return copied === 1 ? '1 inherited role became an own role.' : `${copied} inherited roles became own roles.`;
}
