// Tables of groups and roles, which commands write and read, also from the programs that people use for spreadsheets.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { errorOf } from '../../helpers/cli/cli-profile.ts';
import { make } from '../../helpers/service/service-people.ts';

let lab: AdminLab;
beforeAll(async () => {
  lab = await openAdminLab();
}, 600_000);
afterAll(() => lab?.close());

const cli = (...args: string[]) => lab.cli(...args);
const fixture = (name: string) => new URL(`../../fixtures/spreadsheets/${name}`, import.meta.url).pathname;

function fileOf(name: string, ...rows: string[]): string {
  const path = join(lab.account.folder, name);
  writeFileSync(path, `${rows.join('\r\n')}\r\n`);
  return path;
}

const namesIn = async (groupName: string): Promise<string[]> => {
  const { body } = await lab.direct.get(`/api2/groups?display_name=${encodeURIComponent(groupName)}`);
  const members = await lab.direct.get(`/api2/users?group_id=${body.items[0].id}`);
  return members.body.items.map(({ email_address }: { email_address: string }) => email_address).sort();
};
const permissionsOf = async (name: string): Promise<string[]> =>
  (await lab.direct.get(`/api2/roles?display_name=${encodeURIComponent(name)}`)).body.items[0]?.permissions;

describe('a table of groups', { timeout: 300_000 }, () => {
  it('creates groups and adds users after a check, and the same table again sends nothing', async () => {
    const path = fixture('groups-xlsxwriter.xlsx');
    await lab.clearWrites();
    const checked = await cli('admin', 'groups', 'import', path);
    expect(checked).toMatchObject({ code: 0, stderr: expect.stringContaining('add --apply') });
    expect(checked.stdout).toContain('create the group “Table, night; crew”');
    expect(checked.stdout).toContain('3 rows: 2 groups are created, 0 renamed, 2 users join one');
    expect(await lab.writes()).toEqual([]);
    expect(await cli('admin', 'groups', 'import', path, '--apply')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Imported: 2 groups.'),
    });
    expect(await namesIn('Table crew')).toEqual(['editor@library.example', 'viewer@library.example']);
    await lab.clearWrites();
    const again = await cli('admin', 'groups', 'import', path, '--apply');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('3 rows change nothing') });
    expect(await lab.writes()).toEqual([]);
  });

  it('is exported with all members and read again without a request; a name beside an id renames; other rows are named', async () => {
    const { id } = await make(lab.direct, 'groups', { display_name: 'Old name, "quoted"' });
    const out = join(lab.account.folder, 'groups.csv');
    expect(await cli('admin', 'groups', 'export', '--out', out)).toMatchObject({ code: 0 });
    const table = readFileSync(out, 'utf8');
    expect(table).toContain('viewer@library.example');
    await lab.clearWrites();
    expect(await cli('admin', 'groups', 'import', out, '--apply')).toMatchObject({ code: 0 });
    expect(await lab.writes()).toEqual([]);
    const path = fileOf('rename.csv', 'group id,group,user', `${id},New name,`, ',Runners,nobody@x.example');
    const changed = await cli('admin', 'groups', 'import', path, '--apply');
    expect(changed).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('line 3: skip: the library has no user'),
    });
    expect((await lab.direct.get(`/api2/groups/${id}`)).body.display_name).toBe('New name');
  });
});

it.each([
  ['#REF!', 'manifest.formula-failed'],
  ['#NOT_CALCULATED!', 'manifest.formula-not-calculated'],
])('a table with the cell %s is refused with its place: no group gets that name', async (cell, code) => {
  const path = fileOf('formula.csv', 'group,user', `${cell},`);
  await lab.clearWrites();
  const refused = await cli('admin', 'groups', 'import', path, '--apply', '--json');
  expect(refused.code).toBe(1);
  expect(errorOf(refused)).toMatchObject({ code, details: { row: 2, column: 1 } });
  const members = await cli('admin', 'members', 'import', path, '--json');
  expect(errorOf(members)).toMatchObject({ code });
  expect(await lab.writes()).toEqual([]);
});

describe('a table of roles', { timeout: 300_000 }, () => {
  it('creates and changes roles after it says who gains what, and the same table again sends nothing', async () => {
    const path = fixture('roles-openpyxl.xlsx');
    const checked = await cli('admin', 'roles', 'import', path);
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain('create the role “Table cutter”');
    expect(await permissionsOf('Table cutter')).toBeUndefined();
    expect(await cli('admin', 'roles', 'import', path, '--apply')).toMatchObject({ code: 0 });
    expect(await permissionsOf('Table viewer')).toEqual(['collection-read', 'media-play', 'media-read']);
    await lab.clearWrites();
    expect(await cli('admin', 'roles', 'import', path, '--apply')).toMatchObject({ code: 0 });
    expect(await lab.writes()).toEqual([]);
    await cli('admin', 'members', 'set', 'Library', '--person', 'viewer@library.example', '--role', 'Table viewer');
    const change = fileOf('roles.csv', 'role,permissions', 'Table viewer,"media-play, media-download"');
    const changed = await cli('admin', 'roles', 'import', change, '--apply');
    expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 user gains or loses permissions') });
    expect(await permissionsOf('Table viewer')).toContain('media-download');
  });

  it('is exported and read again without a request, and wrong rows are named and skipped', async () => {
    const exported = await cli('admin', 'roles', 'export');
    const path = fileOf('exported.csv', exported.stdout.trim());
    await lab.clearWrites();
    expect(await cli('admin', 'roles', 'import', path, '--apply')).toMatchObject({ code: 0 });
    expect(await lab.writes()).toEqual([]);
    const wrong = fileOf('wrong.csv', 'role,permissions', 'Table viewer,media-fly', 'Table late,media-play');
    const imported = await cli('admin', 'roles', 'import', wrong, '--apply');
    expect(imported).toMatchObject({ code: 1, stdout: expect.stringContaining('unknown permission: media-fly') });
    expect(await permissionsOf('Table late')).toContain('media-play');
    expect((await cli('admin', 'roles', 'import', fileOf('no.csv', 'name', 'x'))).code).toBe(2);
  });
});
