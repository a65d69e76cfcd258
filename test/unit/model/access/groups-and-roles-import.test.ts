import { describe, expect, it } from 'vitest';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { groupsTable, planGroupsImport } from '../../../../shared/model/access/groups-import.ts';
import { planRolesImport, rolesTable } from '../../../../shared/model/access/roles-import.ts';
import { aGroup, aPerson } from '../../../helpers/data/people.ts';

const role = (id: string, name: string, permissions: string[]): RoleRow => ({
  id,
  name,
  permissions,
  deletable: true,
  lti: false,
  memberships: 0,
});
const rowsOf = (table: readonly (readonly string[])[]) =>
  table.map((cells, at) => ({ row: at + 1, line: at + 1, cells: [...cells] }));

const PEOPLE = [aPerson('7', { groupIds: ['2'] }), aPerson('8')];
const GROUPS = [aGroup('1', 'Public', 'public'), aGroup('2', 'Crew'), aGroup('4', 'Twin'), aGroup('5', 'Twin')];
const planGroups = (...table: string[][]) => planGroupsImport(rowsOf(table), { people: PEOPLE, groups: GROUPS });

describe('a table of groups', () => {
  it('creates, renames and fills groups, and each row changes something, nothing, or is skipped', () => {
    const plan = planGroups(
      ['group id', 'Group', 'user'],
      ['', 'Night', 'P8@X.example'],
      ['', 'Night', 'sso:7'],
      ['2', 'Day crew', 'p8@x.example'],
      ['2', 'Day crew', 'p7@x.example'],
      ['', 'Empty', ''],
      ['2', 'Other crew', 'sso:8'],
    );
    expect(plan?.groups).toMatchObject([
      { line: 2, id: null, name: 'Night', joins: [{ id: '8' }, { line: 3, id: '7' }] },
      { line: 4, id: '2', name: 'Day crew', renamedFrom: 'Crew', joins: [{ id: '8' }] },
      { line: 6, id: null, name: 'Empty', joins: [] },
    ]);
    expect(plan?.unchanged).toBe(1);
    expect(plan?.skipped).toEqual([{ line: 7, reason: 'line 4 gives this group another name, “Day crew”' }]);
  });

  it.each([
    [['', '', 'sso:7'], 'no group'],
    [['99', 'Crew', ''], 'the library has no group with the ID 99'],
    [['', 'Twin', ''], 'several groups have the name “Twin”: 4, 5'],
    [['', 'Public', 'sso:7'], 'everybody belongs to the group “Public”'],
    [['', 'Crew', 'nobody@x.example'], 'the library has no user “nobody@x.example”'],
    [['', 'x'.repeat(256), ''], 'group has more than 255 characters'],
  ])('skips %j with the reason', (row, reason) => {
    const plan = planGroups(['group id', 'group', 'user'], row);
    expect(plan).toEqual({ groups: [], unchanged: 0, skipped: [{ line: 2, reason }] });
  });

  it('that was exported changes nothing, and a table without groups is refused', () => {
    const exported = [...groupsTable(GROUPS, PEOPLE)];
    expect(planGroups(...exported)).toEqual({ groups: [], unchanged: 3, skipped: [] });
    expect(planGroups(['user'], ['sso:7'])).toBeNull();
  });
});

describe('a table of roles', () => {
  const ROLES = [
    role('1', 'Viewer', ['collection-read', 'media-read', 'future']),
    role('2', 'Same', []),
    role('3', 'Same', []),
  ];
  const plan = (...table: string[][]) => planRolesImport(rowsOf([['role id', 'role', 'permissions'], ...table]), ROLES);

  it('creates roles with all that their permissions need, and gives existing ones exactly theirs', () => {
    const planned = plan(
      ['', 'Player', 'media-play'],
      ['1', 'Watcher', 'collection-read; future'],
      ['2', '', ''],
      ['', 'Player', 'media-like'],
    );
    expect(planned?.create).toEqual([
      {
        line: 2,
        name: 'Player',
        permissions: ['collection-read', 'media-play', 'media-read'],
        besides: ['collection-read', 'media-read'],
      },
    ]);
    expect(planned?.change).toMatchObject([
      { line: 3, name: 'Watcher', permissions: ['collection-read', 'future'], besides: [], role: { id: '1' } },
    ]);
    expect(planned?.unchanged).toMatchObject([{ line: 4, role: { id: '2' } }]);
    expect(planned?.skipped).toEqual([{ line: 5, reason: 'line 2 is about the same role' }]);
  });

  it.each([
    [['', '', 'media-play'], 'no role'],
    [['9', '', 'media-play'], 'the library has no role with the ID 9'],
    [['', 'Same', 'media-play'], 'several roles have the name “Same”: 2, 3'],
    [['', 'Viewer', 'media-fly'], 'unknown permission: media-fly'],
    [['', 'New', 'future'], 'unknown permission: future'],
  ])('skips %j with the reason', (row, reason) => {
    expect(plan(row)).toEqual({ create: [], change: [], unchanged: [], skipped: [{ line: 2, reason }] });
  });

  it('that was exported changes nothing, and a table without permissions is refused', () => {
    const planned = planRolesImport(rowsOf([...rolesTable(ROLES)]), ROLES);
    expect([planned?.create, planned?.change, planned?.skipped]).toEqual([[], [], []]);
    expect(planned?.unchanged).toHaveLength(3);
    expect(planRolesImport(rowsOf([['role'], ['Viewer']]), ROLES)).toBeNull();
  });
});
