// Commands for groups, tags and roles.
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

describe('commands for groups, tags and roles', { timeout: 300_000 }, () => {
  it('delete groups and tags only after a confirmation, and never a built-in group', async () => {
    const created = await cli('admin', 'groups', 'create', 'Night shift', '--json');
    const { id } = (created.records[0] as { group: { id: string } }).group;
    expect((await cli('admin', 'groups', 'rename', 'Night shift', 'Day shift')).code).toBe(0);
    expect((await cli('admin', 'groups', 'delete', 'Day shift')).code).toBe(1);
    expect((await lab.direct.get(`/api2/groups/${id}`)).body.display_name).toBe('Day shift');
    expect((await cli('admin', 'groups', 'delete', 'Day shift', '--yes')).code).toBe(0);
    expect((await lab.direct.get(`/api2/groups/${id}`)).status).toBe(404);
    const refused = await cli('admin', 'groups', 'delete', 'Public', '--yes', '--json');
    expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 1, error: 'admin.built-in-group' });

    await make(lab.direct, 'tags', { display_name: 'wave-optics' });
    await make(lab.direct, 'tags', { display_name: 'Wave Optic' });
    const similar = await cli('admin', 'tags', 'list', '--similar', '--json');
    expect(similar.records).toMatchObject([{ similar: [{ name: 'Wave Optic', items: 0 }, { name: 'wave-optics' }] }]);
    const deleted = await cli('admin', 'tags', 'delete', 'Wave Optic', '--yes');
    expect(deleted).toMatchObject({ code: 0, stdout: expect.stringMatching(/Wave Optic +0$/m) });
    expect((await cli('admin', 'tags', 'list')).stdout).not.toContain('Wave Optic');
  });

  it('merge tags only after a confirmation, and report each item that keeps its tag', async () => {
    const [one = '', other = ''] = [
      await lab.direct.createItem('Prism', { tags: ['prisms', 'glass'] }),
      await lab.direct.createItem('Lens', { tags: ['Prism', 'glass'] }),
    ];
    const preview = await cli('admin', 'tags', 'merge', 'prisms', '--into', 'Prism');
    expect(preview).toMatchObject({ code: 1, stdout: expect.stringContaining('1 item. It is replaced by “Prism”') });
    expect((await lab.direct.get(one)).body.tags).toContain('prisms');
    const fault = { method: 'POST', path: `${one}/`, times: 1, action: { kind: 'status', status: 403 } };
    await lab.service.control('POST', '/faults', fault);
    const refused = await cli('admin', 'tags', 'merge', 'prisms', '--into', 'Prism', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('“Prism”: You');
    expect(refused.stderr).toContain('“prisms”: Items still have this tag');
    const merged = await cli('admin', 'tags', 'merge', 'prisms', 'Prism', '--into', 'Prism', '--yes', '--json');
    expect(merged).toMatchObject({ code: 0, records: [{}, { merged: { changed: 1, failed: [], left: [] } }] });
    for (const path of [one, other])
      expect((await lab.direct.get(path)).body.tags.toSorted()).toEqual(['Prism', 'glass']);
    const alone = await cli('admin', 'tags', 'merge', 'Prism', '--into', 'Prism', '--json');
    expect({ code: alone.code, error: errorOf(alone).code }).toEqual({ code: 2, error: 'input.invalid' });
  });

  it('name the next step when the tag that is to stay does not exist, and create none', async () => {
    await make(lab.direct, 'tags', { display_name: 'Refraction' });
    const unknown = await cli('admin', 'tags', 'merge', 'Refraction', '--into', 'Refractions', '--yes');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('has no tag “Refractions”');
    expect(unknown.stderr).toContain('Refraction?');
    expect(unknown.stderr).toContain('mediadesk admin tags create "Refractions"');
    expect((await cli('admin', 'tags', 'list')).stdout).not.toContain('Refractions');
  });

  it('find a group whose name contains a comma, in double quotes beside another one', async () => {
    await make(lab.direct, 'groups', { display_name: 'Sound, light' });
    await make(lab.direct, 'groups', { display_name: 'Runners' });
    const added = await cli('admin', 'users', 'groups', 'viewer@library.example', '--add', '"Sound, light", Runners');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('in “Sound, light”, “Runners”') });
    const open = await cli('admin', 'users', 'groups', 'viewer@library.example', '--remove', '"Sound, light');
    expect({ code: open.code, text: open.stderr.includes('double quotes') }).toEqual({ code: 2, text: true });
  });

  it('change a role with all that depends on a permission, and print who is concerned before', async () => {
    const created = await cli('admin', 'roles', 'create', 'Cutter', '--permissions', 'media-delete');
    expect(created.stdout).toContain('admin-panel-access, collection-read, media-read, media-update');
    await cli('admin', 'members', 'set', 'Library', '--person', 'producer@library.example', '--role', 'Cutter');
    const edit = ['admin', 'roles', 'edit', 'Cutter', '--add', 'media-publish', '--remove', 'media-update'];
    await lab.clearWrites();
    const preview = await cli(...edit, '--preview');
    expect(preview.stdout).toContain('media-delete: 1 loses it (Petra Producer)');
    expect(await lab.writes()).toEqual([]);
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
