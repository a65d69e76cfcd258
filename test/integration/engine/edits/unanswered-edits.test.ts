// Edits whose request got no answer, and which are undone or dropped before the item could be read: they may have taken effect.
import { describe, expect } from 'vitest';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { edit, itemOf, makeItem, rowsOf, title, whenEdits } from '../../../helpers/engine/edit-steps.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

const FAILED = { kind: 'status', status: 500, body: {} } as const;

/**
 * Stores a change whose result stays unknown, because the two reads after its request fail. `isApplied`: whether the library made
 * the change. Returns the id of its group.
 */
async function editWithoutAnswer(desk: Desk, id: string, change: BulkChange, isApplied = true): Promise<string> {
  const path = `^/api2/media/${id}`;
  const action = isApplied ? { kind: 'lose-reply' } : FAILED;
  const groupId = await edit(desk, [id], change, async () => {
    await desk.service.control('POST', '/faults', { method: 'POST', path, times: 1, action });
    await desk.service.control('POST', '/faults', { method: 'GET', path, nth: 2, times: 2, action: FAILED });
  });
  await whenEdits(desk, async () => (await rowsOf(desk, groupId, 'open')).some(({ error }) => error !== null));
  return groupId;
}

const retryAll = (desk: Desk) => desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });

const CHANGES: readonly [string, BulkChange, object][] = [
  ['title', title('Mine'), { title: 'Talk' }],
  ['tag', { tags: { kind: 'change', add: ['x'], remove: [] } }, { tags: [] }],
  ['publication', { publication: { kind: 'now' } }, { status: 'draft' }],
  ['publish time', { publication: { kind: 'at', at: '2035-01-01T00:00:00Z' } }, { status: 'draft' }],
];

describe('an undo of an edit whose request got no answer', () => {
  it.for(CHANGES)('restores the %s that the library had', async ([, change, before], { desk, service }) => {
    const client = await clientFor(service);
    const id = await makeItem(client, desk);
    const groupId = await editWithoutAnswer(desk, id, change);
    expect(await itemOf(client, id)).not.toMatchObject(before);
    const undo = await desk.engine.call('edits.undo', { groupId });
    expect(undo).toMatchObject({ dropped: 0, restoring: 1 });
    await desk.engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject(before);
    expect(await rowsOf(desk, undo.group?.id ?? '')).toMatchObject([{ state: 'done' }]);
  });

  it('changes nothing when the library never received the edit', async ({ desk, service }) => {
    const client = await clientFor(service);
    const id = await makeItem(client, desk);
    const groupId = await editWithoutAnswer(desk, id, title('Mine'), false);
    const { modified_on: before } = await itemOf(client, id);
    const undo = await desk.engine.call('edits.undo', { groupId });
    await desk.engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject({ title: 'Talk', modified_on: before });
    expect(await rowsOf(desk, undo.group?.id ?? '')).toMatchObject([{ state: 'done' }]);
  });
});

describe('an edit that the user drops after a request without an answer', () => {
  it('is reported as possibly applied, and the list soon shows the library’s values', async ({ desk, service }) => {
    const client = await clientFor(service);
    const id = await makeItem(client, desk);
    const { engine, siteId } = desk;
    await engine.call('library.syncNow', { siteId });
    const groupId = await editWithoutAnswer(desk, id, title('Mine'));
    await engine.call('edits.drop', { groupId, filter: 'open' });
    expect(await rowsOf(desk, groupId)).toMatchObject([
      { state: 'dropped', error: { code: 'edit.dropped-unanswered' } },
    ]);
    const filter = { siteId, collectionId: desk.collectionId, search: '', type: null, status: null } as const;
    const query = { ...filter, sort: 'created_on', order: 'asc' } as const;
    const listed = () => engine.call('library.mediaWindow', { query, offset: 0, limit: 10 });
    await expect.poll(listed, { timeout: 60_000 }).toMatchObject({ rows: [{ title: 'Mine' }] });
  });
});

describe('an edit of a value that the library may have from a dropped edit', () => {
  it.for([
    ['another value, which was set before the drop', true, 'Later'],
    ['another value, which is set after the drop', false, 'Later'],
    ['the dropped value, which is set again', false, 'Mine'],
  ] as const)('causes no question: %s', async ([, isBefore, value], { desk, service }) => {
    const client = await clientFor(service);
    const id = await makeItem(client, desk);
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    const groupId = await editWithoutAnswer(desk, id, title('Mine'));
    const add = () => edit(desk, [id], title(value));
    const before = isBefore ? await add() : null;
    expect(await desk.engine.call('edits.drop', { groupId, filter: 'open' })).toEqual({ changed: 1 });
    const next = before ?? (await add());
    await retryAll(desk);
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, next)).toMatchObject([{ state: 'done' }]);
    expect((await itemOf(client, id)).title).toBe(value);
    await desk.engine.call('edits.undo', { groupId: next });
    await desk.engine.whenEditsIdle();
    expect((await itemOf(client, id)).title).not.toBe(value);
  });
});
