// Commands that read the library, as separate processes against the real service.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

const HOSTILE = 'Red \u202etitle';

let service: ServiceProcess;
let account: CliProfile;
let direct: ServiceClient;
const ids: Record<string, string> = {};

const cli = (...args: string[]) => account.run(...args);
const titles = (records: readonly Record<string, unknown>[]) =>
  records.map(({ item }) => (item as { title: string }).title);

beforeAll(async () => {
  service = await startService();
  direct = await clientFor(service);
  account = await openCliProfile(service);
  const physics = await cli('collections', 'create', 'Physics', '--in', 'Library', '--json');
  const physicsId = (physics.records[0] as { collection: { id: string } }).collection.id;
  for (const [title, fields] of [
    ['Optics one', { tags: ['light'] }],
    ['Optics two', { description: '<p>Rays &amp; waves</p>', byline: 'Ada' }],
    ['Heat', { collection_id: physicsId }],
    [HOSTILE, {}],
  ] as const) {
    ids[title] = (await direct.createItem(title, fields)).split('/').at(-1) ?? '';
  }
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

describe('commands that read the library', { timeout: 300_000 }, () => {
  it('copy the library, and find an item that was created after the copy', async () => {
    const synced = await cli('library', 'sync', '--json');
    expect(synced).toMatchObject({ code: 0, stderr: '' });
    expect(synced.records.at(-1)).toMatchObject({ sync: { phase: 'ready', items: 4, vanished: 0, error: null } });
    const made = await direct.createItem('Later');
    expect(titles((await cli('library', 'search', 'title:x', 'later', '--json')).records)).toEqual([]);
    expect(titles((await cli('library', 'search', 'later', '--json')).records)).toEqual(['Later']);
    await direct.delete(made);
    const again = await cli('library', 'sync');
    expect(again.stdout).toBe('The copy of the library is up to date: 4 items.\n');
  });

  it('list items with the filters and the order of the options', async () => {
    const listed = await cli('library', 'list', '--sort', 'title', '--order', 'asc', '--json');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(titles(listed.records)).toEqual([HOSTILE, 'Heat', 'Optics one', 'Optics two'].sort());
    expect(titles((await cli('library', 'list', '--tag', 'light', '--json')).records)).toEqual(['Optics one']);
    expect(titles((await cli('library', 'list', '--collection', 'Physics', '--json')).records)).toEqual(['Heat']);
    const below = await cli('library', 'list', '--collection', 'Library', '--below', '--json');
    expect(below.records).toHaveLength(4);
    expect((await cli('library', 'list', '--status', 'published', '--json')).records).toEqual([]);
    expect((await cli('library', 'list', '--created-after', '2100-01-01', '--json')).records).toEqual([]);
  });

  it('report that a limit omits items, and list several pages with a higher limit', async () => {
    const few = await cli('library', 'list', '--limit', '2');
    expect(few.code).toBe(0);
    expect(few.stdout.trim().split('\n')).toHaveLength(3);
    expect(few.stderr).toBe('2 of 4 items. Use --limit to list more.\n');
    for (let n = 0; n < 205; n += 1) await direct.createItem(`Part ${n}`, { tags: ['parts'] });
    const all = await cli('library', 'list', '--tag', 'parts', '--limit', '1000', '--json');
    expect(new Set(titles(all.records)).size).toBe(205);
  });

  it('search the texts, and exit with 1 when nothing is found', async () => {
    const found = await cli('library', 'search', 'optics', '--json');
    expect(found.code).toBe(0);
    expect(titles(found.records).sort()).toEqual(['Optics one', 'Optics two']);
    expect(await cli('library', 'search', 'zebra')).toMatchObject({ code: 1, stderr: 'No items found.\n' });
  });

  it('show an item with its files, without characters that control the terminal', async () => {
    const item = ids['Optics two'] ?? '';
    await direct.upload(`/api2/media/${item}`, 'rays.bin', Buffer.from('rays'));
    const shown = await cli('library', 'show', item);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/^Title +Optics two$/m);
    expect(shown.stdout).toMatch(/^Description +Rays & waves$/m);
    expect(shown.stdout).toMatch(/rays\.bin/);
    const record = (await cli('library', 'show', item, '--json')).records[0];
    expect(record).toMatchObject({
      media: { item: { id: item, byline: 'Ada' }, files: [{ display_name: 'rays.bin' }] },
    });
    const hostile = await cli('library', 'show', ids[HOSTILE] ?? '');
    expect(hostile.stdout).toContain('Title');
    expect(hostile.stdout).not.toContain('\u202e');
  });

  it('end with exit code 1 for an unknown item', async () => {
    expect((await cli('library', 'show', '999999')).code).toBe(1);
  });

  it('download the files of items, report them as JSON, and fail when one is missing', async () => {
    const item = await direct.createItem('Talk');
    const bytes = Buffer.from('the contents of a file');
    await direct.processed(await direct.upload(item, 'talk.bin', bytes));
    const id = item.split('/').at(-1) ?? '';
    // Neither folder exists.
    const to = join(account.folder, 'downloads', 'talks');
    const done = await cli('library', 'download', id, '--to', to, '--json');
    expect(done.code).toBe(0);
    expect(done.records).toMatchObject([{ download: { state: 'complete', path: join(to, 'talk.bin'), error: null } }]);
    expect(await readFile(join(to, 'talk.bin'))).toEqual(bytes);
    const half = await cli('library', 'download', id, '999999', '--to', to);
    expect(half.code).toBe(1);
    expect(half.stdout).toContain(join(to, 'talk (2).bin'));
    expect((await cli('library', 'download', ids.Heat ?? '', '--to', to, '--json')).code).toBe(1);
    expect((await cli('library', 'download', id)).code).toBe(2);
    expect((await readdir(to)).sort()).toEqual(['talk (2).bin', 'talk.bin']);
  });
});
