// Deletions of many users from the command line: by names, killed in the middle; and by a filter.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { errorOf } from '../../helpers/cli/cli-profile.ts';
import { requestsOf } from '../../helpers/service/journal.ts';
import { idsOf, make } from '../../helpers/service/service-people.ts';

let lab: AdminLab;
beforeAll(async () => {
  lab = await openAdminLab();
}, 600_000);
afterAll(() => lab?.close());

const cli = (...args: string[]) => lab.cli(...args);
const userIds = () => idsOf(lab.direct, '/api2/users', { per_page: '500' });
const deletions = () => requestsOf(lab.service, 'DELETE', /^\/api2\/users\/\d+$/);

async function makeUsers(prefix: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push((await make(lab.direct, 'users', { first_name: `${prefix}${index}` })).id);
  }
  return ids;
}

describe('users deleted by names', { timeout: 300_000 }, () => {
  it.each([1, 7, 40])(
    'are only those shown when the process is killed after %d; a repetition completes it',
    async (after) => {
      const others = await userIds();
      const ids = await makeUsers(`Killed${after}x`, 60);
      await lab.clearWrites();
      const run = lab.account.start('admin', 'users', 'delete', ...ids, '--yes');
      while ((await deletions()).length < after) {
        // The journal is asked again.
      }
      run.child.kill('SIGKILL');
      await run.ended;
      const left = await userIds();
      expect(left).toEqual(expect.arrayContaining(others));
      const remaining = left.filter((id) => !others.includes(id));
      expect(remaining.every((id) => ids.includes(id))).toBe(true);
      expect(60 - remaining.length).toBeGreaterThanOrEqual(after - 1);
      // The table of all of them was complete before the first was deleted.
      const folder = join(lab.account.profile, 'admin-log');
      const tables = readdirSync(folder).filter((name) => name.includes('deleted-people'));
      const rowsOf = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n');
      expect(tables.some((name) => ids.every((id) => rowsOf(name).some((row) => row.startsWith(`${id},`))))).toBe(true);
      if (remaining.length > 0) {
        expect(await cli('admin', 'users', 'delete', ...remaining, '--yes')).toMatchObject({ code: 0 });
      }
      expect((await userIds()).sort()).toEqual(others.sort());
    },
  );
});

describe('users deleted by a filter', { timeout: 300_000 }, () => {
  it('are listed at first, and deleted in one request with --yes', async () => {
    const before = await userIds();
    const groupId = (await make(lab.direct, 'groups', { display_name: 'Left the house' })).id;
    const ids = await makeUsers('Filtered', 3);
    await lab.direct.post(`/api2/groups/${groupId}/add-users`, { user_ids: ids });
    await lab.clearWrites();
    const command = ['admin', 'users', 'bulk-delete', '--group', 'Left the house'];
    const listed = await cli(...command);
    expect(listed).toMatchObject({ code: 1 });
    expect(listed.stdout).toContain('3 users, 3 places in groups');
    expect(listed.stderr).toContain('Add --yes');
    expect(await userIds()).toEqual(expect.arrayContaining(ids));
    const deleted = await cli(...command, '--yes');
    expect(deleted).toMatchObject({ code: 0 });
    expect(deleted.stdout).toContain('Deleted: 3 users.');
    expect(await userIds()).toEqual(before);
    expect(await requestsOf(lab.service, 'DELETE', /^\/api2\/users/)).toHaveLength(1);
    expect((await cli(...command, '--yes')).stdout).toContain('No users match.');
  });

  it('need a filter that is narrower than everybody', async () => {
    for (const options of [[], ['--no-administrators'], ['--unique-id', '']]) {
      expect((await cli('admin', 'users', 'bulk-delete', ...options, '--yes')).code, options.join(' ')).toBe(2);
    }
    const refused = await cli('admin', 'users', 'bulk-delete', '--unique-id', '%', '--yes', '--json');
    expect(errorOf(refused).code).toBe('admin.filter-everybody');
  });
});

describe('the number of roles', { timeout: 300_000 }, () => {
  it('is that of the roles with all of the permissions', async () => {
    await make(lab.direct, 'roles', {
      display_name: 'Only player',
      permissions: ['media-like', 'collection-read', 'media-read', 'media-play'],
    });
    const { body } = await lab.direct.get('/api2/roles/count?permissions=media-like,media-play');
    const counted = await cli('admin', 'roles', 'count', '--permissions', 'media-like,media-play', '--json');
    expect(counted.records).toEqual([{ count: body.count }]);
    expect(body.count).toBeGreaterThan(0);
    expect((await cli('admin', 'roles', 'count', '--permissions', 'media-fly')).code).toBe(2);
  });
});

describe('the markup of players', { timeout: 300_000 }, () => {
  it('is printed for the items that the library has, and the others are named', async () => {
    const { body } = await lab.direct.post('/api2/media', { title: 'Shown', collection_id: '1' });
    const printed = await cli('library', 'embed', body.id, '99999999', '--width', '640', '--height', '360');
    expect(printed.code).toBe(1);
    expect(printed.stdout.trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^<iframe .*/api2/media/${body.id}/embed.*640.*360`)),
    ]);
    expect(printed.stderr).toContain('The library has no item 99999999');
  });
});
