// Tables of users, groups, roles and memberships as LibreOffice Calc 7.4 saves them: as XLSX, and as CSV with semicolons.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { errorOf } from '../../helpers/cli/cli-profile.ts';
import { idsOf } from '../../helpers/service/service-people.ts';

const fixture = (name: string) => new URL(`../../fixtures/spreadsheets/${name}`, import.meta.url).pathname;
const TABLES = ['groups', 'users', 'roles', 'members'] as const;

let lab: AdminLab;
beforeAll(async () => {
  lab = await openAdminLab();
}, 600_000);
afterAll(() => lab?.close());

const importOf = (table: string, path: string) => lab.cli('admin', table, 'import', path, '--apply');
const only = async (path: string) => {
  const { items } = (await lab.direct.get(path)).body;
  expect(items).toHaveLength(1);
  return items[0];
};

it('are imported as XLSX, and the same tables as CSV then send nothing', { timeout: 300_000 }, async () => {
  for (const table of TABLES) {
    expect(await importOf(table, fixture(`${table}-libreoffice.xlsx`)), table).toMatchObject({ code: 0, stderr: '' });
  }
  // A cell with a number is the name of a group.
  const year = await only('/api2/groups?display_name=2024');
  const sound = await only(`/api2/groups?display_name=${encodeURIComponent('Ton; Licht')}`);
  const [ida, lin] = [
    await only(`/api2/users?email_address=${encodeURIComponent('jörg@lo.example')}`),
    await only('/api2/users?email_address=lin@lo.example'),
  ];
  expect([ida.display_name, lin.display_name, lin.is_admin]).toEqual(['Jörg Müller, jun.', 'Lin Ōe', true]);
  expect(await idsOf(lab.direct, '/api2/users', { group_id: year.id })).toEqual(
    expect.arrayContaining([ida.id, lin.id]),
  );
  expect(await idsOf(lab.direct, '/api2/users', { group_id: sound.id })).toContain(ida.id);
  const role = await only(`/api2/roles?display_name=${encodeURIComponent('Gast "Plus"')}`);
  expect(role.permissions).toEqual(expect.arrayContaining(['media-play', 'media-like']));
  expect((await only(`/api2/memberships?group_id=${year.id}`)).role.id).toBe(role.id);
  expect((await only(`/api2/memberships?user_id=${ida.id}`)).role.display_name).toBe('Viewer');
  await lab.clearWrites();
  for (const table of TABLES) {
    expect(await importOf(table, fixture(`${table}-libreoffice.csv`)), table).toMatchObject({ code: 0 });
  }
  expect(await lab.writes()).toEqual([]);
});

it('are refused in the format of LibreOffice itself, with what to do', { timeout: 300_000 }, async () => {
  const path = join(lab.account.folder, 'groups.ods');
  copyFileSync(fixture('other.ods'), path);
  for (const table of TABLES) {
    const refused = await lab.cli('admin', table, 'import', path, '--json');
    expect({ table, code: refused.code, error: errorOf(refused).code }).toEqual({
      table,
      code: 1,
      error: 'table.not-a-table',
    });
  }
});
