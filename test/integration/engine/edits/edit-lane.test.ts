import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import {
  edit,
  editDuringMaintenance,
  endMaintenance,
  itemOf,
  makeItem,
  rowsOf,
  title,
  whenEdits,
  whenGroup,
  whenRequested,
} from '../../../helpers/engine/edit-steps.ts';
import { clearJournal, journalOf, requestsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

describe('an edit of a value that someone else changed', () => {
  it('causes a question and overwrites nothing, while other fields are sent', async ({ desk, client }) => {
    const id = await makeItem(client, desk);
    const both: BulkChange = { ...title('Mine'), byline: { kind: 'set', value: 'Ada' } };
    const groupId = await edit(desk, [id], both, () => client.post(`/api2/media/${id}`, { title: 'Theirs' }));
    await desk.engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject({ title: 'Theirs', byline: 'Ada' });
    const [row] = await rowsOf(desk, groupId, 'conflict');
    expect(row).toMatchObject({ state: 'conflict', error: { code: 'edit.conflict' } });
    expect(row?.changes.find(({ field }) => field === 'title')).toEqual({
      field: 'title',
      before: 'Talk',
      after: 'Mine',
      theirs: 'Theirs',
      needsDecision: true,
    });
    const { totals } = await desk.engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 10 });
    expect(totals).toEqual({ pending: 0, held: 0, conflict: 1, refused: 0 });
  });
});

it('an edit sends nothing when the library already has the value, in another Unicode form of the same text', async ({
  desk,
  service,
  client,
}) => {
  const id = await makeItem(client, desk);
  const groupId = await edit(desk, [id], title('Cafe\u0301'), () =>
    client.post(`/api2/media/${id}`, { title: 'Café' }),
  );
  await clearJournal(service);
  await desk.engine.whenEditsIdle();
  expect(await rowsOf(desk, groupId)).toMatchObject([{ state: 'done' }]);
  expect((await journalOf(service)).filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('an edit whose publish time has passed publishes nothing, and asks', async ({ desk, client }) => {
  const id = await makeItem(client, desk);
  const groupId = await edit(desk, [id], { publication: { kind: 'at', at: '2020-01-01T00:00:00Z' } });
  await desk.engine.whenEditsIdle();
  expect((await itemOf(client, id)).status).toBe('draft');
  expect(await rowsOf(desk, groupId)).toMatchObject([{ state: 'held', error: { code: 'edit.publish-time-passed' } }]);
  const choice = { kind: 'at', at: '2035-01-01T00:00:00Z' } as const;
  await desk.engine.call('edits.resolve', { rows: { groupId, filter: 'held' }, field: null, choice });
  await desk.engine.whenEditsIdle();
  expect(await itemOf(client, id)).toMatchObject({ status: 'scheduled', publish_on: '2035-01-01T00:00:00Z' });
  await desk.engine.call('edits.undo', { groupId });
  await desk.engine.whenEditsIdle();
  expect((await itemOf(client, id)).status).toBe('draft');
});

describe.each([
  ['field', '', title('After'), { title: 'After' }],
  ['tag', '/add-tags', { tags: { kind: 'change', add: ['x'], remove: [] } }, { tags: ['x'] }],
  ['publication', '/publish', { publication: { kind: 'now' } }, { status: 'published' }],
] as const)('a lost reply to the write of a %s', (_, action, change, expected) => {
  it('is resolved by reading the item, and nothing is sent twice', async ({ desk, service, client }) => {
    const id = await makeItem(client, desk);
    const path = `/api2/media/${id}${action}`;
    const fault = { method: 'POST', path, times: 1, action: { kind: 'lose-reply' } };
    await service.control('POST', '/faults', fault);
    const groupId = await edit(desk, [id], change as BulkChange);
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, groupId)).toMatchObject([{ state: 'done', attempts: 0 }]);
    expect(await itemOf(client, id)).toMatchObject(expected);
    expect(await requestsOf(service, 'POST', new RegExp(`^${path}$`))).toHaveLength(1);
    // The user's write had this effect, so an undo restores the value before it.
    await desk.engine.call('edits.undo', { groupId });
    await desk.engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject({ title: 'Talk', tags: [], status: 'draft' });
  });
});

describe('an edit that follows one whose reply was lost while the item could not be read', () => {
  const tags = (add: string[], remove: string[]): BulkChange => ({ tags: { kind: 'change', add, remove } });
  it.for([
    ['another title', title('Second'), title('Third'), { title: 'Third' }],
    ['the title that it had before', title('Second'), title('Talk'), { title: 'Talk' }],
    ['the tags that it had before', tags(['x'], []), tags([], ['x']), { tags: [] }],
  ] as const)(
    'gives the item %s, without a question',
    async ([_, first, second, expected], { desk, service, client }) => {
      const id = await makeItem(client, desk);
      const path = `^/api2/media/${id}`;
      const failed = { kind: 'status', status: 500, body: {} };
      const groupId = await edit(desk, [id], first, async () => {
        await service.control('POST', '/faults', { method: 'POST', path, times: 1, action: { kind: 'lose-reply' } });
        // The two reads after the request, which would show its result, fail.
        await service.control('POST', '/faults', { method: 'GET', path, nth: 2, times: 2, action: failed });
      });
      await whenEdits(desk, async () => (await rowsOf(desk, groupId, 'open')).some(({ error }) => error !== null));
      const next = await edit(desk, [id], second);
      await desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });
      await desk.engine.whenEditsIdle();
      expect(await rowsOf(desk, null, 'open')).toEqual([]);
      expect(await itemOf(client, id)).toMatchObject(expected);
      expect(await rowsOf(desk, next)).toMatchObject([{ state: 'done' }]);
    },
  );
});

describe('a later edit of the same value', () => {
  it.override({ speed: 20 });

  it('is sent without a question when the first edit is dropped before it was sent', async ({ desk, client }) => {
    const id = await makeItem(client, desk);
    const [first = '', next = ''] = await editDuringMaintenance(desk, [id], title('Second'), title('Third'));
    expect(await desk.engine.call('edits.drop', { groupId: first, filter: 'open' })).toEqual({ changed: 1 });
    await endMaintenance(desk);
    await desk.engine.call('edits.retry', { groupId: next, filter: 'open' });
    await whenGroup(desk, next, ({ counts }) => counts.pending === 0);
    expect(await rowsOf(desk, next)).toMatchObject([{ state: 'done' }]);
    expect((await itemOf(client, id)).title).toBe('Third');
  });

  it.for([
    ['an unpublication after a publication', { publication: { kind: 'now' } }, { publication: { kind: 'unpublish' } }],
    ['a deletion after an edit of the title', title('Second'), { delete: true }],
  ] as const)(
    'has the value that is being sent as its base: %s',
    async ([_, first, second], { desk, service, client }) => {
      const id = await makeItem(client, desk);
      const action = { kind: 'delay', ms: 1500 };
      await service.control('POST', '/faults', { method: 'POST', path: `^/api2/media/${id}`, times: 1, action });
      await edit(desk, [id], first as BulkChange);
      await whenRequested(service, 'POST', new RegExp(`^/api2/media/${id}`));
      const next = await edit(desk, [id], second as BulkChange);
      await desk.engine.whenEditsIdle();
      expect(await rowsOf(desk, next)).toMatchObject([{ state: 'done', error: null }]);
    },
  );

  it('is based on the value that a bulk edit sent', async ({ desk, client }) => {
    const id = await makeItem(client, desk);
    const { siteId, engine } = desk;
    await engine.call('library.media', { siteId, mediaId: id });
    await edit(desk, [id], title('Second'));
    await engine.whenEditsIdle();
    const third = await engine.call('library.updateMedia', { siteId, mediaId: id, patch: { title: 'Third' } });
    expect(third.item?.title).toBe('Third');
  });

  it('waits for an edit that needs a decision, also when an earlier edit is sent again', async ({
    desk,
    service,
    client,
  }) => {
    const id = await makeItem(client, desk);
    const byline = (value: string): BulkChange => ({ byline: { kind: 'set', value } });
    const failed = { kind: 'status', status: 500, body: {} };
    const fault = { method: 'POST', path: `/api2/media/${id}/publish`, times: null, action: failed };
    await service.control('POST', '/faults', fault);
    const publication = { publication: { kind: 'now' } } as const;
    const [first = '', asking = ''] = await editDuringMaintenance(desk, [id], publication, byline('Mine'));
    await endMaintenance(desk);
    await client.post(`/api2/media/${id}`, { byline: 'Theirs' });
    await desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });
    await whenGroup(desk, asking, ({ counts }) => counts.conflict === 1);
    const later = await edit(desk, [id], byline('Later'));
    expect(await rowsOf(desk, first)).toMatchObject([{ state: 'pending' }]);
    await service.control('DELETE', '/faults');
    await desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });
    await whenGroup(desk, first, ({ counts }) => counts.done === 1);
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, later)).toMatchObject([{ state: 'pending' }]);
    expect((await itemOf(client, id)).byline).toBe('Theirs');
  });
});

it('an edit that this version can’t read is never sent, and is kept until the user drops it', async ({
  desk,
  client,
}) => {
  const [id, other] = [await makeItem(client, desk), await makeItem(client, desk)];
  const [groupId = ''] = await editDuringMaintenance(desk, [id, other], title('After'));
  await desk.engine.stop();
  const database = new DatabaseSync(join(desk.profile.dir, 'queue.db'));
  database.prepare(`UPDATE edits SET ops = replace(ops, '"v":1', '"v":2'), ops_sum = NULL WHERE entity_id = ?`).run(id);
  database.close();
  await endMaintenance(desk);
  await desk.reopen();
  desk.engine.startEdits();
  await desk.engine.whenEditsIdle();
  expect(await rowsOf(desk, groupId)).toMatchObject([
    { entityId: id, state: 'refused', error: { code: 'edit.unreadable' } },
    { entityId: other, state: 'done' },
  ]);
  expect((await itemOf(client, id)).title).toBe('Talk');
  expect(await desk.engine.call('edits.retry', { groupId, filter: 'open' })).toEqual({ changed: 0 });
  expect(await desk.engine.call('edits.drop', { groupId, filter: 'open' })).toEqual({ changed: 1 });
});

it('a single edit reports a conflict with the values that its caller showed, and leaves no edit open', async ({
  desk,
  client,
}) => {
  const id = await makeItem(client, desk);
  const { siteId, engine } = desk;
  const save = (expected: { title: string }) =>
    engine.call('library.updateMedia', { siteId, mediaId: id, patch: { title: 'Mine', byline: 'Ada' }, expected });
  await client.post(`/api2/media/${id}`, { title: 'Theirs' });
  // The engine has read the new title, but the screen has not shown it.
  await engine.call('library.media', { siteId, mediaId: id });
  await expect(save({ title: 'Talk' })).rejects.toMatchObject({
    code: 'edit.conflict',
    details: { theirs: [{ kind: 'set-field', theirs: 'Theirs' }] },
  });
  expect((await itemOf(client, id)).title).toBe('Theirs');
  // No edit stays open: the caller still has the text, and got the error.
  expect(await rowsOf(desk, null, 'open')).toEqual([]);
  expect((await save({ title: 'Theirs' })).item).toMatchObject({ title: 'Mine', byline: 'Ada' });
});

it('a second edit of an item during the first one returns the item as it was read after its own request', async ({
  desk,
  client,
}) => {
  const id = await makeItem(client, desk);
  const { siteId, engine, service } = desk;
  await engine.call('library.media', { siteId, mediaId: id });
  const path = new RegExp(`^/api2/media/${id}$`);
  for (const [index, ms] of [500, 3000].entries()) {
    const fault = { method: 'POST', path: path.source, nth: index + 1, times: 1, action: { kind: 'delay', ms } };
    await service.control('POST', '/faults', fault);
  }
  await clearJournal(service);
  const first = engine.call('library.updateMedia', { siteId, mediaId: id, patch: { title: 'Mine' } });
  await whenRequested(service, 'POST', path);
  const second = engine.call('library.updateMedia', { siteId, mediaId: id, patch: { byline: 'Ada' } });
  await first;
  await whenRequested(service, 'POST', path, 2);
  // Another editor is faster than the second request, which the library delays.
  await client.post(`/api2/media/${id}`, { description: 'Theirs' });
  expect((await second).item).toMatchObject({ title: 'Mine', byline: 'Ada', description: 'Theirs' });
});
