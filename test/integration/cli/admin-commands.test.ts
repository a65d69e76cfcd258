// Commands for administrators, as separate processes against the real service.
import { existsSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../../shared/contract/admin/people.ts';
import { type CliProfile, errorOf, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clearJournal, journalOf } from '../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { make } from '../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let account: CliProfile;
let direct: ServiceClient;

beforeAll(async () => {
  service = await startService();
  direct = await clientFor(service);
  account = await openCliProfile(service);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

const cli = (...args: string[]) => account.run(...args);
const user = async (id: string) => (await direct.get(`/api2/users/${id}?joins=groups`)).body;
const idsIn = async (groupId: string) =>
  (await direct.get(`/api2/users?group_id=${groupId}`)).body.items.map(({ id }: { id: string }) => id);

/** The requests that change the library, since the journal was cleared. */
const writes = async () =>
  (await journalOf(service)).filter(({ method, path }) => method !== 'GET' && path !== '/api2/oauth/access_token');

/** Creates a user by the command line. */
async function create(first: string, last: string, ...more: string[]): Promise<Person> {
  const email = `${first.toLowerCase()}@people.example`;
  const created = await cli(
    'admin',
    'users',
    'create',
    '--email',
    email,
    '--first',
    first,
    '--last',
    last,
    ...more,
    '--json',
  );
  expect(created).toMatchObject({ code: 0, stderr: '' });
  return (created.records[0] as { person: Person }).person;
}

describe('commands for users', { timeout: 300_000 }, () => {
  it('create, find, list, change and delete users', async () => {
    await make(direct, 'groups', { display_name: 'Camera, sound' });
    const crew = await make(direct, 'groups', { display_name: 'Crew' });
    const zoe = await create('Zoe', 'Zander', '--unique-id', 'sso:77', '--group', 'Crew');
    expect(await user(zoe.id)).toMatchObject({
      unique_id: 'sso:77',
      is_admin: false,
      groups: expect.arrayContaining([expect.objectContaining({ id: crew.id })]),
    });
    for (const ref of [zoe.id, 'ZOE@people.example', 'sso:77', 'Zoe Zander']) {
      const shown = await cli('admin', 'users', 'show', ref, '--json');
      expect(shown.records[0]).toMatchObject({ person: { id: zoe.id }, groups: [{ name: 'Crew' }], memberships: [] });
    }
    const listed = await cli('admin', 'users', 'list', '--group', 'Crew');
    expect(listed.stdout).toMatch(new RegExp(`^${zoe.id} +Zoe Zander +zoe@people.example +never +Crew$`, 'm'));
    const without = await cli('admin', 'users', 'list', '--facet', 'no-group', '--text', 'zander', '--json');
    expect(without.records).toEqual([]);

    const changed = await cli(
      'admin',
      'users',
      'edit',
      'sso:77',
      '--administrator',
      'yes',
      '--unique-id',
      'sso:78',
      '--json',
    );
    expect(changed.records).toMatchObject([{ person: { id: zoe.id, isAdmin: true, uniqueId: 'sso:78' } }]);
    const same = await cli('admin', 'users', 'edit', 'sso:78', '--administrator', 'yes');
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was changed') });

    const moved = await cli('admin', 'users', 'groups', 'sso:78', '--add', 'Camera, sound', '--remove', 'Crew');
    expect(moved).toMatchObject({ code: 0, stdout: '1 user: now in “Camera, sound”, not in “Crew”.\n' });
    expect(await idsIn(crew.id)).toEqual([]);
    expect((await cli('admin', 'users', 'groups', 'sso:78')).stdout).toMatch(/Zoe Zander +Camera, sound$/m);

    const asked = await cli('admin', 'users', 'delete', 'sso:78');
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect(asked.stdout).toContain('administrator; in “Camera, sound”');
    expect((await user(zoe.id)).id).toBe(zoe.id);
    const deleted = await cli('admin', 'users', 'delete', 'sso:78', '--yes', '--json');
    expect(deleted).toMatchObject({ code: 0, records: [{}, { deleted: { done: [zoe.id], failed: [] } }] });
    expect((await direct.get(`/api2/users/${zoe.id}`)).status).toBe(404);
  });

  it('refuse a name of several users with the candidates, and change nobody', async () => {
    const [one, two] = [await create('Sam', 'Same'), await create('Sammy', 'Same')];
    await cli('admin', 'users', 'edit', one.id, '--unique-id', 'Sammy Same');
    const first = await cli('admin', 'users', 'delete', 'Same Same', '--yes', '--json');
    expect({ code: first.code, error: errorOf(first).code }).toEqual({ code: 1, error: 'api.not-found' });
    const namesake = await make(direct, 'users', { first_name: 'Sam', last_name: 'Same' });
    await clearJournal(service);
    const several = await cli('admin', 'users', 'delete', 'Sam Same', '--yes', '--json');
    expect(several.code).toBe(2);
    expect(errorOf(several).details?.errors).toEqual(
      expect.arrayContaining([`${one.id}: Sam Same, sam@people.example, Sammy Same`]),
    );
    expect(await writes()).toEqual([]);
    expect((await cli('admin', 'users', 'show', 'Sammy Same', '--json')).records[0]).toMatchObject({
      person: { id: one.id },
    });
    await cli('admin', 'users', 'delete', one.id, two.id, namesake.id, '--yes');
  });

  it('save what is deleted before the deletion, never over another file, and without formulas', async () => {
    const viewer = (await direct.get('/api2/roles?display_name=Viewer')).body.items[0];
    const person = await create('Eve', 'Evil', '--unique-id', '=HYPERLINK("http://x.example")');
    await make(direct, 'memberships', { user_id: person.id, collection_id: '1', role_id: viewer.id });
    const path = join(account.folder, 'gone.csv');
    const saved = await cli('admin', 'users', 'delete', person.id, '--yes', '--save', path);
    expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining(path) });
    const [, row] = readFileSync(path, 'utf8').split('\r\n');
    const formula = `"'=HYPERLINK(""http://x.example"")"`;
    expect(row).toContain(`${person.id},eve@people.example,Eve Evil,${formula},no,,Library: Viewer,`);
    const other = await create('Eva', 'Early');
    const refused = await cli('admin', 'users', 'delete', other.id, '--yes', '--save', path);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was deleted') });
    expect((await user(other.id)).id).toBe(other.id);
    const elsewhere = join(account.folder, 'not-confirmed.csv');
    await cli('admin', 'users', 'delete', other.id, '--save', elsewhere);
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('never delete the asking administrator, nor remove the own rights', async () => {
    const me = (await direct.get('/api2/users?email_address=admin@library.example')).body.items[0].id;
    const deleted = await cli('admin', 'users', 'delete', 'admin@library.example', '--yes', '--json');
    expect({ code: deleted.code, error: errorOf(deleted).code }).toEqual({ code: 1, error: 'admin.own-account' });
    const edited = await cli('admin', 'users', 'edit', 'Ada Admin', '--administrator', 'no', '--json');
    expect({ code: edited.code, error: errorOf(edited).code }).toEqual({ code: 1, error: 'admin.own-account' });
    expect((await user(me)).is_admin).toBe(true);
  });

  it('print names with bidirectional marks harmlessly', async () => {
    const { id } = await make(direct, 'users', { first_name: 'Mal\u202elory', last_name: 'X\u200f' });
    const outputs = [
      await cli('admin', 'users', 'list'),
      await cli('admin', 'users', 'show', id),
      await cli('admin', 'users', 'delete', id),
      await cli('admin', 'users', 'list', '--json'),
    ];
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(/\p{Bidi_Control}/u);
    expect(outputs[0]?.stdout).toContain('Mal\ufffdlory');
  });

  it('refuse other accounts with the reason', async () => {
    const admin = { ...service.admin, email_address: 'viewer@library.example' };
    const viewer = await openCliProfile({ ...service, admin });
    try {
      for (const args of [['list'], ['show', 'Ada Admin'], ['delete', '1', '--yes']]) {
        const refused = await viewer.run('admin', 'users', ...args, '--json');
        expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 1, error: 'admin.only' });
      }
    } finally {
      await viewer.close();
    }
  });

  it('import users after a check, and send nothing for the same file again', async () => {
    await make(direct, 'groups', { display_name: 'Interns' });
    const path = join(account.folder, 'people.csv');
    const rows = [
      'ida@people.example,Ida,Intern,sso:ida,no,Interns',
      'viewer@library.example,,,sso:vera,,',
      ',No,Address,,,',
    ];
    writeFileSync(path, ['email,first name,last name,unique id,administrator,groups', ...rows].join('\n'));
    await clearJournal(service);
    const checked = await cli('admin', 'users', 'import', path);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('line 4: skip: no unique ID and no e-mail address');
    expect(checked.stdout).toContain('3 rows: 1 creates a user, 1 changes one, 0 change nothing, 1 is skipped.');
    expect(await writes()).toEqual([]);
    const applied = await cli('admin', 'users', 'import', path, '--apply', '--json');
    expect(applied).toMatchObject({ code: 1, stderr: '' });
    expect((applied.records[1] as { imported: object }).imported).toMatchObject({ failed: [] });
    const shown = await cli('admin', 'users', 'show', 'sso:ida', '--json');
    expect(shown.records[0]).toMatchObject({ person: { name: 'Ida Intern' }, groups: [{ name: 'Interns' }] });
    await clearJournal(service);
    const again = await cli('admin', 'users', 'import', path, '--apply');
    expect(again.stdout).toContain('0 create a user, 0 change one, 2 change nothing, 1 is skipped');
    expect(await writes()).toEqual([]);
    expect((await cli('admin', 'users', 'import', join(account.folder, 'none.csv'))).code).toBe(2);
  });

  it('create nobody when there is no terminal for the password', async () => {
    await clearJournal(service);
    const args = ['--email', 'a@b.example', '--first', 'A', '--last', 'B', '--password-prompt'];
    expect(await cli('admin', 'users', 'create', ...args)).toMatchObject({ code: 2, stdout: '' });
    expect(await writes()).toEqual([]);
  });
});

describe('commands for groups, tags and roles', { timeout: 300_000 }, () => {
  it('delete groups and tags only after a confirmation, and never a built-in group', async () => {
    const created = await cli('admin', 'groups', 'create', 'Night shift', '--json');
    const { id } = (created.records[0] as { group: { id: string } }).group;
    expect((await cli('admin', 'groups', 'rename', 'Night shift', 'Day shift')).code).toBe(0);
    expect((await cli('admin', 'groups', 'delete', 'Day shift')).code).toBe(1);
    expect((await direct.get(`/api2/groups/${id}`)).body.display_name).toBe('Day shift');
    expect((await cli('admin', 'groups', 'delete', 'Day shift', '--yes')).code).toBe(0);
    expect((await direct.get(`/api2/groups/${id}`)).status).toBe(404);
    const refused = await cli('admin', 'groups', 'delete', 'Public', '--yes', '--json');
    expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 1, error: 'admin.built-in-group' });

    await make(direct, 'tags', { display_name: 'wave-optics' });
    await make(direct, 'tags', { display_name: 'Wave Optic' });
    const similar = await cli('admin', 'tags', 'list', '--similar', '--json');
    expect(similar.records).toMatchObject([{ similar: [{ name: 'Wave Optic', items: 0 }, { name: 'wave-optics' }] }]);
    const deleted = await cli('admin', 'tags', 'delete', 'Wave Optic', '--yes');
    expect(deleted).toMatchObject({ code: 0, stdout: expect.stringContaining('0 items') });
    expect((await cli('admin', 'tags', 'list')).stdout).not.toContain('Wave Optic');
  });

  it('merge tags only after a confirmation, and report each item that keeps its tag', async () => {
    const [one = '', other = ''] = [
      await direct.createItem('Prism', { tags: ['prisms', 'glass'] }),
      await direct.createItem('Lens', { tags: ['Prism', 'glass'] }),
    ];
    const preview = await cli('admin', 'tags', 'merge', 'prisms', '--into', 'Prism');
    expect(preview).toMatchObject({ code: 1, stdout: expect.stringContaining('1 item. It is replaced by “Prism”') });
    expect((await direct.get(one)).body.tags).toContain('prisms');
    const fault = { method: 'POST', path: `${one}/`, times: 1, action: { kind: 'status', status: 403 } };
    await service.control('POST', '/faults', fault);
    const refused = await cli('admin', 'tags', 'merge', 'prisms', '--into', 'Prism', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('“Prism”: You');
    expect(refused.stderr).toContain('“prisms”: Items still have this tag');
    const merged = await cli('admin', 'tags', 'merge', 'prisms', 'Prism', '--into', 'Prism', '--yes', '--json');
    expect(merged).toMatchObject({ code: 0, records: [{}, { merged: { changed: 1, failed: [], left: [] } }] });
    for (const path of [one, other]) expect((await direct.get(path)).body.tags.toSorted()).toEqual(['Prism', 'glass']);
    const alone = await cli('admin', 'tags', 'merge', 'Prism', '--into', 'Prism', '--json');
    expect({ code: alone.code, error: errorOf(alone).code }).toEqual({ code: 2, error: 'input.invalid' });
  });

  it('change a role with all that depends on a permission, and print who is concerned before', async () => {
    const created = await cli('admin', 'roles', 'create', 'Cutter', '--permissions', 'media-delete');
    expect(created.stdout).toContain('admin-panel-access, collection-read, media-read, media-update');
    await cli('admin', 'members', 'set', 'Library', '--person', 'producer@library.example', '--role', 'Cutter');
    const edit = ['admin', 'roles', 'edit', 'Cutter', '--add', 'media-publish', '--remove', 'media-update'];
    await clearJournal(service);
    const preview = await cli(...edit, '--preview');
    expect(preview.stdout).toContain('media-delete: 1 loses it (Petra Producer)');
    expect(await writes()).toEqual([]);
    const edited = await cli(...edit, '--json');
    expect(edited.records).toMatchObject([
      { besides: { added: ['media-create'], removed: ['media-delete'] } },
      { effects: { people: 1 } },
      {
        role: { permissions: ['admin-panel-access', 'collection-read', 'media-create', 'media-publish', 'media-read'] },
      },
    ]);
    expect(
      await cli('admin', 'roles', 'edit', 'Cutter', '--add', 'media-like', '--remove', 'media-read'),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('media-like depends on media-read'),
    });
    const kept = await cli('admin', 'roles', 'delete', 'Administrator', '--yes', '--json');
    expect({ code: kept.code, error: errorOf(kept).code }).toEqual({ code: 1, error: 'admin.role-kept' });
  });
});

describe('commands for access', { timeout: 300_000 }, () => {
  it('set and remove roles, explain them, and log the changes', async () => {
    const physics = (await direct.post('/api2/collections', { display_name: 'Physics', parent_id: '1' })).body;
    const crew = await make(direct, 'groups', { display_name: 'Lighting' });
    await cli('admin', 'users', 'groups', 'viewer@library.example', '--add', 'Lighting');
    const set = ['admin', 'members', 'set', 'Physics', '--group', 'Lighting', '--role', 'Editor'];
    await clearJournal(service);
    expect((await cli(...set, '--preview')).stdout).toContain('media-delete: 1 gains it (Vera Viewer)');
    expect(await writes()).toEqual([]);
    expect((await cli(...set)).code).toBe(0);
    const who = await cli('access', 'who', 'Physics', 'media-delete');
    expect(who.stdout).toMatch(/Vera Viewer .* Editor in “Physics”, by the group “Lighting”/);
    expect((await cli('access', 'who', 'Physics', 'media-cut')).code).toBe(2);
    const explained = await cli('access', 'explain', 'Vera Viewer', 'Physics', '--json');
    expect(explained.records).toMatchObject([{ place: { collectionId: physics.id, differs: false } }]);
    const listed = await cli('admin', 'members', 'list', '--collection', 'Physics', '--group', 'Lighting', '--json');
    expect(listed.records).toMatchObject([
      { membership: { subject: { kind: 'group', id: crew.id }, roleName: 'Editor' } },
    ]);

    const off = await cli('admin', 'members', 'inherit', 'Physics', 'off', '--keep', '--json');
    expect(off.records[0]).toMatchObject({ effects: { people: 0 } });
    expect((await direct.get(`/api2/collections/${physics.id}`)).body.inherit_memberships).toBe(false);
    const remove = ['admin', 'members', 'remove', 'Physics', '--group', 'Lighting', '--json'];
    expect((await cli(...remove)).code).toBe(0);
    const again = await cli(...remove);
    expect({ code: again.code, error: errorOf(again).code }).toEqual({ code: 1, error: 'api.not-found' });

    const log = await cli('admin', 'log', '--csv', '-');
    expect(log.stdout).toMatch(/removeRole,group \d+,Lighting: Library \/ Physics,Editor,,done\r\n/);
    expect((await cli('admin', 'log')).stdout).toMatch(/removeRole +Lighting: Library \/ Physics +done +Editor →/);

    // The earlier file is replaced, not written over: nobody reads the log through it or its permissions.
    const [path, earlier] = [join(account.folder, 'log.csv'), join(account.folder, 'earlier.csv')];
    writeFileSync(path, 'earlier', { mode: 0o644 });
    linkSync(path, earlier);
    expect(await cli('admin', 'log', '--csv', path)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(path, 'utf8')).toContain('removeRole');
    expect(readFileSync(earlier, 'utf8')).toBe('earlier');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const unsaved = await cli('admin', 'log', '--csv', join(account.folder, 'none', 'log.csv'), '--json');
    expect({ code: unsaved.code, error: errorOf(unsaved).code }).toEqual({ code: 1, error: 'manifest.not-saved' });
  });
});
