import { expect } from 'vitest';
import type { Desk } from '../../../helpers/engine/desk.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import type { ServiceClient } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

async function makeItems(client: ServiceClient, desk: Desk, count: number, fields: Record<string, unknown> = {}) {
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const path = await client.createItem(`Talk ${n}`, { collection_id: desk.collectionId, ...fields });
    ids.push(path.split('/').at(-1) ?? '');
  }
  return ids;
}

/** Returns the requests other than GET, as `METHOD path`. */
async function writesOf(service: ServiceProcess): Promise<string[]> {
  const entries = await journalOf(service);
  return entries.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

async function valuesOf(client: ServiceClient, id: string) {
  const { body } = await client.get(`/api2/media/${id}`);
  return {
    title: body.title,
    byline: body.byline,
    description: body.description,
    tags: [...body.tags].sort(),
    status: body.status,
  };
}

it('a bulk edit sends only the changed fields, one write for each kind, and can be undone', async ({
  desk,
  service,
  client,
}) => {
  const ids = await makeItems(client, desk, 3, { tags: ['old'], byline: 'Ada' });
  const { siteId, engine } = desk;
  const before = await Promise.all(ids.map((id) => valuesOf(client, id)));
  const selection = { siteId, ids };
  const change = {
    title: { kind: 'prefix', text: '2031: ' },
    byline: { kind: 'set', value: 'Ada' },
    tags: { kind: 'change', add: ['new', 'OLD'], remove: ['none'] },
  } as const;
  const plan = await engine.call('edits.plan', {
    selection,
    change: { ...change, tags: { ...change.tags, add: [...change.tags.add], remove: [...change.tags.remove] } },
    planId: null,
    offset: 0,
    limit: 2,
  });
  expect(plan).toMatchObject({ items: 3, changed: 3, unchanged: 0, problems: 0, byField: { title: 3, tags: 3 } });
  expect(plan.current.byline).toEqual({ value: 'Ada', isMixed: false });
  expect(plan.current.title.isMixed).toBe(true);
  expect(plan.rows[0]?.changes).toEqual([
    { field: 'title', before: 'Talk 1', after: '2031: Talk 1' },
    { field: 'tags', before: ['old'], after: ['old', 'new'] },
  ]);
  await clearJournal(service);
  const { group } = await engine.call('edits.apply', { planId: plan.planId, except: [ids[2] ?? ''], label: 'Prefix' });
  expect(group).toMatchObject({ items: 2, label: 'Prefix', firstName: 'Talk 1' });
  await engine.whenEditsIdle();
  expect((await writesOf(service)).sort()).toEqual(
    ids
      .slice(0, 2)
      .flatMap((id) => [`POST /api2/media/${id}`, `POST /api2/media/${id}/add-tags`])
      .sort(),
  );
  expect(await engine.call('edits.group', { groupId: group?.id ?? '' })).toMatchObject({
    counts: { done: 2, pending: 0 },
    endedAt: expect.any(Number),
    canUndo: true,
  });
  expect(await valuesOf(client, ids[0] ?? '')).toMatchObject({ title: '2031: Talk 1', tags: ['new', 'old'] });
  expect(await valuesOf(client, ids[2] ?? '')).toEqual(before[2]);

  const undo = await engine.call('edits.undo', { groupId: group?.id ?? '' });
  expect(undo).toMatchObject({ restoring: 2, dropped: 0, notUndoable: 0 });
  expect(undo.group).toMatchObject({ change: null, fields: ['title', 'tags'] });
  await engine.whenEditsIdle();
  expect(await Promise.all(ids.map((id) => valuesOf(client, id)))).toEqual(before);
});

it('the undo of a bulk edit keeps a value that someone changed since, and reports it', async ({ desk, client }) => {
  const ids = await makeItems(client, desk, 2);
  const { siteId, engine } = desk;
  const { group } = await engine.call('edits.apply', {
    selection: { siteId, ids },
    change: { title: { kind: 'suffix', text: ' (draft)' }, byline: { kind: 'set', value: 'Ada' } },
    label: '',
  });
  await engine.whenEditsIdle();
  await client.post(`/api2/media/${ids[0]}`, { title: 'Renamed by someone' });
  const undo = await engine.call('edits.undo', { groupId: group?.id ?? '' });
  await engine.whenEditsIdle();
  expect(await valuesOf(client, ids[0] ?? '')).toMatchObject({ title: 'Renamed by someone', byline: null });
  expect(await valuesOf(client, ids[1] ?? '')).toMatchObject({ title: 'Talk 2', byline: null });
  const left = await engine.call('edits.groupRows', {
    groupId: undo.group?.id ?? '',
    filter: 'left',
    entityId: null,
    offset: 0,
    limit: 10,
  } as const);
  expect(left.rows).toMatchObject([{ entityId: ids[0], state: 'left', error: { code: 'edit.left-alone' } }]);
  expect(left.rows[0]?.changes.find(({ field }) => field === 'title')).toMatchObject({ theirs: 'Renamed by someone' });
});

it('the undo of a bulk edit leaves out items that were deleted since, and counts them', async ({ desk, client }) => {
  const ids = await makeItems(client, desk, 2);
  const { siteId, engine } = desk;
  const apply = async (change: Parameters<typeof engine.call<'edits.apply'>>[1]) => {
    const { group } = await engine.call('edits.apply', change);
    await engine.whenEditsIdle();
    return { groupId: group?.id ?? '' };
  };
  const change = { byline: { kind: 'set', value: 'Ada' } } as const;
  const both = await apply({ selection: { siteId, ids }, change, label: '' });
  const first = await apply({
    selection: { siteId, ids: ids.slice(0, 1) },
    change: { byline: { kind: 'set', value: 'Ann' } },
    label: '',
  });
  await apply({ selection: { siteId, ids: ids.slice(0, 1) }, change: { delete: true }, label: '' });
  expect(await engine.call('edits.group', first)).toMatchObject({ canUndo: false });
  await expect(engine.call('edits.undo', first)).rejects.toMatchObject({ code: 'edit.cant-undo' });
  expect(await engine.call('edits.undo', both)).toMatchObject({ restoring: 1, dropped: 0, notUndoable: 1 });
  await engine.whenEditsIdle();
  expect(await valuesOf(client, ids[1] ?? '')).toMatchObject({ byline: null });
  const { totals } = await engine.call('edits.groups', { siteId, isOpen: true, offset: 0, limit: 1 });
  expect(totals).toMatchObject({ refused: 0, conflict: 0 });
});
