// Administrative commands that are killed: what is left is offered, and continued with the checks of the first time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminJob } from '../../../shared/contract/admin/admin-jobs.ts';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import type { CliRun } from '../../helpers/cli/cli.ts';
import { errorOf } from '../../helpers/cli/cli-profile.ts';
import { Prng } from '../../helpers/data/prng.ts';
import { requestsOf } from '../../helpers/service/journal.ts';
import { idsOf, make } from '../../helpers/service/service-people.ts';

let lab: AdminLab;
beforeAll(async () => {
  lab = await openAdminLab();
}, 600_000);
afterAll(() => lab?.close());

const cli = (...args: string[]) => lab.cli(...args);
const jobs = async (): Promise<AdminJob[]> =>
  ((await cli('admin', 'jobs', 'list', '--json')).records as { job: AdminJob }[]).map(({ job }) => job);
async function onlyJob(): Promise<AdminJob> {
  const [job, ...others] = await jobs();
  if (job === undefined || others.length > 0)
    throw new Error(`There are ${job === undefined ? 0 : others.length + 1} jobs`);
  return job;
}

/** Kills a command when the library has got this number of its requests, if the command is not over before. */
async function killed(run: CliRun, method: string, path: RegExp, after: number): Promise<void> {
  let isOver = false;
  void run.ended.then(() => {
    isOver = true;
  });
  while (!isOver && (await requestsOf(lab.service, method, path)).length < after) {
    // The journal is asked again.
  }
  run.child.kill('SIGKILL');
  await run.ended;
}

describe('a deletion of users that is killed', { timeout: 900_000 }, () => {
  const USERS = 1000;
  const DELETION = /^\/api2\/users\/\d+$/;

  it(`deletes only what was confirmed, of ${USERS} users at random moments, and its report adds up`, async () => {
    const random = new Prng(33);
    const others = await idsOf(lab.direct, '/api2/users', { per_page: '500' });
    const ids: string[] = [];
    while (ids.length < USERS) ids.push((await make(lab.direct, 'users', { first_name: `Job ${ids.length}` })).id);
    const promoted = ids.at(-1) ?? '';
    const present = new Set<string>();
    const readPresent = async () => {
      present.clear();
      for (const id of ids) if ((await lab.direct.get(`/api2/users/${id}`)).status === 200) present.add(id);
    };
    await lab.clearWrites();
    const first = random.int(1, USERS / 3);
    await killed(lab.account.start('admin', 'users', 'delete', ...ids, '--yes'), 'DELETE', DELETION, first);
    await readPresent();
    expect(USERS - present.size).toBeGreaterThanOrEqual(first - 1);
    await lab.direct.post(`/api2/users/${promoted}`, { is_admin: true });
    for (let kills = 0; kills < 3; kills++) {
      const job = await onlyJob();
      expect(job).toMatchObject({ kind: 'deletePeople', total: USERS, failed: 0 });
      // At most the deletion that was being made is not noted.
      expect(USERS - present.size - job.done).toBeGreaterThanOrEqual(0);
      expect(USERS - present.size - job.done).toBeLessThanOrEqual(1);
      await lab.clearWrites();
      const run = lab.account.start('admin', 'jobs', 'continue', job.id, '--yes');
      await killed(run, 'DELETE', DELETION, random.int(1, USERS / 5));
      await readPresent();
    }
    const job = await onlyJob();
    const shown = await cli('admin', 'jobs', 'continue', job.id);
    expect(shown).toMatchObject({ code: 1, stdout: expect.stringContaining(`${job.done} of ${USERS} users done`) });
    const ended = await cli('admin', 'jobs', 'continue', job.id, '--yes', '--json');
    expect(ended.code).toBe(1);
    expect(ended.records.at(-1)).toMatchObject({
      continued: {
        total: USERS,
        done: USERS - 1,
        savedAs: expect.stringContaining('deleted-people'),
        failed: [{ id: promoted, error: { code: 'admin.person-changed' } }],
      },
    });
    await readPresent();
    expect([...present]).toEqual([promoted]);
    expect((await idsOf(lab.direct, '/api2/users', { per_page: '500' })).sort()).toEqual([...others, promoted].sort());
    expect(await jobs()).toEqual([]);
  });

  it('is forgotten when it is discarded: nobody else is deleted', async () => {
    const ids: string[] = [];
    while (ids.length < 60) ids.push((await make(lab.direct, 'users')).id);
    await lab.clearWrites();
    await killed(lab.account.start('admin', 'users', 'delete', ...ids, '--yes'), 'DELETE', DELETION, 5);
    const before = await idsOf(lab.direct, '/api2/users', { per_page: '500' });
    const job = await onlyJob();
    expect(await cli('admin', 'jobs', 'discard', job.id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('What was done before stays.'),
    });
    expect(await jobs()).toEqual([]);
    const gone = await cli('admin', 'jobs', 'continue', job.id, '--yes', '--json');
    expect({ code: gone.code, error: errorOf(gone).code }).toEqual({ code: 1, error: 'admin.job-gone' });
    expect(await idsOf(lab.direct, '/api2/users', { per_page: '500' })).toEqual(before);
  });
});

describe('a merge of tags that is killed', { timeout: 300_000 }, () => {
  it('is offered with the tag that stays, and continued without a loss of tags', async () => {
    const items: string[] = [];
    for (let index = 0; index < 40; index++) {
      const tags = ['own', index % 2 === 0 ? 'Lense' : 'lenses', ...(index === 0 ? ['Lens'] : [])];
      items.push(await lab.direct.createItem(`Lens ${index}`, { tags }));
    }
    await lab.clearWrites();
    const run = lab.account.start('admin', 'tags', 'merge', 'Lense', 'lenses', '--into', 'Lens', '--yes');
    await killed(run, 'POST', /remove-tags$/, 9);
    const job = await onlyJob();
    expect(job).toMatchObject({ kind: 'mergeTags', subject: 'Lens', total: 2 });
    expect((await cli('admin', 'jobs', 'list')).stdout).toContain('merge tags into “Lens”');
    expect(await cli('admin', 'jobs', 'continue', job.id, '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Done: 2 of 2 tags, 0 failed.'),
    });
    for (const path of items) expect((await lab.direct.get(path)).body.tags.toSorted()).toEqual(['Lens', 'own']);
    expect((await cli('admin', 'tags', 'list')).stdout).not.toMatch(/Lense|lenses/);
    expect(await jobs()).toEqual([]);
  });
});

describe('an import of users that is killed', { timeout: 300_000 }, () => {
  it('is continued: each row creates one user, and all join their groups', async () => {
    const group = await make(lab.direct, 'groups', { display_name: 'Imported crew' });
    const rows = ['email,first name,last name,groups'];
    for (let index = 0; index < 80; index++) rows.push(`new${index}@import.example,New,User ${index},Imported crew`);
    const path = join(lab.account.folder, 'users.csv');
    writeFileSync(path, rows.join('\n'));
    await lab.clearWrites();
    const run = lab.account.start('admin', 'users', 'import', path, '--apply');
    await killed(run, 'POST', /^\/api2\/users$/, 25);
    const job = await onlyJob();
    expect(job).toMatchObject({ kind: 'importPeople', subject: path, total: 81, failed: 0 });
    expect(await cli('admin', 'jobs', 'continue', job.id, '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Done: 81 of 81 steps, 0 failed.'),
    });
    const members = await idsOf(lab.direct, '/api2/users', { group_id: group.id, per_page: '500' });
    expect(members).toHaveLength(80);
    await lab.clearWrites();
    const again = await cli('admin', 'users', 'import', path, '--apply');
    expect(again.stdout).toContain('80 change nothing');
    expect(await lab.writes()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });
});

describe('an import of roles that is killed', { timeout: 300_000 }, () => {
  it('is continued with what is left, and the same table then changes nothing', async () => {
    const collection = await lab.direct.post('/api2/collections', { display_name: 'Killed import', parent_id: '1' });
    const rows = ['collection,user,role'];
    for (let index = 0; index < 120; index++) {
      const email_address = `row${index}@jobs.example`;
      await make(lab.direct, 'users', { email_address });
      rows.push(`Killed import,${email_address},Viewer`);
    }
    const path = join(lab.account.folder, 'killed.csv');
    writeFileSync(path, rows.join('\n'));
    await lab.clearWrites();
    const run = lab.account.start('admin', 'members', 'import', path, '--apply');
    await killed(run, 'POST', /^\/api2\/memberships$/, 30);
    const job = await onlyJob();
    expect(job).toMatchObject({ kind: 'importMembers', subject: path, total: 120, failed: 0 });
    // Meanwhile somebody else gave another role to a row that is left: it stays.
    const given = await lab.direct.get('/api2/users?email_address=row119@jobs.example');
    const editor = (await lab.direct.get('/api2/roles?display_name=Editor')).body.items[0].id;
    const collection_id = collection.body.id;
    await make(lab.direct, 'memberships', { user_id: given.body.items[0].id, role_id: editor, collection_id });
    const continued = await cli('admin', 'jobs', 'continue', job.id, '--yes', '--json');
    expect(continued.records.at(-1)).toMatchObject({
      continued: { total: 120, done: 119, failed: [{ error: { code: 'admin.membership-changed' } }] },
    });
    const again = await cli('admin', 'members', 'import', path);
    expect(again.stdout).toContain('0 give a role, 1 changes one, 119 change nothing, 0 are skipped.');
    expect(await jobs()).toEqual([]);
  });
});

describe('an import of groups that is killed', { timeout: 300_000 }, () => {
  it('is continued: each row creates one group with its user, and what others renamed meanwhile stays', async () => {
    const renamed = await make(lab.direct, 'groups', { display_name: 'Before the import' });
    const rows = ['group id,group,user'];
    for (let index = 0; index < 60; index++) rows.push(`,Killed group ${index},viewer@library.example`);
    rows.push(`${renamed.id},After the import,`);
    const path = join(lab.account.folder, 'killed-groups.csv');
    writeFileSync(path, rows.join('\n'));
    await lab.clearWrites();
    await killed(lab.account.start('admin', 'groups', 'import', path, '--apply'), 'POST', /^\/api2\/groups$/, 20);
    const job = await onlyJob();
    expect(job).toMatchObject({ kind: 'importGroups', subject: path, total: 61, failed: 0 });
    expect((await cli('admin', 'jobs', 'list')).stdout).toContain(`import the groups of ${path}`);
    await lab.direct.post(`/api2/groups/${renamed.id}`, { display_name: 'Name of somebody else' });
    const continued = await cli('admin', 'jobs', 'continue', job.id, '--yes', '--json');
    expect(continued.records.at(-1)).toMatchObject({
      continued: { total: 61, done: 60, failed: [{ id: renamed.id, error: { code: 'admin.group-renamed' } }] },
    });
    const { items } = (await lab.direct.get('/api2/groups?per_page=500')).body;
    const created = items.filter(({ display_name }: { display_name: string }) => /^Killed group/.test(display_name));
    expect(new Set(created.map(({ display_name }: { display_name: string }) => display_name)).size).toBe(60);
    expect(created).toHaveLength(60);
    for (const { id } of created) expect(await idsOf(lab.direct, '/api2/users', { group_id: id })).toHaveLength(1);
    expect((await lab.direct.get(`/api2/groups/${renamed.id}`)).body.display_name).toBe('Name of somebody else');
    expect(await jobs()).toEqual([]);
    writeFileSync(path, rows.slice(0, -1).join('\n'));
    await lab.clearWrites();
    expect((await cli('admin', 'groups', 'import', path, '--apply')).stdout).toContain('60 rows change nothing');
    expect(await lab.writes()).toEqual([]);
  });
});

describe('an import of roles and their permissions that is killed', { timeout: 300_000 }, () => {
  const [READ, WRITE] = [
    ['collection-read', 'media-read'],
    ['collection-read', 'media-read', 'media-play'],
  ];
  const SUBTREE = ['collection-read', 'collection-update'];
  const permissionsOf = async (id: string): Promise<string[]> =>
    (await lab.direct.get(`/api2/roles/${id}`)).body.permissions.toSorted();

  it('is continued: half a change is completed, a made one sends nothing, and what others changed stays', async () => {
    const role = async (display_name: string) =>
      (await make(lab.direct, 'roles', { display_name, permissions: READ })).id;
    const [half, made, others] = [await role('Half'), await role('Made'), await role('Others')];
    const rows = ['role id,role,permissions'];
    for (let index = 0; index < 40; index++) rows.push(`,Killed role ${index},media-play`);
    for (const id of [half, made, others]) rows.push(`${id},,collection-update`);
    const path = join(lab.account.folder, 'killed-roles.csv');
    writeFileSync(path, rows.join('\n'));
    await lab.clearWrites();
    await killed(lab.account.start('admin', 'roles', 'import', path, '--apply'), 'POST', /^\/api2\/roles$/, 15);
    const job = await onlyJob();
    expect(job).toMatchObject({ kind: 'importRoles', subject: path, total: 43, failed: 0 });
    // As a kill between the two requests of a change leaves it, and after both.
    await lab.direct.post(`/api2/roles/${half}/add-permissions`, { permissions: SUBTREE });
    await lab.direct.post(`/api2/roles/${made}`, { permissions: SUBTREE });
    await lab.direct.post(`/api2/roles/${others}/add-permissions`, { permissions: ['media-play'] });
    await make(lab.direct, 'roles', { display_name: 'Killed role 39', permissions: READ });
    await make(lab.direct, 'roles', { display_name: 'Killed role 38', permissions: WRITE });
    await lab.clearWrites();
    const continued = await cli('admin', 'jobs', 'continue', job.id, '--yes', '--json');
    expect(continued.records.at(-1)).toMatchObject({ continued: { total: 43, done: 41 } });
    const { failed } = (continued.records.at(-1) as { continued: { failed: { error: { code: string } }[] } }).continued;
    expect(failed.map(({ error }) => error.code)).toEqual(['admin.role-exists', 'admin.role-changed']);
    expect([await permissionsOf(half), await permissionsOf(made)]).toEqual([SUBTREE, SUBTREE]);
    expect(await permissionsOf(others)).toEqual([...WRITE].sort());
    expect((await lab.writes()).filter(({ path: target }) => target?.includes(`/roles/${made}`))).toEqual([]);
    const { items } = (await lab.direct.get('/api2/roles?per_page=500')).body;
    const names = items.map(({ display_name }: { display_name: string }) => display_name);
    expect(names.filter((name: string) => name.startsWith('Killed role'))).toHaveLength(40);
    expect(new Set(names).size).toBe(names.length);
    expect(await jobs()).toEqual([]);
  });
});

it('a sign-out forgets interrupted commands', { timeout: 300_000 }, async () => {
  const ids: string[] = [];
  while (ids.length < 40) ids.push((await make(lab.direct, 'users')).id);
  await lab.clearWrites();
  await killed(lab.account.start('admin', 'users', 'delete', ...ids, '--yes'), 'DELETE', /^\/api2\/users\/\d+$/, 3);
  expect(await jobs()).toHaveLength(1);
  expect(await cli('sign-out')).toMatchObject({ code: 0 });
  await lab.account.signIn();
  expect(await jobs()).toEqual([]);
});
