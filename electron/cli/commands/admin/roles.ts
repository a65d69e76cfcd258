import { isPermission, PERMISSIONS, type Permission } from '../../../../shared/api/permission-sets.ts';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { MAX_ADMIN_LINE } from '../../../../shared/model/access/admin-limits.ts';
import { changedRole } from '../../../../shared/model/access/role-change.ts';
import { lineOf } from '../../admin/admin-options.ts';
import { counted, reportOutcome } from '../../admin/admin-outcome.ts';
import { refusalOfDeletion, YES_OPTION } from '../../admin/confirm-deletion.ts';
import { PREVIEW_OPTION, printEffects } from '../../admin/effects-text.ts';
import { findNamed, namesIn } from '../../admin/find-named.ts';
import { type Columns, printList, printPreview } from '../../admin/print-list.ts';
import { readNewName } from '../../arguments/names.ts';
import { noOperands, type OptionValues, onlyOperand, optionText, requiredText } from '../../arguments/options.ts';
import { hintOf, similarTo } from '../../arguments/similar-words.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import type { Output } from '../../output/output.ts';

const COLUMNS: Columns<RoleRow> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  PERMISSIONS: ({ permissions }) => String(permissions.length),
  USED: ({ memberships }) => String(memberships),
  KIND: ({ deletable, lti }) => [...(deletable ? [] : ['fixed']), ...(lti ? ['LTI'] : [])].join(', '),
};

export const adminRolesListCommand = defineEngineCommand({
  name: 'admin roles list',
  operands: '',
  summary:
    'List the roles of the library, with the numbers of their permissions and of the places where they are used.',
  options: {},
  read: (_values, operands) => noOperands(operands),
  async run(context) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const roles = await engine.call('admin.roles', { siteId });
    printList(output, { name: 'role', columns: COLUMNS }, roles);
    return EXIT.complete;
  },
});

export const adminRolesShowCommand = defineEngineCommand({
  name: 'admin roles show',
  operands: 'ROLE',
  summary: 'Show the permissions of a role.',
  options: {},
  read: (_values, operands) => ({ ref: onlyOperand(operands, 'Enter a role.') }),
  async run(context, { ref }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const role = findNamed(await engine.call('admin.roles', { siteId }), 'role', ref);
    output.record({ role });
    output.line(`${role.name} (ID ${role.id}), used in ${counted(role.memberships, 'place')}:`);
    for (const permission of role.permissions) output.line(`  ${permission}`);
    return EXIT.complete;
  },
});

const PERMISSIONS_HELP = 'separated by commas, by their names in the API';

export const adminRolesCreateCommand = defineEngineCommand({
  name: 'admin roles create',
  operands: 'NAME --permissions LIST',
  summary: 'Create a role with these permissions and all that they depend on.',
  options: { permissions: { value: 'LIST', help: `Permissions ${PERMISSIONS_HELP}, such as media-play,media-like.` } },
  read: (values, operands) => ({
    name: readNewName(operands, MAX_ADMIN_LINE),
    permissions: readPermissions(requiredText(values, 'permissions')),
  }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { name, permissions }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const planned = changedRole([], { add: permissions, remove: [] });
    if (!('conflict' in planned)) printBesides(output, planned);
    const role = await engine.call('admin.createRole', { siteId, name, permissions });
    output.record({ role });
    output.line(`Created “${role.name}” (ID ${role.id}) with ${counted(role.permissions.length, 'permission')}.`);
    return EXIT.complete;
  },
});

interface RoleEdit {
  ref: string;
  name: string | null;
  add: Permission[];
  remove: Permission[];
  isPreview: boolean;
}

export const adminRolesEditCommand = defineEngineCommand<RoleEdit>({
  name: 'admin roles edit',
  operands: 'ROLE',
  summary: 'Rename a role, or change its permissions. First prints who gains and loses what.',
  options: {
    name: { value: 'NAME', help: 'Its new name.' },
    add: { value: 'LIST', help: `Permissions to add, ${PERMISSIONS_HELP}. Adds all that they depend on, too.` },
    remove: { value: 'LIST', help: 'Permissions to remove. Removes all that depend on them, too.' },
    ...PREVIEW_OPTION,
  },
  read(values, operands) {
    const name = lineOf(values, 'name');
    const [add, remove] = [listOf(values, 'add'), listOf(values, 'remove')];
    if (name === null && add.length + remove.length === 0) throw new UsageError('Use --name, --add or --remove.');
    const ref = onlyOperand(operands, 'Enter a role.');
    return { ref, name, add, remove, isPreview: values.preview === true };
  },
  interruptedText: CHANGING_INTERRUPTED,
  run: editRole,
});

async function editRole(context: EngineContext, { ref, name, add, remove, isPreview }: RoleEdit): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const before = findNamed(await engine.call('admin.roles', { siteId }), 'role', ref);
  const planned = changedRole(before.permissions, { add, remove });
  if ('conflict' in planned) {
    const { added, removed } = planned.conflict;
    throw new UsageError(
      added === removed ? `${added} is in --add and in --remove.` : `${added} depends on ${removed}.`,
      'admin roles edit',
    );
  }
  const { permissions } = planned;
  if (add.length + remove.length > 0) {
    printBesides(output, planned);
    await printEffects(context, siteId, { kind: 'role', roleId: before.id, permissions });
  }
  if (isPreview) return EXIT.complete;
  const role = await engine.call('admin.changeRole', {
    siteId,
    roleId: before.id,
    seen: before.permissions,
    permissions,
    ...(name === null ? {} : { name }),
  });
  output.record({ role });
  output.line(`“${role.name}” has ${counted(role.permissions.length, 'permission')} now.`);
  return EXIT.complete;
}

/** Prints the permissions that are changed because others need them. */
function printBesides(
  output: Output,
  { addedBesides, removedBesides }: { addedBesides: readonly string[]; removedBesides: readonly string[] },
): void {
  output.record({ besides: { added: addedBesides, removed: removedBesides } });
  if (addedBesides.length > 0) output.line(`Also added, because others depend on them: ${addedBesides.join(', ')}.`);
  if (removedBesides.length > 0)
    output.line(`Also removed, because they depend on others: ${removedBesides.join(', ')}.`);
}

export const adminRolesDeleteCommand = defineEngineCommand({
  name: 'admin roles delete',
  operands: 'ROLE',
  summary: 'Show where a role is used and who loses what, ask, and delete it everywhere.',
  options: YES_OPTION,
  read: (values, operands) => ({ ref: onlyOperand(operands, 'Enter a role.'), isYes: values.yes === true }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { ref, isYes }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: roleId } = findNamed(await engine.call('admin.roles', { siteId }), 'role', ref);
    const role = await engine.call('admin.deletionOfRole', { siteId, roleId });
    output.record({ deletion: { roles: [role] } });
    printPreview(output, COLUMNS, [role]);
    output.line(roleDeletionText(role));
    await printEffects(context, siteId, { kind: 'role', roleId: role.id, permissions: [] });
    const unconfirmed = await refusalOfDeletion(context, { count: 1, one: 'role', isYes });
    if (unconfirmed !== null) return unconfirmed;
    await engine.call('admin.deleteRole', { siteId, roleId, seen: role.seen });
    return reportOutcome(context, 'deleted', { one: 'role', outcome: { done: [role.id], failed: [] } });
  },
});

/** Returns what a deletion of a role removes besides, as a sentence. */
function roleDeletionText({ memberships }: RoleRow): string {
  if (memberships === 0) return 'Nobody has this role in any collection.';
  return memberships === 1 ? '1 role in a collection is removed.' : `${memberships} roles in collections are removed.`;
}

function listOf(values: OptionValues, name: string): Permission[] {
  const list = optionText(values, name);
  return list === null ? [] : readPermissions(list);
}

/** Reads names separated by commas. Throws `UsageError` for none, and for one that is no permission of the API. */
export function readPermissions(list: string): Permission[] {
  const given = namesIn(list);
  if (given.length === 0) throw new UsageError('Enter at least one permission.');
  return given.map((name) => readPermission(name));
}

/** Throws `UsageError` for a name that is no permission of the API. `topic`: the command, when this is called by its `run`. */
export function readPermission(name: string, topic: string | null = null): Permission {
  if (isPermission(name)) return name;
  throw new UsageError(
    `Unknown permission: ${name}.${hintOf(similarTo(name, PERMISSIONS))} Use: ${PERMISSIONS.join(', ')}.`,
    topic,
  );
}
