// Spreadsheets of real items: exported, changed and imported again, against the real service in every dialect.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDelimited } from '../../../../electron/engine/manifest/table/read-delimited.ts';
import { readXlsx } from '../../../../electron/engine/manifest/table/read-xlsx.ts';
import { xlsxOf } from '../../../../electron/engine/manifest/table/write-xlsx.ts';
import { mediaQuerySchema } from '../../../../shared/contract/library.ts';
import { CSV_DEFAULTS, csvOf } from '../../../../shared/model/table/write-csv.ts';
import { Desk } from '../../../helpers/engine/desk.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { type ChangingProxy, startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

const ZONE = 'Europe/Vienna';
const TEXTS = ['Talk', '=1+1', '-5 dB', "'quoted", ' blanks ', 'a,b;c', 'say "hi"', 'Größe 🎧', '00123'];

/** The fields of a request body, which is JSON or URL-encoded. */
function fieldsOf(body: string): unknown {
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

describe.each(['reference', 'lean', 'strict'] as const)('a spreadsheet of a library with the dialect %s', (dialect) => {
  let service: ServiceProcess;
  let proxy: ChangingProxy;
  let desk: Desk;
  let client: ServiceClient;
  const ids: string[] = [];

  beforeAll(async () => {
    service = await startService({ dialect });
    proxy = await startChangingProxy(service.baseUrl);
    desk = await Desk.open(service, {}, { ...service, baseUrl: proxy.baseUrl });
    client = await clientFor(service);
    for (const title of TEXTS) {
      const fields = {
        collection_id: desk.collectionId,
        description: '<p>One</p>\n<p>Two</p>',
        tags: ['old', 'a|b'],
      };
      ids.push((await client.createItem(title, fields)).split('/').at(-1) ?? '');
    }
    await client.post(`/api2/media/${ids[1]}/publish`, { publish_on: '2035-05-06T07:00:00Z' });
  }, 600_000);
  afterAll(async () => {
    await desk?.close();
    await proxy?.close();
    await service?.stop();
  });

  const selection = () => ({
    siteId: desk.siteId,
    query: mediaQuerySchema.parse({ siteId: desk.siteId, collectionId: desk.collectionId, sort: 'title' }),
    except: [],
  });
  async function exportTo(name: string, protects = true): Promise<string> {
    const path = join(desk.dir, name);
    const format = name.endsWith('.xlsx') ? 'xlsx' : 'csv';
    const saved = await desk.engine.call('manifest.export', {
      selection: selection(),
      path,
      format,
      protects,
      timeZone: ZONE,
    });
    expect(saved).toEqual({ path, items: TEXTS.length, missing: 0, emptied: 0 });
    return path;
  }
  async function check(path: string) {
    const opened = await desk.engine.call('manifest.open', { path, encoding: null, separator: null });
    const { manifestId, mapping } = opened;
    const input = { manifestId, siteId: desk.siteId, mapping, timeZone: ZONE };
    const checked = await desk.engine.call('manifest.check', input);
    const problems = await desk.engine.call('manifest.problems', { manifestId, offset: 0, limit: 500 });
    return { opened, checked, problems: problems.rows };
  }
  async function apply(planId: string) {
    proxy.change({});
    const { group } = await desk.engine.call('edits.apply', { planId, except: [], label: 'Import' });
    await desk.engine.whenEditsIdle();
    return group;
  }
  /** Returns the cells of a saved file, so that the test can change some and save it again. */
  async function cellsOf(path: string): Promise<string[][]> {
    const bytes = new Uint8Array(await readFile(path));
    const isKnown = () => true;
    const { rows } = path.endsWith('.xlsx')
      ? readXlsx(bytes, null)
      : await readDelimited([bytes], { encoding: null, separator: ',', isKnown });
    return rows.map(({ cells }) => cells);
  }
  async function save(path: string, cells: string[][]): Promise<void> {
    const csv = () => [...csvOf(cells, { ...CSV_DEFAULTS, protects: false })].join('');
    await writeFile(path, path.endsWith('.xlsx') ? Buffer.concat([...xlsxOf('Items', cells)]) : csv());
  }
  const writes = () =>
    proxy.seen.filter(({ method }) => method !== 'GET').map(({ url, body }) => ({ path: url, body: fieldsOf(body) }));

  it.each(['all.csv', 'all.xlsx'])(
    'changes nothing in the library when it is imported as it was exported (%s)',
    async (name) => {
      const path = await exportTo(name);
      const { opened, checked, problems } = await check(path);
      expect(problems).toEqual([]);
      expect(opened.headers.slice(0, 8)).toEqual([
        'id',
        'title',
        'byline',
        'description',
        'tags',
        'collection',
        'status',
        'publish_on',
      ]);
      expect(checked).toMatchObject({ rows: TEXTS.length, changed: 0, unchanged: TEXTS.length, badRows: 0 });
      expect(await apply(checked.planId)).toBeNull();
      expect(writes()).toEqual([]);
    },
  );

  it('changes nothing when another program saved it with references to characters, as openpyxl does', async () => {
    const path = await exportTo('saved-elsewhere.xlsx');
    const parts = Object.entries(unzipSync(new Uint8Array(await readFile(path))));
    const referring = (xml: string) => xml.replace(/[^\0-\x7f]/gu, (sign) => `&#${sign.codePointAt(0)};`);
    const saved = parts.map(([name, bytes]) => [name, strToU8(referring(strFromU8(bytes)))] as const);
    await writeFile(path, zipSync(Object.fromEntries(saved)));
    const { checked, problems } = await check(path);
    expect(problems).toEqual([]);
    expect(checked).toMatchObject({ rows: TEXTS.length, changed: 0, unchanged: TEXTS.length, badRows: 0 });
  });

  it.each(['one.csv', 'one.xlsx'])(
    'changes one field of one item when one cell changed (%s), and this change can be undone',
    async (name) => {
      const path = await exportTo(name);
      const cells = await cellsOf(path);
      const row = cells.findIndex(([id]) => id === `m:${ids[0]}`);
      (cells[row] as string[])[2] = 'Ada';
      await save(path, cells);
      const { checked } = await check(path);
      expect(checked).toMatchObject({ changed: 1, unchanged: TEXTS.length - 1, badRows: 0 });
      const group = await apply(checked.planId);
      expect(group).toMatchObject({ items: 1, change: null, undoes: null });
      expect(writes()).toEqual([{ path: `/api2/media/${ids[0]}`, body: { byline: 'Ada' } }]);
      await desk.engine.call('edits.undo', { groupId: group?.id ?? '' });
      await desk.engine.whenEditsIdle();
      expect((await client.get(`/api2/media/${ids[0]}`)).body.byline ?? '').toBe('');
    },
  );

  it.each(['csv', 'xlsx'])(
    'is saved with the errors of its rows in an additional column, and this copy can be imported (%s)',
    async (ending) => {
      const path = join(desk.dir, `bad.${ending}`);
      const rows = [
        ['id', 'title', 'status'],
        [`m:${ids[0]}`, '=1+1', 'public'],
        [`m:${ids[1]}`, '00123', ''],
      ];
      await save(path, rows);
      const { opened, checked } = await check(path);
      expect(checked).toMatchObject({ rows: 2, badRows: 1, problems: 1 });
      const copy = join(desk.dir, `bad with errors.${ending}`);
      await desk.engine.call('manifest.saveErrors', { manifestId: opened.manifestId, path: copy });
      const copied = await cellsOf(copy);
      expect(copied.map((cells) => rows[0]?.map((_, at) => cells[at] ?? ''))).toEqual(rows);
      expect(copied[0]?.[3]).toBe('error');
      expect(copied[1]?.[3]).toMatch(/^status: The status must be/);
      expect(copied[2]?.[3] ?? '').toBe('');
      // The additional column of the copy is mapped to no field.
      expect((await check(copy)).opened.mapping).toEqual(['id', 'title', 'status', null]);
    },
  );

  it('changes the items of its valid rows, and lists bad cells with row and column, also in a copy with errors', async () => {
    const path = join(desk.dir, 'mixed.csv');
    await save(path, [
      ['ID', 'Title', 'Tags', 'Status', 'Publish on', 'Notes'],
      [`m:${ids[2]}`, 'New title', 'old|new', 'scheduled', '2035-07-01T09:00', 'ignored'],
      [`${ids[3]}`, '', '<clear>', '', '', ''],
      [`m:${ids[1]}`, '', '', 'draft', '', ''],
      [`m:${ids[4]}`, 'Good title', '', 'public', '1/7/2035', ''],
      ['m:999999999', 'Nobody', '', '', '', ''],
      ['m:../../users', 'Nobody', '', '', '', ''],
      ['', 'No id', '', '', '', ''],
    ]);
    const { opened, checked, problems } = await check(path);
    expect(opened.mapping).toEqual(['id', 'title', 'tags', 'status', 'publishOn', null]);
    expect(checked).toMatchObject({ rows: 7, changed: 3, badRows: 4, problems: 4 });
    expect(problems.map(({ row, column, header, error }) => [row, column, header, error.code])).toEqual([
      [5, 4, 'Status', 'manifest.status-unknown'],
      [6, 1, 'ID', 'manifest.item-unknown'],
      [7, 1, 'ID', 'manifest.item-unknown'],
      [8, 1, 'ID', 'manifest.id-missing'],
    ]);
    const copy = join(desk.dir, 'mixed with errors.csv');
    await desk.engine.call('manifest.saveErrors', { manifestId: opened.manifestId, path: copy });
    const copied = await cellsOf(copy);
    expect(copied[0]).toEqual(['ID', 'Title', 'Tags', 'Status', 'Publish on', 'Notes', 'error']);
    expect(copied[1]?.at(-1)).toBe('');
    expect(copied[4]?.at(-1)).toMatch(/^Status: The status must be/);
    // The copy can be imported again: its column “error” is mapped to no field.
    expect((await check(copy)).opened.mapping.at(-1)).toBeNull();

    const group = await apply(checked.planId);
    expect(await desk.engine.call('edits.group', { groupId: group?.id ?? '' })).toMatchObject({
      counts: { done: 3 },
    });
    expect((await client.get(`/api2/media/${ids[2]}`)).body).toMatchObject({
      title: 'New title',
      status: 'scheduled',
    });
    const tags = (await client.get(`/api2/media/${ids[2]}`)).body.tags as string[];
    expect([...tags].sort()).toEqual(['new', 'old']);
    expect((await client.get(`/api2/media/${ids[3]}`)).body.tags).toEqual([]);
    expect((await client.get(`/api2/media/${ids[1]}`)).body.status).toBe('draft');
    expect((await client.get(`/api2/media/${ids[4]}`)).body.title).not.toBe('Good title');
  });

  it('contains values that were edited on this computer and are not sent yet', async () => {
    const { engine, siteId } = desk;
    const id = ids[5] ?? '';
    await service.control('PATCH', '/settings', { read_only: true });
    const change = { byline: { kind: 'set' as const, value: 'Not sent' } };
    await engine.call('edits.apply', { selection: { siteId, ids: [id] }, change, label: '' });
    const rows = await cellsOf(await exportTo('pending.csv'));
    expect(rows.find(([cell]) => cell === `m:${id}`)?.[2]).toBe('Not sent');
    expect((await client.get(`/api2/media/${id}`)).body.byline ?? '').toBe('');
    await service.control('PATCH', '/settings', { read_only: false });
    await engine.call('edits.retry', { groupId: null, filter: 'pending' });
    await expect
      .poll(async () => (await client.get(`/api2/media/${id}`)).body.byline, { timeout: 60_000 })
      .toBe('Not sent');
  });

  it('is saved only to an absolute path in an existing folder, with the extension of its format', async () => {
    const { engine, siteId } = desk;
    const input = { selection: selection(), format: 'csv' as const, protects: true, timeZone: ZONE };
    for (const path of [join(desk.dir, 'x.sh'), 'relative.csv', join(desk.dir, 'x.xlsx')]) {
      await expect(engine.call('manifest.export', { ...input, path })).rejects.toMatchObject({
        code: 'input.invalid',
      });
    }
    const missing = join(desk.dir, 'no folder', 'x.csv');
    await expect(engine.call('manifest.export', { ...input, path: missing })).rejects.toMatchObject({
      code: 'manifest.not-saved',
    });
    await expect(stat(join(desk.dir, 'x.sh'))).rejects.toThrow();
    await expect(
      engine.call('manifest.check', { manifestId: 'x', siteId, mapping: [], timeZone: ZONE }),
    ).rejects.toMatchObject({
      code: 'manifest.over',
    });
  });

  it('is refused when its columns are mapped without the id, without any other field, or with one field twice', async () => {
    const path = await exportTo('mapping.csv');
    const { manifestId, headers } = await desk.engine.call('manifest.open', {
      path,
      encoding: null,
      separator: null,
    });
    const base = headers.map(() => null);
    for (const [first, second, code] of [
      [null, 'title', 'manifest.no-id'],
      ['id', null, 'manifest.no-fields'],
      ['id', 'id', 'manifest.column-twice'],
    ] as const) {
      const mapping = [first, second, ...base.slice(2)];
      const call = desk.engine.call('manifest.check', { manifestId, siteId: desk.siteId, mapping, timeZone: ZONE });
      await expect(call).rejects.toMatchObject({ code });
    }
  });
});
