// Every field of an item on its way through the program: a field that one of these places forgets fails here. `ITEM_FIELD` lists
// the fields, so that a new one is tested without a change of this file.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { valuesSumOf } from '../../../electron/engine/library/items/restored-item.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import { batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import { ITEM_FIELD, ITEM_FIELDS, type ItemField, type ItemFields, noItemFields } from '../../../shared/item/fields.ts';
import { jsonDetails } from '../../../shared/model/details/details-fields.ts';
import { changeTo } from '../../../shared/model/edits/bulk-change.ts';
import { fingerprintOf } from '../../../shared/model/edits/canonical.ts';
import { editableOf } from '../../../shared/model/edits/edit-ops.ts';
import { changesSince, deletionOf } from '../../../shared/model/edits/seen-item.ts';
import { HEADERS } from '../../../shared/model/manifest/fields.ts';
import { deskTest } from '../../helpers/engine/desk.ts';
import {
  edit,
  editDuringMaintenance,
  endMaintenance,
  itemOf,
  rowsOf,
  whenTotals,
} from '../../helpers/engine/edit-steps.ts';
import { MirrorDesk, SITE } from '../../helpers/engine/mirror-desk.ts';
import {
  rulesFor,
  startStation,
  sweepNow,
  WITHOUT_EVENTS,
  watchFolder,
  whenCounted,
} from '../../helpers/engine/watch-desk.ts';
import { sound } from '../../torture/engine/story-files.ts';

const it = deskTest();
it.override({ settings: { processing: { outcome: 'complete' } } });

const ZONE = 'UTC';

/** A value of a field that contains a word. */
function valueWith<Field extends ItemField>(field: Field, word: string): ItemFields[Field] {
  const values = { line: word, html: `<p>${word}</p>`, tags: [word] };
  return values[ITEM_FIELD[field].kind] as ItemFields[Field];
}

/** A value of each field, with a word of its own. */
function valuesWith(prefix: string): ItemFields {
  return Object.assign(
    noItemFields(),
    ...ITEM_FIELDS.map((field) => ({ [field]: valueWith(field, `${prefix}${field}`) })),
  );
}

const CREATED = valuesWith('created');
const CHANGED = valuesWith('changed');
/** The values as a spreadsheet writes them. */
const cellOf = (field: ItemField, values: ItemFields) => {
  const value = values[field];
  return typeof value === 'string' ? value : value.join('|');
};

describe('every field of an item', () => {
  it('is sent with an upload, is shown in its receipt and search, and is in the library', async ({ desk, client }) => {
    const path = desk.put('talk.bin');
    await desk.engine.call('uploads.add', {
      siteId: desk.siteId,
      collectionId: desk.collectionId,
      paths: [path],
      addsOthers: true,
      files: [{ path, fields: CREATED }],
      defaults: batchDefaultsSchema.parse({}),
    });
    const details = await desk.engine.call('uploads.details', { ids: [(await desk.row('talk.bin')).id] });
    expect(details[0]?.fields).toEqual(CREATED);
    await desk.run();
    const { mediaId } = await desk.row('talk.bin');
    expect(await itemOf(client, mediaId ?? '')).toMatchObject(CREATED);
    for (const field of ITEM_FIELDS) {
      const { body } = await client.get(`/api2/media?search=created${field}`);
      expect({ field, found: body.items.map(({ id }: MediaItem) => id) }).toEqual({ field, found: [mediaId] });
    }
    const inReceipts = await desk.engine.call('receipts.search', { text: CREATED.title, limit: 10, offset: 0 });
    expect(inReceipts.rows.map(({ line }) => line.title)).toEqual([CREATED.title]);
  });

  it('is edited, also while the library can’t be changed, and is shown meanwhile', async ({ desk, client }) => {
    const path = await client.createItem(CREATED.title, { ...CREATED, collection_id: desk.collectionId });
    const id = path.split('/').at(-1) ?? '';
    await editDuringMaintenance(desk, [id], changeTo(CHANGED));
    const shown = await desk.engine.call('library.media', { siteId: desk.siteId, mediaId: id });
    expect(shown.item).toMatchObject(CHANGED);
    expect(await itemOf(client, id)).toMatchObject(CREATED);
    const row = (await rowsOf(desk, null)).find(({ entityId }) => entityId === id);
    expect(row?.changes.map(({ field }) => field).sort()).toEqual([...ITEM_FIELDS].sort());
    await endMaintenance(desk);
    await desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });
    await whenTotals(desk, ({ pending }) => pending === 0);
    expect(await itemOf(client, id)).toMatchObject(CHANGED);
  });

  it('is restored with an item that someone else deleted', async ({ desk, client }) => {
    const path = await client.createItem(CREATED.title, { ...CREATED, collection_id: desk.collectionId });
    const id = path.split('/').at(-1) ?? '';
    await edit(desk, [id], changeTo(CHANGED), () => client.delete(path));
    await desk.engine.whenEditsIdle();
    const [refused] = await rowsOf(desk, null, 'refused');
    const { collectionId } = desk;
    const restored = await desk.engine.call('edits.restoreAsNew', { rowId: refused?.id ?? '', collectionId });
    expect(await itemOf(client, restored.id)).toMatchObject(CHANGED);
  });

  it('is exported to a spreadsheet, and changed by an import of it', async ({ desk, client }) => {
    const created = await client.createItem(CREATED.title, { ...CREATED, collection_id: desk.collectionId });
    const id = created.split('/').at(-1) ?? '';
    const { engine, siteId } = desk;
    const path = join(desk.dir, 'items.csv');
    const selection = { siteId, ids: [id] };
    await engine.call('manifest.export', { selection, path, format: 'csv', protects: true, timeZone: ZONE });
    let csv = await readFile(path, 'utf8');
    for (const field of ITEM_FIELDS) {
      expect(csv.split(/\r?\n/)[0]?.split(',')).toContain(HEADERS[field]);
      expect(csv).toContain(cellOf(field, CREATED));
      csv = csv.replace(cellOf(field, CREATED), cellOf(field, CHANGED));
    }
    await writeFile(path, csv);
    const { manifestId, mapping } = await engine.call('manifest.open', { path, encoding: null, separator: null });
    const checked = await engine.call('manifest.check', { manifestId, siteId, mapping, timeZone: ZONE });
    await engine.call('edits.apply', { planId: checked.planId, except: [], label: '' });
    await engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject(CHANGED);
  });

  it('is built by a template', async ({ desk, client }) => {
    const id = (await client.createItem('Talk', { collection_id: desk.collectionId })).split('/').at(-1) ?? '';
    const fields = Object.fromEntries(ITEM_FIELDS.map((field) => [field, `{name} ${field}`]));
    await edit(desk, [id], { recipe: { from: 'title', pattern: '{name}', fields, hasUnderscores: false } });
    await desk.engine.whenEditsIdle();
    const built = await itemOf(client, id);
    for (const field of ITEM_FIELDS) expect(JSON.stringify(built[field])).toContain(`Talk ${field}`);
  });

  it('is in this computer’s copy of the library, and found there by its words', async () => {
    const mirror = await MirrorDesk.open();
    const id = mirror.library.add(CREATED.title, { ...CREATED, description_plain: null });
    mirror.library.add('another');
    await mirror.pass();
    expect(mirror.mirrors.items(SITE, [id]).get(id)).toMatchObject(CREATED);
    const found = (word: string) =>
      mirror.mirrors.window(mirror.query({ search: word }), 0, 10)?.rows.map((row) => row.id);
    for (const field of ITEM_FIELDS) expect({ field, ids: found(`created${field}`) }).toEqual({ field, ids: [id] });
    mirror.mirrors.setOverlay(SITE, id, CHANGED);
    for (const field of ITEM_FIELDS) expect({ field, ids: found(`changed${field}`) }).toEqual({ field, ids: [id] });
  });

  it('is read from a file beside a recording', () => {
    const details = jsonDetails(JSON.stringify(CREATED));
    expect(details).toEqual({ kind: 'details', fields: CREATED });
  });

  it('has an option in the command that fills fields, and in the one that edits items', () => {
    const optionsOf = (name: string) => Object.keys(COMMANDS.find((command) => command.name === name)?.options ?? {});
    for (const field of ITEM_FIELDS) {
      expect(optionsOf('describe')).toContain(field);
      expect(optionsOf('edit').some((option) => option === field || option === `set-${field}`)).toBe(true);
    }
  });

  it('makes an item another one: a deletion asks, and two creations are distinguished', async ({ desk, client }) => {
    const path = await client.createItem(CREATED.title, { ...CREATED, collection_id: desk.collectionId });
    const item = (
      await desk.engine.call('library.media', { siteId: desk.siteId, mediaId: path.split('/').at(-1) ?? '' })
    ).item;
    const before = editableOf(item);
    for (const field of ITEM_FIELDS) {
      const after = { ...before, [field]: CHANGED[field] };
      expect({ field, isSame: fingerprintOf(after) === fingerprintOf(before) }).toEqual({ field, isSame: false });
      const { saw } = deletionOf(before);
      expect(saw && changesSince(saw, after).map((difference) => difference.field)).toEqual([field]);
      if (field === 'title') continue;
      expect(valuesSumOf({ ...item, [field]: CHANGED[field] })).not.toBe(valuesSumOf(item));
    }
  });
});

describe('every field of a recording in a watched folder', () => {
  it.override({ speed: 200, host: WITHOUT_EVENTS });

  it('is read from its row in a manifest, also from a row that arrives after its upload', async ({ desk, client }) => {
    const header = ['file', ...ITEM_FIELDS.map((field) => HEADERS[field])];
    const rowOf = (name: string, values: ItemFields) => [name, ...ITEM_FIELDS.map((field) => cellOf(field, values))];
    const putManifest = (...rows: string[][]) =>
      desk.put('in/manifest.csv', [header, ...rows].map((cells) => `${cells.join(';')}\n`).join(''));
    startStation(desk);
    desk.put('in/described.wav', sound(20_000));
    desk.put('in/late.wav', sound(30_000));
    putManifest(rowOf('described.wav', CREATED));
    const { id } = await watchFolder(desk, join(desk.dir, 'in'), rulesFor(desk, { settings: { manifest: true } }));
    await whenCounted(desk, 'done', 2);
    const hasValues = async (name: string, values: ItemFields) => {
      const { mediaId } = await desk.row(name);
      await expect.poll(() => itemOf(client, mediaId ?? ''), { timeout: 60_000 }).toMatchObject(values);
    };
    await hasValues('described.wav', CREATED);
    putManifest(rowOf('described.wav', CREATED), rowOf('late.wav', CHANGED));
    await sweepNow(desk, id);
    await hasValues('late.wav', CHANGED);
  });
});
