// The report of who may do what, beside the calculation of the service.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTable } from '../../../electron/engine/manifest/table/open-table.ts';
import { nodeFiles } from '../../../electron/engine/ports/system/node-files.ts';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { errorOf, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { make } from '../../helpers/service/service-people.ts';

interface Access {
  id: string;
  isAdmin: boolean;
  collectionId?: string;
  permissions?: string[];
}

let lab: AdminLab;
/** `physics` inherits the roles of the library, and `optics` those of `physics`; `closed` inherits nothing. */
const ids = { physics: '', optics: '', closed: '', ann: '', bob: '', nobody: '' };

beforeAll(async () => {
  lab = await openAdminLab();
  const { direct } = lab;
  const collection = async (display_name: string, parent_id: string, inherit_memberships: boolean): Promise<string> =>
    (await direct.post('/api2/collections', { display_name, parent_id, inherit_memberships })).body.id;
  ids.physics = await collection('Physics', '1', true);
  ids.optics = await collection('Optics', ids.physics, true);
  ids.closed = await collection('Closed', '1', false);
  const roleId = async (name: string) => (await direct.get(`/api2/roles?display_name=${name}`)).body.items[0].id;
  const [viewer, editor] = [await roleId('Viewer'), await roleId('Editor')];
  ids.ann = (await make(direct, 'users', { first_name: 'Ann', last_name: 'Arc' })).id;
  ids.bob = (await make(direct, 'users', { first_name: '=Bob', last_name: 'B\u202eow' })).id;
  ids.nobody = (await make(direct, 'users', { first_name: 'No', last_name: 'Body' })).id;
  const crew = (await make(direct, 'groups', { display_name: 'Crew' })).id;
  await direct.post(`/api2/groups/${crew}/add-users`, { user_ids: [ids.ann] });
  await make(direct, 'memberships', { group_id: crew, collection_id: ids.physics, role_id: editor });
  await make(direct, 'memberships', { user_id: ids.ann, collection_id: ids.optics, role_id: viewer });
  await make(direct, 'memberships', { user_id: ids.bob, collection_id: ids.closed, role_id: viewer });
}, 600_000);
afterAll(() => lab?.close());

/** The permissions by user and collection, as the service calculates them; without collections in which there are none. */
async function calculated(userId: string): Promise<Record<string, string[]>> {
  const { body } = await lab.direct.get(`/api2/memberships/calculate-roles-perms?user_id=${userId}`);
  const by: Record<string, string[]> = {};
  for (const { collection, permissions } of body.items as { collection: { id: string }; permissions: string[] }[]) {
    by[collection.id] = [...new Set([...(by[collection.id] ?? []), ...permissions])].sort();
  }
  return Object.fromEntries(Object.entries(by).filter(([, permissions]) => permissions.length > 0));
}

const accessOf = (records: readonly Record<string, unknown>[]) =>
  records.flatMap((record) => ('access' in record ? [record.access as Access] : []));

/** Compares a report of all users with the calculation of the service for each of them. */
async function compareAll(): Promise<Record<string, number>> {
  const { code, records, stderr } = await lab.cli('access', 'report', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = accessOf(records);
  const users = (await lab.direct.get('/api2/users')).body.items as { id: string; is_admin: boolean }[];
  for (const { id, is_admin } of users) {
    const own = rows.filter((row) => row.id === id);
    if (is_admin) {
      expect(own).toEqual([expect.objectContaining({ isAdmin: true })]);
      expect(own[0]).not.toHaveProperty('collectionId');
      continue;
    }
    const reported = own.map(({ collectionId = '', permissions = [] }) => [collectionId, permissions.toSorted()]);
    expect(Object.fromEntries(reported)).toEqual(await calculated(id));
    expect(own).toHaveLength(reported.length);
  }
  return (records.at(-1) as { report: Record<string, number> }).report;
}

describe('a report of access', { timeout: 300_000 }, () => {
  it('has what the service calculates for every user, with groups, inherited and built-in ones', async () => {
    const { users, withoutPermissions } = await compareAll();
    expect(withoutPermissions).toBe(1);
    const builtIn = (await lab.direct.get('/api2/groups/registered-users')).body.id;
    const viewer = (await lab.direct.get('/api2/roles?display_name=Viewer')).body.items[0].id;
    await make(lab.direct, 'memberships', { group_id: builtIn, collection_id: ids.physics, role_id: viewer });
    expect(await compareAll()).toMatchObject({ users: (users ?? 0) + 1, withoutPermissions: 0, unreadable: 0 });
  });

  it('is a table with fixed columns, without formulas, and one row for an administrator', async () => {
    const path = join(lab.account.folder, 'report.csv');
    const saved = await lab.cli('access', 'report', '--out', path);
    expect(saved).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(`Saved as ${path}.`) });
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const { headerRow, rows } = await openTable(nodeFiles, path, { encoding: null, separator: null });
    expect(headerRow.cells).toEqual([
      ...['user id', 'name', 'email', 'collection id', 'collection', 'permissions', 'ways'],
    ]);
    const of = (id: string) => rows.flatMap(({ cells }) => (cells[0] === id ? [cells.slice(3)] : []));
    const optics = of(ids.ann).find(([id]) => id === ids.optics) ?? [];
    expect(optics[1]).toBe('Library / Physics / Optics');
    expect(optics[2]?.split('; ')).toEqual(expect.arrayContaining(['media-delete', 'media-read']));
    expect(optics[3]?.split('; ')).toEqual([
      'Viewer, directly',
      'Editor by the group “Crew”, inherited from “Library / Physics”',
      'Viewer by the group “Registered users”, inherited from “Library / Physics”',
    ]);
    expect(rows.find(({ cells }) => cells[0] === ids.bob)?.cells[1]).toBe("'=Bob B\u202eow");
    const admin = (await lab.direct.get('/api2/users?is_admin=1')).body.items[0].id;
    expect(of(admin)).toEqual([['', '', 'everything', 'administrator']]);
    const printed = await lab.cli('access', 'report');
    expect(printed).toMatchObject({ code: 0, stdout: readFileSync(path, 'utf8') });
    expect(printed.stderr).toMatch(/^\d+ users, \d+ rows\.$/m);
  });

  it('is limited to a collection and to users', async () => {
    const one = await lab.cli('access', 'report', '--collection', 'Closed', '--json');
    const rows = accessOf(one.records).filter(({ isAdmin }) => !isAdmin);
    expect(rows).toMatchObject([{ id: ids.bob, collectionId: ids.closed }]);
    const two = await lab.cli('access', 'report', '--users', `${ids.bob}, Ann Arc`, '--json');
    expect([...new Set(accessOf(two.records).map(({ id }) => id))].sort()).toEqual([ids.ann, ids.bob].sort());
    const unknown = await lab.cli('access', 'report', '--users', 'Ann Arc, Zed', '--json');
    expect({ code: unknown.code, error: errorOf(unknown).message }).toEqual({
      code: 1,
      error: 'The library has no user “Zed”.',
    });
    expect(await lab.cli('access', 'report', '--users', ',')).toMatchObject({ code: 2, stdout: '' });
  });

  it('says how many users have no permissions, and replaces a file only with --force', async () => {
    const path = join(lab.account.folder, 'closed.csv');
    writeFileSync(path, 'earlier');
    const args = ['access', 'report', '--collection', 'Closed', '--out', path];
    expect(await lab.cli(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') });
    expect(readFileSync(path, 'utf8')).toBe('earlier');
    const { code, stderr } = await lab.cli(...args, '--force');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\d+ users have no permissions and are not listed\.$/m);
    expect(readdirSync(lab.account.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is refused to other accounts', async () => {
    const admin = { ...lab.service.admin, email_address: 'viewer@library.example' };
    const viewer = await openCliProfile({ ...lab.service, admin });
    try {
      const refused = await viewer.run('access', 'report', '--json');
      expect({ code: refused.code, error: errorOf(refused).code, stdout: refused.stdout }).toEqual({
        code: 1,
        error: 'admin.only',
        stdout: '',
      });
    } finally {
      await viewer.close();
    }
  });
});
