import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../../service/database/database.ts';
import { refreshStaleMedia } from '../../../../service/resources/media/stale-media.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { withDatabaseOf } from '../../../helpers/service/test-database.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'library-stale-'));
  folders.push(made);
  return made;
}

test('other requests are answered while the items of a changed tag are updated', async () => {
  const store = await openStore(join(folder(), 'library.sqlite'));
  await store.run(`INSERT INTO collections (slug, display_name, description, description_plain, inherit_memberships, is_podcast,
    autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on) VALUES ('r', 'R', '', '', 1, 0, 0, 0, 1, 1)`);
  await store.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO media (collection_id, status, title, description, description_plain, created_on, modified_on)
    SELECT 1, 'draft', 'Item ' || i, '', '', 1, 1 FROM n`);
  await store.run('INSERT INTO stale_media (media_id) SELECT id FROM media');
  let turns = 0;
  let isOver = false;
  const others = () => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  await refreshStaleMedia({ store, now: () => 7000 });
  isOver = true;
  expect(turns).toBeGreaterThan(10);
  expect(await store.get('SELECT count(*) AS count FROM stale_media')).toEqual({ count: 0 });
  expect(await store.get('SELECT count(*) AS count FROM media WHERE modified_on = 7')).toEqual({ count: 3000 });
  expect(await store.get(`SELECT count(*) AS count FROM media_text WHERE media_text MATCH 'item'`)).toEqual({
    count: 3000,
  });
  store.close();
});

test('the update of the items of a renamed tag is completed at the next start when the service was stopped before its end', async () => {
  const service = await startService({ dataDir: folder(), seed: 'bulk:20000:10' });
  const client = await clientFor(service);
  const [tag] = (await client.get('/api2/tags')).body.items;
  const renamed = client.post(`/api2/tags/${tag.id}`, { display_name: 'Renamed' }).catch(() => undefined);
  await client.until(`/api2/tags/${tag.id}`, ({ display_name }) => display_name === 'Renamed');
  await service.restart();
  await renamed;
  const again = await clientFor(service);
  const { count } = (await again.get('/api2/media/count?tag=Renamed')).body;
  expect(count).toBeGreaterThan(1000);
  await again.until('/api2/media/count?search=Renamed', (body) => body.count === count);
  expect(service.log()).not.toMatch(/request failed|due work failed/);
  await service.stop();
}, 600_000);

test('the update of the items of a renamed tag is completed at the next start when the service was killed before its end', async () => {
  const service = await startService({ dataDir: folder() });
  const client = await clientFor(service);
  const item = await client.createItem('Tagged', { tags: ['before'] });
  await service.kill9();
  // The state after the service died directly after the change of the tag.
  await withDatabaseOf(service.dataDir, async (store) => {
    await store.run(`UPDATE tags SET display_name = 'afterwards'`);
    await store.run('INSERT INTO stale_media SELECT media_id FROM media_tags');
    await store.run('UPDATE media SET modified_on = 1');
  });
  await service.restart();
  const again = await clientFor(service);
  const found = await again.until('/api2/media?search=afterwards', ({ items }) => items.length === 1);
  expect(found.items[0].links.self).toBe(item);
  expect(found.items[0].modified_on).not.toBe('1970-01-01T00:00:01Z');
  expect((await again.get('/api2/media/count?search=before')).body.count).toBe(0);
  await service.stop();
});
