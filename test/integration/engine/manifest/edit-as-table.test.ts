// Items that are read as a table, changed and applied, against the real service: the requests, the behavior offline, and the
// undo.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Desk } from '../../../helpers/engine/desk.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const timeZone = 'Europe/Vienna';

describe('the table of selected items', () => {
  let service: ServiceProcess;
  let desk: Desk;
  let client: ServiceClient;
  const ids: string[] = [];

  beforeAll(async () => {
    service = await startService();
    desk = await Desk.open(service);
    client = await clientFor(service);
    for (const title of ['One', 'Two', 'Three']) {
      const location = await client.createItem(title, { collection_id: desk.collectionId, tags: ['a'] });
      ids.push(location.split('/').at(-1) ?? '');
    }
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
  }, 600_000);
  afterAll(async () => {
    await desk?.close();
    await service?.stop();
  });

  const read = (...others: string[]) =>
    desk.engine.call('manifest.table', { selection: { siteId: desk.siteId, ids: [...ids, ...others] }, timeZone });
  const check = (rows: { id: string; cells: Record<string, string> }[]) =>
    desk.engine.call('manifest.checkTable', { siteId: desk.siteId, rows, timeZone });

  it('contains each item with its title and its collection, and counts the selected items that were not found', async () => {
    const { rows, missing, collections } = await read('gone');
    expect(rows.map(({ item }) => item.title)).toEqual(['One', 'Two', 'Three']);
    expect(missing).toBe(1);
    expect(collections).toContain(rows[0]?.collection);
  });

  it('counts changed and unchanged rows when it is checked, and names the item and the field of each problem', async () => {
    const [one = '', two = '', three = ''] = ids;
    const checked = await check([
      { id: one, cells: { title: 'First', tags: 'a' } },
      { id: two, cells: { collection: 'Nowhere', title: 'Second' } },
      { id: three, cells: { title: 'Three' } },
      { id: 'gone', cells: { title: 'x' } },
    ]);
    expect(checked).toMatchObject({ changed: 1, unchanged: 1 });
    expect(checked.problems.map(({ id, field, error }) => [id, field, error.code])).toEqual([
      [two, 'collection', 'manifest.collection-unknown'],
      ['gone', 'id', 'manifest.item-unknown'],
    ]);
  });

  it('is applied as one group of edits, which can be undone', async () => {
    const [one = '', two = ''] = ids;
    const { planId } = await check([
      { id: one, cells: { title: 'First' } },
      { id: two, cells: { byline: 'Ada', tags: '', description: 'a < b' } },
    ]);
    const { group } = await desk.engine.call('edits.apply', { planId, except: [], label: 'Table' });
    expect(group?.items).toBe(2);
    const item = async (id: string) => (await client.get(`/api2/media/${id}`)).body;
    await expect.poll(async () => (await item(one)).title, { timeout: 60_000 }).toBe('First');
    await expect.poll(async () => (await item(two)).tags, { timeout: 60_000 }).toEqual([]);
    await expect.poll(async () => (await item(two)).description, { timeout: 60_000 }).toBe('<p>a &lt; b</p>');
    await expect
      .poll(async () => (await desk.engine.call('edits.group', { groupId: group?.id ?? '' })).endedAt, {
        timeout: 60_000,
      })
      .not.toBeNull();
    await desk.engine.call('edits.undo', { groupId: group?.id ?? '' });
    await expect.poll(async () => (await item(one)).title, { timeout: 60_000 }).toBe('One');
    await expect.poll(async () => (await item(two)).tags, { timeout: 60_000 }).toEqual(['a']);
  });

  it('is read and planned without a connection', async () => {
    await service.stop();
    expect((await read()).rows).toHaveLength(3);
    expect(await check([{ id: ids[0] ?? '', cells: { title: 'Offline' } }])).toMatchObject({
      changed: 1,
      problems: [],
    });
  });
});
