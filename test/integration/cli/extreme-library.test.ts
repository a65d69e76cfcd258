// Commands on a library with extreme contents: collections thousands of levels deep, and titles of megabytes.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

const LEVELS = 3000;
let service: ServiceProcess;
let account: CliProfile;

beforeAll(async () => {
  service = await startService();
  const direct = await clientFor(service);
  await direct.createItem('Endless');
  await service.kill9();
  const database = new DatabaseSync(join(service.dataDir, 'library.sqlite'));
  database.exec('BEGIN');
  // The service itself accepts no such title.
  database.prepare('UPDATE media SET title = ?').run('title '.repeat(1_700_000));
  const below = database.prepare(
    `INSERT INTO collections (parent_id, slug, display_name, description, description_plain, inherit_memberships,
       is_podcast, autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
     VALUES (?, ?, ?, '', '', 1, 0, 0, 0, 1, 1)`,
  );
  let parent: number | bigint = 1;
  for (let level = 1; level <= LEVELS; level += 1) {
    parent = below.run(parent, `level-${level}`, String(level)).lastInsertRowid;
  }
  database.exec('COMMIT');
  database.close();
  await service.restart();
  account = await openCliProfile(service);
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

describe('a library with extreme contents', { timeout: 300_000 }, () => {
  it('lists collections that are 3,000 levels deep', async () => {
    const { code, stderr, stdout } = await account.run('collections', '--tree');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(LEVELS + 2);
  });

  it('copies and lists an item with a title of 10 MB, with the first 10,000 characters', async () => {
    expect(await account.run('library', 'sync')).toMatchObject({ code: 0, stderr: '' });
    const { code, records } = await account.run('library', 'list', '--json');
    expect(code).toBe(0);
    expect((records[0] as { item: { title: string } }).item.title).toHaveLength(10_000);
  });
});
