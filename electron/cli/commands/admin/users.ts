import type { PeopleQuery, Person } from '../../../../shared/contract/admin/people.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { MAX_ADMIN_SEARCH } from '../../../../shared/model/access/admin-limits.ts';
import { PEOPLE_FACETS, type PeopleFacet, type PeopleSort } from '../../../../shared/model/access/people-lists.ts';
import { allRows } from '../../admin/all-rows.ts';
import { findNamed } from '../../admin/find-named.ts';
import { findPerson } from '../../admin/find-person.ts';
import { type Columns, printList, printTable } from '../../admin/print-list.ts';
import { instantOption } from '../../arguments/instant.ts';
import { atMost, noOperands, oneOf, onlyOperand, optionText } from '../../arguments/options.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { localTime } from '../../output/local-time.ts';
import { table } from '../../output/text-format.ts';

interface UsersInput {
  text: string;
  facet: PeopleFacet;
  group: string | null;
  notSince: string | null;
  sort: PeopleSort;
  descending: boolean;
}

/** The words of `--sort`, with the orders of the contract. */
const SORTS = {
  name: 'name',
  email: 'email',
  'last-sign-in': 'lastLogin',
  created: 'created',
} as const satisfies Record<string, PeopleSort>;
const SORT_WORDS = ['name', 'email', 'last-sign-in', 'created'] as const satisfies (keyof typeof SORTS)[];

export const adminUsersListCommand = defineEngineCommand<UsersInput>({
  name: 'admin users list',
  operands: '',
  summary: 'List the users of the library.',
  options: {
    text: { value: 'TEXT', help: 'Only users with these words in the name, e-mail address or unique ID.' },
    facet: { value: 'WORD', values: PEOPLE_FACETS, help: `${PEOPLE_FACETS.join(', ')}. Default: all.` },
    group: { value: 'GROUP', help: 'Only the users of this group.' },
    'not-since': { value: 'DATE', help: 'Only users who haven’t signed in since this day, such as 2026-01-31.' },
    sort: { value: 'FIELD', values: SORT_WORDS, help: `${SORT_WORDS.join(', ')}. Default: name.` },
    order: { value: 'ORDER', values: ['asc', 'desc'], help: 'asc or desc. Default: asc.' },
  },
  read(values, operands) {
    noOperands(operands);
    return {
      text: atMost(optionText(values, 'text') ?? '', MAX_ADMIN_SEARCH, '--text'),
      facet: oneOf(values, 'facet', PEOPLE_FACETS, 'all'),
      group: optionText(values, 'group'),
      notSince: instantOption(values, 'not-since') ?? null,
      sort: SORTS[oneOf(values, 'sort', SORT_WORDS, 'name')],
      descending: oneOf(values, 'order', ['asc', 'desc'], 'asc') === 'desc',
    };
  },
  run: listUsers,
});

async function listUsers(context: EngineContext, input: UsersInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const groups = await engine.call('admin.groups', { siteId });
  const groupId = input.group === null ? null : findNamed(groups, 'group', input.group).id;
  const { text, facet, notSince, sort, descending } = input;
  const query: PeopleQuery = { siteId, text, facet, groupId, lastLoginBefore: notSince, sort, descending };
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
  const rows = await allRows((part) => engine.call('admin.people', { query, ...part }));
  const columns: Columns<Person> = {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    'E-MAIL': ({ email }) => email,
    ADMINISTRATOR: ({ isAdmin }) => (isAdmin ? 'yes' : ''),
    'LAST SIGN-IN': ({ lastLoginOn }) => dayText(lastLoginOn, 'never'),
    GROUPS: ({ groupIds }) => groupIds.map((id) => nameOf.get(id) ?? id).join(', '),
  };
  printList(output, { name: 'person', one: 'user', columns }, rows);
  return EXIT.complete;
}

const dayText = (at: string | null, none: string) => (at === null ? none : localTime(Date.parse(at)));

export const adminUsersShowCommand = defineEngineCommand({
  name: 'admin users show',
  operands: 'PERSON',
  summary: 'Show a user with groups and roles. PERSON is an ID, e-mail address, unique ID or full name.',
  options: {},
  read: (_values, operands) => ({ ref: onlyOperand(operands, 'Enter a user.') }),
  async run(context, { ref }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: userId } = await findPerson(engine, siteId, ref);
    const found = await engine.call('admin.person', { siteId, userId });
    output.record(found);
    for (const line of table(factsOf(found.person, found.groups))) output.line(line);
    if (found.memberships.length > 0) output.line('');
    printTable(
      output,
      { COLLECTION: ({ path }) => path.join(' / '), ROLE: ({ roleName }) => roleName },
      found.memberships,
    );
    return EXIT.complete;
  },
});

/** Returns the fields of a user as rows, without the empty ones. */
function factsOf(person: Person, groups: CallOutput<'admin.person'>['groups']): string[][] {
  const facts = [
    ['Name', person.name],
    ['ID', person.id],
    ['E-mail', person.email],
    ['Unique ID', person.uniqueId],
    ['Administrator', person.isAdmin ? 'yes' : 'no'],
    ['Groups', groups.map(({ name }) => name).join(', ')],
    ['Created', dayText(person.createdOn, '')],
    ['Last sign-in', dayText(person.lastLoginOn, 'never')],
  ];
  return facts.filter(([, value]) => value !== '');
}
