import type { Person } from '../../../../shared/contract/admin/people.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { groupsOption, lineOf, requiredLine } from '../../admin/admin-options.ts';
import { counted, reportFailed, reportOutcome } from '../../admin/admin-outcome.ts';
import { findListed } from '../../admin/find-named.ts';
import { findPeople, findPerson } from '../../admin/find-person.ts';
import { type Columns, printList } from '../../admin/print-list.ts';
import { readRefs } from '../../arguments/names.ts';
import { noOperands, oneOf, onlyOperand, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { standardQuestion } from '../../output/standard-streams.ts';
import { askNewPassword } from '../../session/new-password.ts';

const QUOTE_HELP = 'separated by commas. A name with a comma is in double quotes.';
const GROUPS_HELP = { join: `Groups to join, ${QUOTE_HELP}`, leave: `Groups to leave, ${QUOTE_HELP}` };
const UNIQUE_ID_HELP = 'The identity for sign-on integrations.';

interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  isAdmin: boolean;
  uniqueId: string | null;
  groups: string | null;
  asksPassword: boolean;
}

export const adminUsersCreateCommand = defineEngineCommand<NewUser>({
  name: 'admin users create',
  operands: '--email ADDRESS --first NAME --last NAME',
  summary: 'Create a user.',
  options: {
    email: { value: 'ADDRESS', help: 'The e-mail address.' },
    first: { value: 'NAME', help: 'The first name.' },
    last: { value: 'NAME', help: 'The last name.' },
    administrator: { value: null, help: 'Make the user an administrator.' },
    'unique-id': { value: 'ID', help: `${UNIQUE_ID_HELP} Default: basic: and the e-mail address.` },
    group: { value: 'GROUPS', help: GROUPS_HELP.join },
    'password-prompt': { value: null, help: 'Ask for a password. It isn’t shown and isn’t stored.' },
  },
  read(values, operands) {
    noOperands(operands);
    return {
      email: requiredLine(values, 'email'),
      firstName: requiredLine(values, 'first'),
      lastName: requiredLine(values, 'last'),
      isAdmin: values.administrator === true,
      uniqueId: lineOf(values, 'unique-id'),
      groups: groupsOption(values, 'group'),
      asksPassword: values['password-prompt'] === true,
    };
  },
  interruptedText: CHANGING_INTERRUPTED,
  run: createUser,
});

async function createUser(context: EngineContext, input: NewUser): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const groups = findListed(await engine.call('admin.groups', { siteId }), 'group', input.groups);
  // Refused before anything is created, and before a password is typed.
  if (groups.some(({ builtIn }) => builtIn !== null)) throw appError('admin.built-in-group');
  const password = input.asksPassword ? await askNewPassword(standardQuestion()) : undefined;
  const { email, firstName, lastName, isAdmin, uniqueId } = input;
  const created = await engine.call('admin.createPerson', {
    siteId,
    email,
    firstName,
    lastName,
    isAdmin,
    ...(uniqueId === null ? {} : { uniqueId }),
    ...(password === undefined ? {} : { password }),
  });
  const what = isAdmin ? 'the administrator' : 'the user';
  output.line(`Created ${what} “${created.name}” (ID ${created.id}).`);
  if (groups.length === 0) {
    output.record({ person: created });
    return EXIT.complete;
  }
  // A request of its own: when it fails, the user exists, and the command says so.
  const add = groups.map(({ id }) => id);
  const { failed } = await engine.call('admin.changeGroups', { siteId, userIds: [created.id], add, remove: [] });
  const { person } = await engine.call('admin.person', { siteId, userId: created.id });
  output.record({ person });
  if (failed.length === 0) output.line(`Added to: ${groups.map(({ name }) => name).join(', ')}.`);
  return reportFailed(output, failed);
}

export const adminUsersEditCommand = defineEngineCommand({
  name: 'admin users edit',
  operands: 'PERSON',
  summary: 'Change whether a user is an administrator, or the unique ID.',
  options: {
    administrator: { value: 'WORD', values: ['yes', 'no'], help: 'yes or no.' },
    'unique-id': { value: 'ID', help: UNIQUE_ID_HELP },
  },
  read(values, operands) {
    const isAdmin =
      optionText(values, 'administrator') === null
        ? null
        : oneOf(values, 'administrator', ['yes', 'no'], 'no') === 'yes';
    const uniqueId = lineOf(values, 'unique-id');
    if (isAdmin === null && uniqueId === null) throw new UsageError('Use --administrator or --unique-id.');
    return { ref: onlyOperand(operands, 'Enter a user.'), isAdmin, uniqueId };
  },
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { ref, isAdmin, uniqueId }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const before = await findPerson(engine, siteId, ref);
    const person = await engine.call('admin.changePerson', {
      siteId,
      userId: before.id,
      ...(isAdmin === null ? {} : { isAdmin }),
      ...(uniqueId === null ? {} : { uniqueId }),
    });
    output.record({ person });
    const isSame = before.isAdmin === person.isAdmin && before.uniqueId === person.uniqueId;
    output.line(
      isSame ? `“${person.name}” already has these values. Nothing was changed.` : `Changed “${person.name}”.`,
    );
    return EXIT.complete;
  },
});

interface GroupsInput {
  refs: string[];
  add: string | null;
  remove: string | null;
}

export const adminUsersGroupsCommand = defineEngineCommand<GroupsInput>({
  name: 'admin users groups',
  operands: 'PERSON…',
  summary: 'Show the groups of users, or add users to groups and remove them from groups.',
  options: {
    add: { value: 'GROUPS', help: GROUPS_HELP.join },
    remove: { value: 'GROUPS', help: GROUPS_HELP.leave },
  },
  read(values, refs) {
    return {
      refs: readRefs(refs, 'Enter the users.'),
      add: groupsOption(values, 'add'),
      remove: groupsOption(values, 'remove'),
    };
  },
  interruptedText: CHANGING_INTERRUPTED,
  run: changeGroups,
});

async function changeGroups(context: EngineContext, input: GroupsInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const groups = await engine.call('admin.groups', { siteId });
  const add = findListed(groups, 'group', input.add);
  const remove = findListed(groups, 'group', input.remove);
  const both = add.find((group) => remove.includes(group));
  if (both !== undefined) throw new UsageError(`“${both.name}” is in --add and in --remove.`, 'admin users groups');
  const people = await findPeople(engine, siteId, input.refs);
  if (add.length + remove.length === 0) {
    const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
    const namesOf = ({ groupIds }: Person) => groupIds.map((id) => nameOf.get(id) ?? id).join(', ');
    const columns: Columns<Person> = { ID: ({ id }) => id, NAME: ({ name }) => name, GROUPS: namesOf };
    printList(output, { name: 'person', one: 'user', columns }, people);
    return EXIT.complete;
  }
  const outcome = await engine.call('admin.changeGroups', {
    siteId,
    userIds: people.map(({ id }) => id),
    add: add.map(({ id }) => id),
    remove: remove.map(({ id }) => id),
  });
  const parts = [
    ...(add.length === 0 ? [] : [`in ${namesText(add)}`]),
    ...(remove.length === 0 ? [] : [`not in ${namesText(remove)}`]),
  ];
  const code = reportOutcome(context, 'changed', { one: 'user', outcome });
  if (outcome.done.length > 0) output.line(`Now ${parts.join(', ')}.`);
  const skipped = outcome.skipped.length;
  if (skipped > 0) output.line(`Unchanged, because that was so before: ${counted(skipped, 'user')}.`);
  return code;
}

const namesText = (groups: readonly { name: string }[]) => groups.map(({ name }) => `“${name}”`).join(', ');
