// Commands for the thumbnail and the members of a collection, as separate processes against the real service.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { effectsOf } from '../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { make } from '../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { png } from '../../helpers/service/service-samples.ts';

let service: ServiceProcess;
let account: CliProfile;
let direct: ServiceClient;
let id: string;

beforeAll(async () => {
  service = await startService();
  direct = await clientFor(service);
  const { body } = await direct.post('/api2/collections', {
    display_name: 'Talks',
    parent_id: '1',
    inherit_memberships: false,
  });
  id = body.id;
  account = await openCliProfile(service);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

it('“collections thumbnail” sets a picture, and refuses a file that is none', { timeout: 300_000 }, async () => {
  const [picture, text] = [join(account.folder, 'cover.png'), join(account.folder, 'notes.txt')];
  await writeFile(picture, png(60, 60));
  await writeFile(text, 'no picture');
  expect(await account.run('collections', 'thumbnail', 'Talks', picture, '--wait')).toMatchObject({ code: 0 });
  expect(await effectsOf(service, 'thumb-stored')).toMatchObject([
    { resource: 'collections', resource_id: Number(id) },
  ]);
  const refused = await account.run('collections', 'thumbnail', 'Talks', text, '--wait');
  expect(refused.code).not.toBe(0);
  expect(await effectsOf(service, 'thumb-stored')).toHaveLength(1);
});

it('“collections thumbnail” says why directories refuse a picture for a podcast', { timeout: 300_000 }, async () => {
  const { body } = await direct.post('/api2/collections', { display_name: 'Radio', is_podcast: true, parent_id: '1' });
  expect(body).toMatchObject({ is_podcast: true });
  const [narrow, square] = [join(account.folder, 'narrow.png'), join(account.folder, 'square.png')];
  await writeFile(narrow, png(1400, 1000));
  await writeFile(square, png(1400, 1400));
  const told =
    'The picture has 1400 × 1000 pixels. Podcast directories accept squares of 1400 × 1400 to 3000 × 3000 pixels.';
  expect((await account.run('collections', 'thumbnail', 'Radio', narrow)).stderr).toContain(told);
  expect((await account.run('collections', 'thumbnail', 'Radio', square)).stderr).not.toContain('Podcast directories');
  expect((await account.run('collections', 'thumbnail', 'Talks', narrow)).stderr).not.toContain('Podcast directories');
});

it('“collections members” lists the members of a collection with their roles', { timeout: 300_000 }, async () => {
  const role = await make(direct, 'roles', { display_name: 'Teacher', permissions: ['collection-read'] });
  const group = await make(direct, 'groups', { display_name: 'Staff' });
  await make(direct, 'memberships', { role_id: role.id, collection_id: id, group_id: group.id });
  const { code, records } = await account.run('collections', 'members', 'Talks', '--json');
  expect(code).toBe(0);
  expect(records).toEqual([
    { member: expect.objectContaining({ kind: 'group', name: 'Staff', role: 'Teacher', collectionId: id }) },
    { visible: 'all', isCut: false },
  ]);
});
