// Tables of users, of what is deleted and of the log, which commands read and save.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { errorOf } from '../../helpers/cli/cli-profile.ts';
import { make } from '../../helpers/service/service-people.ts';
import { mayMount, mountSmallDisk } from '../../helpers/system/small-disk.ts';

let lab: AdminLab;
beforeAll(async () => {
  lab = await openAdminLab();
}, 600_000);
afterAll(() => lab?.close());

const cli = (...args: string[]) => lab.cli(...args);

const user = (id: string) => lab.user(id);
const create = (...args: Parameters<AdminLab['createUser']>) => lab.createUser(...args);
describe('tables of commands for administrators', { timeout: 300_000 }, () => {
  it('save what is deleted before the deletion, never over another file, and without formulas', async () => {
    const viewer = (await lab.direct.get('/api2/roles?display_name=Viewer')).body.items[0];
    const person = await create('Eve', 'Evil', '--unique-id', '=HYPERLINK("http://x.example")');
    await make(lab.direct, 'memberships', { user_id: person.id, collection_id: '1', role_id: viewer.id });
    const path = join(lab.account.folder, 'gone.csv');
    const saved = await cli('admin', 'users', 'delete', person.id, '--yes', '--save', path);
    expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining(path) });
    const [, row] = readFileSync(path, 'utf8').split('\r\n');
    const formula = `"'=HYPERLINK(""http://x.example"")"`;
    expect(row).toContain(`${person.id},eve@people.example,Eve Evil,${formula},no,,Library: Viewer,`);
    const other = await create('Eva', 'Early');
    const save = ['admin', 'users', 'delete', other.id, '--yes', '--save'];
    const refused = await cli(...save, path);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`${path} exists already.`) });
    const unsaved = await cli(...save, join(lab.account.folder, 'none', 'gone.csv'));
    expect(unsaved).toMatchObject({ code: 1, stderr: expect.stringContaining('its folder doesn’t exist') });
    expect(unsaved.stderr).toContain('Nothing was deleted.');
    expect((await user(other.id)).id).toBe(other.id);
    const elsewhere = join(lab.account.folder, 'not-confirmed.csv');
    await cli('admin', 'users', 'delete', other.id, '--save', elsewhere);
    expect(existsSync(elsewhere)).toBe(false);
    expect(await cli(...save, path, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toContain('Eva Early');
  });

  it('delete nobody when the drive is full, and leave no part of a table', async ({ skip }) => {
    if (!mayMount()) return skip();
    const disk = mountSmallDisk(1);
    try {
      expect(() => writeFileSync(join(disk.path, 'filler'), Buffer.alloc(2 << 20))).toThrow(/ENOSPC/);
      const { id } = await create('Fay', 'Full');
      const saved = await cli('admin', 'users', 'delete', id, '--yes', '--save', join(disk.path, 'gone.csv'), '--json');
      expect(errorOf(saved)).toMatchObject({
        code: 'manifest.not-saved',
        message: 'The file couldn’t be saved: the drive is full.',
      });
      expect(readdirSync(disk.path)).toEqual(['filler']);
      expect((await user(id)).id).toBe(id);
    } finally {
      disk.remove();
    }
  });

  it('save the log completely or not at all, and replace a file only with --force', async () => {
    await cli('admin', 'groups', 'create', 'Logged');
    const [path, earlier] = [join(lab.account.folder, 'log.csv'), join(lab.account.folder, 'earlier.csv')];
    writeFileSync(path, 'earlier', { mode: 0o644 });
    expect(await cli('admin', 'log', '--csv', path)).toMatchObject({ code: 2, stdout: '' });
    expect(readFileSync(path, 'utf8')).toBe('earlier');
    // The earlier file is replaced, not written over: nobody reads the log through it or its permissions.
    linkSync(path, earlier);
    expect(await cli('admin', 'log', '--csv', path, '--force')).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(path, 'utf8')).toContain('createGroup');
    expect(readFileSync(earlier, 'utf8')).toBe('earlier');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    rmSync(path);
    mkdirSync(path);
    const unsaved = await cli('admin', 'log', '--csv', path, '--force', '--json');
    expect(errorOf(unsaved)).toMatchObject({ code: 'manifest.not-saved' });
    expect(readdirSync(path)).toEqual([]);
    expect(readdirSync(lab.account.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(await cli('admin', 'log', '--force')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use --force only with --csv FILE.'),
    });
  });

  it('import users after a check, and send nothing for the same file again', async () => {
    await make(lab.direct, 'groups', { display_name: 'Interns' });
    const path = join(lab.account.folder, 'people.csv');
    const rows = [
      'ida@people.example,Ida,Intern,sso:ida,no,Interns',
      'viewer@library.example,,,sso:vera,,',
      ',No,Address,,,',
    ];
    writeFileSync(path, ['email,first name,last name,unique id,administrator,groups', ...rows].join('\n'));
    await lab.clearWrites();
    const checked = await cli('admin', 'users', 'import', path);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('line 4: skip: no unique ID and no e-mail address');
    expect(checked.stdout).toContain('3 rows: 1 creates a user, 1 changes one, 0 change nothing, 1 is skipped.');
    expect(await lab.writes()).toEqual([]);
    const applied = await cli('admin', 'users', 'import', path, '--apply', '--json');
    expect(applied).toMatchObject({ code: 1, stderr: '' });
    expect((applied.records[1] as { imported: object }).imported).toMatchObject({ failed: [] });
    const shown = await cli('admin', 'users', 'show', 'sso:ida', '--json');
    expect(shown.records[0]).toMatchObject({ person: { name: 'Ida Intern' }, groups: [{ name: 'Interns' }] });
    await lab.clearWrites();
    const again = await cli('admin', 'users', 'import', path, '--apply');
    expect(again.stdout).toContain('0 create a user, 0 change one, 2 change nothing, 1 is skipped');
    expect(await lab.writes()).toEqual([]);
    expect((await cli('admin', 'users', 'import', join(lab.account.folder, 'none.csv'))).code).toBe(2);
  });
});
