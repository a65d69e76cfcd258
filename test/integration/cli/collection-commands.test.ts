// Commands for collections and podcasts, as separate processes against the real service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_COLLECTION_NAME } from '../../../shared/api/collection-fields.ts';
import { runCli } from '../../helpers/cli/cli.ts';
import { type CliProfile, errorOf, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clearJournal, journalOf } from '../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
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
const collection = async (id: string) => (await direct.get(`/api2/collections/${id}`)).body;

/** Creates a collection and returns its id. */
async function create(...args: string[]): Promise<string> {
  const result = await cli('collections', 'create', ...args, '--json');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return (result.records[0] as { collection: { id: string } }).collection.id;
}

describe('commands for collections', { timeout: 300_000 }, () => {
  it('create, rename, move and delete collections by id, slug, path and name', async () => {
    const physics = await create('Physics', '--in', 'Library', '--slug', 'phys');
    const optics = await create('Optics & light', '--in', 'phys', '--description', '<p>Rays</p>');
    expect(await collection(optics)).toMatchObject({ parent_id: physics, description: '<p>Rays</p>' });
    const listed = await cli('collections', 'list', '--json');
    expect(listed.records.map((each) => (each.collection as { path: string[] }).path.join('/'))).toContain(
      'Library/Physics/Optics & light',
    );

    const renamed = await cli('collections', 'rename', 'Physics/Optics & light', 'Waves', '--reslugify');
    expect(renamed).toMatchObject({ code: 0, stdout: 'Renamed “Optics & light” to “Waves” (slug waves).\n' });

    const maths = await create('Maths', '--in', '1');
    const moved = await cli('collections', 'move', 'Waves', 'phys', '--to', 'Maths', '--json');
    expect(moved.code).toBe(0);
    expect(moved.records).toMatchObject([
      { moved: { collectionId: optics, fromParentId: physics, newParentId: maths } },
      { moved: { collectionId: physics, newParentId: maths } },
    ]);
    const refused = await cli('collections', 'move', maths, '--to', optics, '--json');
    expect(refused.code).toBe(1);
    expect(errorOf(refused).code).toBe('collection.into-itself');

    await direct.createItem('a', { collection_id: optics });
    const counted = await cli('collections', 'delete', 'Maths', '--json');
    expect(counted).toMatchObject({ code: 1, records: [{ deletion: { collections: 3, items: 1, forbidden: [] } }] });
    expect((await collection(maths)).id).toBe(maths);
    const deleted = await cli('collections', 'delete', 'Maths', '--yes', '--json');
    expect(deleted.code).toBe(0);
    expect(deleted.records.at(-1)).toEqual({ deleted: { collectionIds: [maths], items: 1 } });
    expect((await direct.get(`/api2/collections/${optics}`)).status).toBe(404);
  });

  it('change nothing when a name matches several collections or none', async () => {
    const [one, two] = [await create('Twin', '--in', '1'), await create('Twin', '--in', '1')];
    const several = await cli('collections', 'rename', 'Twin', 'Other', '--json');
    expect(several.code).toBe(2);
    const matches = [`${one}: Library / Twin`, `${two}: Library / Twin`];
    expect(errorOf(several).details?.errors).toEqual(expect.arrayContaining(matches));
    const none = await cli('collections', 'delete', 'Nowhere', '--yes', '--json');
    expect(none.code).toBe(1);
    expect(errorOf(none)).toMatchObject({ code: 'api.not-found', details: { collection: 'Nowhere' } });
    expect(await collection(one)).toMatchObject({ display_name: 'Twin' });
  });

  it('find a collection by the longest name that the library allows', async () => {
    const name = 'n'.repeat(MAX_COLLECTION_NAME);
    const id = await create(name, '--in', '1', '--slug', 'longest');
    const byName = await cli('collections', 'rename', name, 'Short', '--json');
    expect(byName).toMatchObject({ code: 0, stderr: '' });
    expect(await collection(id)).toMatchObject({ display_name: 'Short' });
  });

  it('report a taken slug, and keep a change in read-only mode, with exit code 1', async () => {
    await create('First', '--in', '1', '--slug', 'taken');
    const taken = await cli('collections', 'create', 'Second', '--in', '1', '--slug', 'taken', '--json');
    expect(taken.code).toBe(1);
    expect(errorOf(taken).code).toBe('collection.slug-taken');
    expect((await direct.get('/api2/collections?display_name=Second')).body.items).toEqual([]);
    await service.control('PATCH', '/settings', { read_only: true });
    const closed = await cli('collections', 'rename', 'First', 'Renamed later');
    await service.control('PATCH', '/settings', { read_only: false });
    expect(closed.code).toBe(1);
    expect(closed.stdout).toContain('Rename “First” to “Renamed later”: saved on this computer');
    expect((await cli('edits', 'list', '--open')).stdout).toContain('Edit collection: First');
    expect((await cli('edits', 'retry')).code).toBe(0);
    expect((await direct.get('/api2/collections?display_name=Renamed%20later')).body.items).toHaveLength(1);
  });

  it('exit with 2 without any request when the command line is not valid', async () => {
    await clearJournal(service);
    const result = await cli('collections', 'create', 'No parent');
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/^mediadesk: \S/);
    expect(await journalOf(service)).toEqual([]);
  });

  it('list their options and each other with --help', async () => {
    const { stdout } = await runCli(['collections', '--help']);
    expect(stdout).toContain('--tree');
    for (const usage of ['list', 'create NAME --in COLLECTION', 'rename', 'move', 'delete']) {
      expect(stdout).toContain(`mediadesk collections ${usage}`);
    }
  });
});

describe('commands for podcasts', { timeout: 300_000 }, () => {
  it('show and change single fields, and keep all others', async () => {
    const id = await create('Radio', '--in', '1', '--podcast');
    const unknown = { directory_category: 'Kultur » Hörspiel', directory_subtitle: 'old' };
    await direct.post(`/api2/collections/${id}/podcast-details`, unknown);
    const set = await cli('podcast', 'set', 'Radio', 'author=Campus = Radio', 'explicit=no', 'subtitle=', '--json');
    expect(set.code).toBe(0);
    const details = { directory_author_name: 'Campus = Radio', directory_explicit: 'no', directory_subtitle: null };
    expect(set.records).toMatchObject([{ podcast: { collectionId: id, ...unknown, ...details } }]);
    const got = await cli('podcast', 'get', 'radio');
    expect(got.stdout).toMatch(/^author +Campus = Radio$/m);
    expect(got.stdout).toMatch(/^subtitle +–$/m);
    const none = await cli('podcast', 'get', '1', '--json');
    expect(none.code).toBe(1);
    expect(errorOf(none).code).toBe('collection.not-a-podcast');
  });
});
