// Commands that list, create and change users, as separate processes against the real service.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { errorOf, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { effectsOf } from '../../helpers/service/journal.ts';
import { make } from '../../helpers/service/service-people.ts';
import { png } from '../../helpers/service/service-samples.ts';

let lab: AdminLab;
beforeAll(async () => {
  lab = await openAdminLab();
}, 600_000);
afterAll(() => lab?.close());

const cli = (...args: string[]) => lab.cli(...args);

const user = (id: string) => lab.user(id);
const create = (...args: Parameters<AdminLab['createUser']>) => lab.createUser(...args);
const idsIn = async (groupId: string) =>
  (await lab.direct.get(`/api2/users?group_id=${groupId}`)).body.items.map(({ id }: { id: string }) => id);

describe('commands for users', { timeout: 300_000 }, () => {
  it('create, find, list, change and delete users', async () => {
    await make(lab.direct, 'groups', { display_name: 'Camera, sound' });
    const crew = await make(lab.direct, 'groups', { display_name: 'Crew' });
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
    expect(moved).toMatchObject({ code: 0, stdout: 'Changed: 1 user.\nNow in “Camera, sound”, not in “Crew”.\n' });
    expect(await idsIn(crew.id)).toEqual([]);
    expect((await cli('admin', 'users', 'groups', 'sso:78')).stdout).toMatch(/Zoe Zander +Camera, sound$/m);
    const path = join(lab.account.folder, 'zoe.png');
    writeFileSync(path, png(40, 40));
    expect(await cli('admin', 'users', 'picture', 'sso:78', path)).toMatchObject({ code: 0, stderr: '' });
    expect(await effectsOf(lab.service, 'thumb-stored')).toMatchObject([
      { resource: 'users', resource_id: Number(zoe.id) },
    ]);
    const again = await cli('admin', 'users', 'groups', 'sso:78', '--add', 'Camera, sound');
    expect(again.stdout).toContain('Unchanged, because that was so before: 1 user.');

    const asked = await cli('admin', 'users', 'delete', 'sso:78');
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect(asked.stdout).toMatch(/Zoe Zander +zoe@people\.example +yes +Camera, sound$/m);
    expect((await user(zoe.id)).id).toBe(zoe.id);
    const deleted = await cli('admin', 'users', 'delete', 'sso:78', '--yes', '--json');
    expect(deleted).toMatchObject({ code: 0, records: [{}, { deleted: { done: [zoe.id], failed: [] } }] });
    expect((await lab.direct.get(`/api2/users/${zoe.id}`)).status).toBe(404);
  });

  it('refuse a name of several users with the candidates, and change nobody', async () => {
    const [one, two] = [await create('Sam', 'Same'), await create('Sammy', 'Same')];
    await cli('admin', 'users', 'edit', one.id, '--unique-id', 'Sammy Same');
    const first = await cli('admin', 'users', 'delete', 'Same Same', '--yes', '--json');
    expect({ code: first.code, error: errorOf(first).code }).toEqual({ code: 1, error: 'api.not-found' });
    const namesake = await make(lab.direct, 'users', { first_name: 'Sam', last_name: 'Same' });
    await lab.clearWrites();
    const several = await cli('admin', 'users', 'delete', 'Sam Same', '--yes', '--json');
    expect(several.code).toBe(2);
    expect(errorOf(several).details?.errors).toEqual(
      expect.arrayContaining([`${one.id}: Sam Same, sam@people.example, Sammy Same`]),
    );
    expect(await lab.writes()).toEqual([]);
    expect((await cli('admin', 'users', 'show', 'Sammy Same', '--json')).records[0]).toMatchObject({
      person: { id: one.id },
    });
    await cli('admin', 'users', 'delete', one.id, two.id, namesake.id, '--yes');
  });

  it('never delete the asking administrator, nor remove the own rights', async () => {
    const me = (await lab.direct.get('/api2/users?email_address=admin@library.example')).body.items[0].id;
    const deleted = await cli('admin', 'users', 'delete', 'admin@library.example', '--yes', '--json');
    expect({ code: deleted.code, error: errorOf(deleted).code }).toEqual({ code: 1, error: 'admin.own-account' });
    const edited = await cli('admin', 'users', 'edit', 'Ada Admin', '--administrator', 'no', '--json');
    expect({ code: edited.code, error: errorOf(edited).code }).toEqual({ code: 1, error: 'admin.own-account' });
    expect((await user(me)).is_admin).toBe(true);
  });

  it('print names with bidirectional marks harmlessly', async () => {
    const { id } = await make(lab.direct, 'users', { first_name: 'Mal\u202elory', last_name: 'X\u200f' });
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
    const admin = { ...lab.service.admin, email_address: 'viewer@library.example' };
    const viewer = await openCliProfile({ ...lab.service, admin });
    try {
      for (const args of [['list'], ['show', 'Ada Admin'], ['delete', '1', '--yes']]) {
        const refused = await viewer.run('admin', 'users', ...args, '--json');
        expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 1, error: 'admin.only' });
      }
    } finally {
      await viewer.close();
    }
  });

  it('create nobody when there is no terminal for the password', async () => {
    await lab.clearWrites();
    const args = ['--email', 'a@b.example', '--first', 'A', '--last', 'B', '--password-prompt'];
    expect(await cli('admin', 'users', 'create', ...args)).toMatchObject({ code: 2, stdout: '' });
    expect(await lab.writes()).toEqual([]);
  });
});
