// Tables of memberships, which commands write and read: what they give, change, remember and remove.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { requestsOf } from '../../helpers/service/journal.ts';
import { make } from '../../helpers/service/service-people.ts';

let lab: AdminLab;
let talks: string;
let viewer: string;
let editor: string;

beforeAll(async () => {
  lab = await openAdminLab();
  talks = (await lab.direct.post('/api2/collections', { display_name: 'Talks', parent_id: '1' })).body.id;
  const roleId = async (name: string) => (await lab.direct.get(`/api2/roles?display_name=${name}`)).body.items[0].id;
  viewer = await roleId('Viewer');
  editor = await roleId('Editor');
}, 600_000);
afterAll(() => lab?.close());

const cli = (...args: string[]) => lab.cli(...args);
const writes = async () => (await requestsOf(lab.service, 'POST', /^\/api2\/memberships/)).length;
const removals = async () => (await requestsOf(lab.service, 'DELETE', /^\/api2\/memberships/)).length;

const person = async (first_name: string) =>
  (await make(lab.direct, 'users', { first_name, email_address: `${first_name.toLowerCase()}@tables.example` })).id;

/** The roles of a user or a group in a collection, by the ids of the roles. */
async function rolesOf(kind: 'user' | 'group', id: string, collectionId = talks): Promise<string[]> {
  const { body } = await lab.direct.get(`/api2/memberships?${kind}_id=${id}&collection_id=${collectionId}`);
  return body.items
    .filter(({ collection }: { collection: { id: string } }) => collection.id === collectionId)
    .map(({ role }: { role: { id: string } }) => role.id);
}

function fileOf(name: string, rows: readonly string[]): string {
  const path = join(lab.account.folder, name);
  writeFileSync(path, `${['collection,user,group,role', ...rows].join('\r\n')}\r\n`);
  return path;
}

const importOf = (path: string, ...options: string[]) => cli('admin', 'members', 'import', path, ...options);

describe('a table of memberships', { timeout: 300_000 }, () => {
  it('gives and changes roles after a check, and the same table again sends nothing', async () => {
    const [ann, bob] = [await person('Ann'), await person('Bob')];
    const crew = (await make(lab.direct, 'groups', { display_name: 'Crew, "sound"' })).id;
    await make(lab.direct, 'memberships', { role_id: editor, collection_id: talks, user_id: bob });
    const path = fileOf('roles.csv', [
      'Library / Talks,ANN@tables.example,,Viewer',
      'Talks,bob@tables.example,,viewer',
      'Talks,,"Crew, ""sound""",Editor',
    ]);
    await lab.clearWrites();
    const checked = await importOf(path);
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain('Ann Doe gets “Viewer” in Library / Talks');
    expect(checked.stdout).toContain('Bob Doe gets “Viewer” instead of “Editor” in Library / Talks');
    expect(checked.stdout).toContain('3 rows: 2 give a role, 1 changes one, 0 change nothing, 0 are skipped.');
    expect(await writes()).toBe(0);
    expect(await importOf(path, '--apply')).toMatchObject({ code: 0 });
    expect([await rolesOf('user', ann), await rolesOf('user', bob)]).toEqual([[viewer], [viewer]]);
    expect(await rolesOf('group', crew)).toEqual([editor]);
    await lab.clearWrites();
    expect((await importOf(path, '--apply', '--remove')).stdout).toContain('3 change nothing');
    expect([await writes(), await removals()]).toEqual([0, 0]);
  });

  it('removes only roles that it gave itself and that are missing now, and only with --remove', async () => {
    const [given, before, taken, changed] = [
      ...[await person('Gil'), await person('Bea'), await person('Tom'), await person('Cleo')],
    ] as [string, string, string, string];
    await make(lab.direct, 'memberships', { role_id: viewer, collection_id: talks, user_id: before });
    await make(lab.direct, 'memberships', { role_id: editor, collection_id: talks, user_id: taken });
    const row = (name: string) => `Talks,${name}@tables.example,,Viewer`;
    fileOf('season.csv', [row('gil'), row('bea'), row('tom'), row('cleo')]);
    const path = join(lab.account.folder, 'season.csv');
    expect(await importOf(path, '--apply')).toMatchObject({ code: 0 });
    // Another administrator gives one of them more.
    const { body } = await lab.direct.get(`/api2/memberships?user_id=${changed}&collection_id=${talks}`);
    await lab.direct.post(`/api2/memberships/${body.items[0].id}`, { role_id: editor });
    fileOf('season.csv', []);
    const kept = await importOf(path, '--apply');
    expect(kept.stderr).toContain('Missing from the file: 1 role that it gave earlier.');
    expect(kept.stdout).toContain('Cleo Doe, “Editor” in Library / Talks; stays');
    expect(await rolesOf('user', given)).toEqual([viewer]);
    // A row that can't be read may be about a role that seems to be missing.
    fileOf('season.csv', ['Talks,nobody@tables.example,,Viewer']);
    expect((await importOf(path, '--apply', '--remove')).stdout).toContain('stays while rows are skipped');
    expect(await rolesOf('user', given)).toEqual([viewer]);
    fileOf('season.csv', []);
    expect(await importOf(path, '--apply', '--remove')).toMatchObject({ code: 0 });
    expect(await rolesOf('user', given)).toEqual([]);
    expect(await rolesOf('user', before)).toEqual([viewer]);
    expect(await rolesOf('user', taken)).toEqual([viewer]);
    expect(await rolesOf('user', changed)).toEqual([editor]);
    // What is gone is forgotten: a role that somebody gives later stays.
    await make(lab.direct, 'memberships', { role_id: viewer, collection_id: talks, user_id: given });
    expect(await importOf(path, '--apply', '--remove')).toMatchObject({ code: 0 });
    expect(await rolesOf('user', given)).toEqual([viewer]);
  });

  it('keeps a role that somebody gave again after it was removed, although it is the same role', async () => {
    const una = await person('Una');
    const path = fileOf('again.csv', ['Talks,una@tables.example,,Viewer']);
    expect(await importOf(path, '--apply')).toMatchObject({ code: 0 });
    const { body } = await lab.direct.get(`/api2/memberships?user_id=${una}&collection_id=${talks}`);
    await lab.direct.delete(`/api2/memberships/${body.items[0].id}`);
    await make(lab.direct, 'memberships', { role_id: viewer, collection_id: talks, user_id: una });
    fileOf('again.csv', []);
    expect(await importOf(path, '--apply', '--remove')).toMatchObject({ code: 0 });
    expect(await rolesOf('user', una)).toEqual([viewer]);
  });

  it('names a collection by its path also when its name contains a slash, and refuses a name that contradicts an id', async () => {
    const ivo = await person('Ivo');
    const slashed = (await lab.direct.post('/api2/collections', { display_name: 'Sound / Light', parent_id: '1' })).body
      .id;
    const path = fileOf('slash.csv', ['Library / Sound / Light,ivo@tables.example,,Viewer']);
    expect(await importOf(path, '--apply')).toMatchObject({ code: 0 });
    expect(await rolesOf('user', ivo, slashed)).toEqual([viewer]);
    writeFileSync(path, `collection id,user,role id,role\r\n${slashed},ivo@tables.example,${viewer},Editor\r\n`);
    const refused = await importOf(path, '--apply');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toContain(
      `line 2: skip: the role with the ID ${viewer} is not “Editor”: correct one of them`,
    );
  });

  it('skips rows with a problem and says why', async () => {
    await person('Twin');
    await make(lab.direct, 'users', { first_name: 'Other', unique_id: 'twin@tables.example' });
    const path = fileOf('problems.csv', [
      'Nowhere,ann@tables.example,,Viewer',
      'Talks,,,Viewer',
      'Talks,ann@tables.example,Crew,Viewer',
      'Talks,twin@tables.example,,Viewer',
      'Talks,ann@tables.example,,Emperor',
      'Talks,ann@tables.example,,',
      'Talks,ann@tables.example,,Viewer',
      'Library / Talks,ann@tables.example,,Editor',
    ]);
    const { code, stdout } = await importOf(path);
    expect(code).toBe(1);
    for (const sentence of [
      'line 2: skip: the library has no collection “Nowhere”',
      'line 3: skip: neither a user nor a group',
      'line 4: skip: both a user and a group',
      'line 5: skip: several match the user “twin@tables.example”',
      'line 6: skip: the library has no role “Emperor”',
      'line 7: skip: no role',
      'line 9: skip: line 8 is about the same subject in the same collection',
    ]) {
      expect(stdout).toContain(sentence);
    }
    // Another program wrote it in another encoding.
    writeFileSync(path, Buffer.from('collection;user;role\r\nTalks;zo\u00eb@tables.example;Viewer\r\n', 'latin1'));
    expect((await importOf(path)).code).not.toBe(0);
    expect((await importOf(path, '--encoding', 'windows-1252')).stdout).toContain('no user “zoë@tables.example”');
    writeFileSync(path, 'name,value\r\n1,2\r\n');
    expect(await importOf(path)).toMatchObject({ code: 2, stderr: expect.stringContaining('The file needs columns') });
  });

  it('that was exported changes nothing when it is imported', async () => {
    const path = join(lab.account.folder, 'exported.csv');
    expect(await cli('admin', 'members', 'export', '--out', path)).toMatchObject({ code: 0 });
    const rows = readFileSync(path, 'utf8').trim().split('\r\n').length - 1;
    const { code, stdout } = await importOf(path);
    expect(code).toBe(0);
    expect(stdout).toContain(`${rows} rows: 0 give a role, 0 change one, ${rows} change nothing, 0 are skipped.`);
  });

  it('is completed by a repetition after the process was killed, and then removes only what it gave', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 40; index++) ids.push(await person(`Kim${index}`));
    const strangers = await person('Stranger');
    await make(lab.direct, 'memberships', { role_id: viewer, collection_id: talks, user_id: strangers });
    const rows = ids.map((_, index) => `Talks,kim${index}@tables.example,,Viewer`);
    const path = fileOf('killed.csv', rows);
    await lab.clearWrites();
    const run = lab.account.start('admin', 'members', 'import', path, '--apply');
    while ((await writes()) < 12) {
      // The journal is asked again.
    }
    run.child.kill('SIGKILL');
    await run.ended;
    expect(await importOf(path, '--apply')).toMatchObject({ code: 0 });
    for (const id of ids) expect(await rolesOf('user', id)).toEqual([viewer]);
    fileOf('killed.csv', []);
    expect(await importOf(path, '--apply', '--remove')).toMatchObject({ code: 0 });
    // The role that was given in the moment of the end is not remembered: it stays.
    const left = (await Promise.all(ids.map((id) => rolesOf('user', id)))).filter(({ length }) => length > 0);
    expect(left.length).toBeLessThanOrEqual(1);
    expect(await rolesOf('user', strangers)).toEqual([viewer]);
  });
});
