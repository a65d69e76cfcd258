import { describe, expect, it } from 'vitest';
import type { Person } from '../../../../shared/contract/admin/people.ts';
import { planPeopleImport } from '../../../../shared/model/access/people-import.ts';
import { parseTsv } from '../../../../shared/model/table/parse-tsv.ts';
import { aGroup, aPerson } from '../../../helpers/data/people.ts';

const GROUPS = [
  aGroup('1', 'Public', 'public'),
  aGroup('2', 'Crew'),
  aGroup('3', 'Night'),
  aGroup('4', 'Twin'),
  aGroup('5', 'Twin'),
  aGroup('6', 'Sound; light'),
];

function plan(people: readonly Person[], ...lines: string[]) {
  const rows = parseTsv(lines.join('\n').replaceAll('|', '\t')).map((cells, at) => ({
    row: at + 1,
    line: at + 1,
    cells,
  }));
  return planPeopleImport(rows, { people, groups: GROUPS, actorId: '1' });
}
const HEADER = 'email|First_Name|last name|unique id|administrator|groups|shoe size';

describe('an import of users', () => {
  it('creates, changes and skips, and each row is in one list', () => {
    const people = [aPerson('7'), aPerson('8', { groupIds: ['2'] })];
    const planned = plan(
      people,
      HEADER,
      'new@x.example|Grace|Hopper|sso:g|yes|Crew; Night|39',
      'P7@X.example||||yes|',
      '|||sso:8||Crew|',
      'p8@x.example||||no|Night|',
      '||||||40',
    );
    expect(planned?.create).toEqual([
      {
        line: 2,
        email: 'new@x.example',
        firstName: 'Grace',
        lastName: 'Hopper',
        uniqueId: 'sso:g',
        isAdmin: true,
        addGroups: ['2', '3'],
      },
    ]);
    expect(planned?.update).toMatchObject([{ line: 3, patch: { isAdmin: true }, addGroups: [] }]);
    expect(planned?.unchanged).toMatchObject([{ line: 4, person: { id: '8' } }]);
    expect(planned?.skipped).toEqual([
      { line: 5, reason: 'line 4 is about the same user' },
      { line: 6, reason: 'no unique ID and no e-mail address' },
    ]);
  });

  it('takes the user with the unique id before the one with the e-mail address', () => {
    const planned = plan([aPerson('7'), aPerson('8')], 'email|unique id', 'p7@x.example|sso:8', 'p8@x.example|sso:new');
    expect(planned?.skipped).toMatchObject([{ line: 2, reason: expect.stringContaining('p8@x.example') }]);
    expect(planned?.update).toMatchObject([{ line: 3, person: { id: '8' }, patch: { uniqueId: 'sso:new' } }]);
  });

  it.each([
    ['a@x.example||Last||||', 'a new user needs: first name'],
    ['|A|B|sso:x|||', 'a new user needs: email'],
    [`a@x.example|${'A'.repeat(256)}|B||||`, 'first name has more than 255 characters'],
    [`p7@x.example|${'A'.repeat(256)}||sso:${'x'.repeat(252)}|||`, 'unique id has more than 255 characters'],
    ['no address|A|B||||', '“no address” is not an e-mail address'],
    ['a@x.example|A|B|||Crew; "Night|', 'a quote in the groups is not closed: Crew; "Night'],
    ['a@x.example|A|B||perhaps||', 'administrator is neither yes nor no: perhaps'],
    ['a@x.example|A|B|||Nobody|', 'the library has no group “Nobody”'],
    ['a@x.example|A|B|||Twin|', 'several groups have the name “Twin”'],
    ['a@x.example|A|B|||Public|', 'everybody belongs to the group “Public”'],
    ['twice@x.example||||||', 'several users match: 1, 2'],
  ])('skips %s with the reason', (row, reason) => {
    const twins = [aPerson('1', { email: 'twice@x.example' }), aPerson('2', { email: 'twice@x.example' })];
    expect(plan([...twins, aPerson('7')], HEADER, row)).toEqual({
      create: [],
      update: [],
      unchanged: [],
      skipped: [{ line: 2, reason }],
    });
  });

  it('creates the same new user once, by e-mail address or unique id, and reads protected cells', () => {
    const rows = ['a@x.example|A|B|sso:1|||', 'A@x.example|A|B||||', "c@x.example|'=C|D|sso:1|||"];
    const planned = plan([], HEADER, ...rows);
    expect(planned?.create.map(({ line }) => line)).toEqual([2]);
    expect(planned?.skipped.map(({ reason }) => reason)).toEqual(Array(2).fill('line 2 is about the same user'));
    expect(plan([], HEADER, rows[2] ?? '')?.create).toMatchObject([{ firstName: '=C' }]);
  });

  it('joins a group whose name contains the separator, in double quotes', () => {
    const rows = [HEADER.split('|'), ['a@x.example', 'A', 'B', '', '', '"Sound; light"; Crew', '']];
    const table = rows.map((cells, at) => ({ row: at + 1, line: at + 1, cells }));
    const planned = planPeopleImport(table, { people: [], groups: GROUPS, actorId: '1' });
    expect(planned?.create).toMatchObject([{ addGroups: ['6', '2'] }]);
  });

  it('is refused when no column names a user', () => expect(plan([], 'first name|groups', 'A|Crew')).toBeNull());

  it('never takes away the administrator rights of the importing user', () => {
    const planned = plan(
      [aPerson('1', { isAdmin: true }), aPerson('2', { isAdmin: true })],
      HEADER,
      'p1@x.example||||no||',
      'p2@x.example||||no||',
    );
    expect(planned?.skipped).toEqual([{ line: 2, reason: 'you can’t take away your own administrator rights' }]);
    expect(planned?.update.map(({ person: { id } }) => id)).toEqual(['2']);
  });
});
