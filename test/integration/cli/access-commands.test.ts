// Commands that give roles and explain them.
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

describe('commands for access', { timeout: 300_000 }, () => {
  it('set and remove roles, explain them, and log the changes', async () => {
    const physics = (await lab.direct.post('/api2/collections', { display_name: 'Physics', parent_id: '1' })).body;
    const crew = await make(lab.direct, 'groups', { display_name: 'Lighting' });
    await cli('admin', 'users', 'groups', 'viewer@library.example', '--add', 'Lighting');
    const set = ['admin', 'members', 'set', 'Physics', '--group', 'Lighting', '--role', 'Editor'];
    await lab.clearWrites();
    expect((await cli(...set, '--preview')).stdout).toContain('media-delete: 1 gains it (Vera Viewer)');
    expect(await lab.writes()).toEqual([]);
    expect((await cli(...set)).code).toBe(0);
    const who = await cli('access', 'who', 'Physics', 'media-delete');
    expect(who.stdout).toMatch(/Vera Viewer .* Editor by the group “Lighting”/);
    expect((await cli('access', 'who', 'Physics', 'media-cut')).code).toBe(2);
    const explained = await cli('access', 'explain', 'Vera Viewer', 'Physics', '--json');
    expect(explained.records).toMatchObject([{ place: { collectionId: physics.id, differs: false } }]);
    const listed = await cli('admin', 'members', 'list', '--collection', 'Physics', '--group', 'Lighting', '--json');
    expect(listed.records).toMatchObject([
      { membership: { subject: { kind: 'group', id: crew.id }, roleName: 'Editor' } },
    ]);

    const off = await cli('admin', 'members', 'inherit', 'Physics', 'off', '--keep', '--json');
    expect(off.records[0]).toMatchObject({ effects: { people: 0 } });
    expect((await lab.direct.get(`/api2/collections/${physics.id}`)).body.inherit_memberships).toBe(false);
    const remove = ['admin', 'members', 'remove', 'Physics', '--group', 'Lighting', '--json'];
    expect((await cli(...remove)).code).toBe(0);
    const again = await cli(...remove);
    expect({ code: again.code, error: errorOf(again).code }).toEqual({ code: 1, error: 'api.not-found' });

    const log = await cli('admin', 'log', '--csv', '-');
    expect(log.stdout).toMatch(/removeRole,group \d+,Lighting: Library \/ Physics,Editor,,done\r\n/);
    expect((await cli('admin', 'log')).stdout).toMatch(/removeRole +Lighting: Library \/ Physics +done +Editor →/);
  });
});
