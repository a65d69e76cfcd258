import type { MembershipRow } from '../../contract/admin/access.ts';
import type { Person } from '../../contract/admin/people.ts';
import { nameListText } from '../name-list.ts';

const COLUMNS = [
  ...['id', 'email', 'name', 'unique id', 'administrator', 'groups', 'roles', 'created', 'last sign-in'],
] as const;

/**
 * Returns a table of users with all that their deletion removes: a header, then a row for each. `groupNames`: by id; `memberships`: at
 * least those of these users.
 */
export function peopleTable(
  people: readonly Person[],
  { groupNames, memberships }: { groupNames: ReadonlyMap<string, string>; memberships: readonly MembershipRow[] },
): string[][] {
  const roles = new Map<string, string[]>();
  for (const { subject, roleName, path } of memberships) {
    if (subject.kind !== 'user') continue;
    const texts = roles.get(subject.id) ?? [];
    texts.push(`${path.join(' / ')}: ${roleName}`);
    roles.set(subject.id, texts);
  }
  const rows = people.map((person) => [
    ...[person.id, person.email, person.name, person.uniqueId, person.isAdmin ? 'yes' : 'no'],
    nameListText(
      person.groupIds.map((id) => groupNames.get(id) ?? id),
      ';',
    ),
    (roles.get(person.id) ?? []).join('; '),
    ...[person.createdOn ?? '', person.lastLoginOn ?? ''],
  ]);
  return [[...COLUMNS], ...rows];
}
