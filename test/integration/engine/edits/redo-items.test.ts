// Redo of edits of items: title, tags and publication, before and after they were sent.
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
  whenTotals,
} from '../../../helpers/engine/edit-steps.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

const CHANGE: BulkChange = {
  ...title('Second'),
  tags: { kind: 'change', add: ['new'], remove: [] },
  publication: { kind: 'at', at: '2035-01-01T00:00:00Z' },
};
const BEFORE = { title: 'Talk', tags: [], status: 'draft' };
const AFTER = { title: 'Second', tags: ['new'], status: 'scheduled', publish_on: '2035-01-01T00:00:00Z' };

describe('a redo of an edit of an item', () => {
  it('writes title, tags and publication again after an undo that was sent, and can be undone', async ({
    desk,
    service,
  }) => {
    const client = await clientFor(service);
    const id = await makeItem(client, desk);
    const { engine } = desk;
    const groupId = await edit(desk, [id], CHANGE);
    await engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject(AFTER);
    await engine.call('edits.undo', { groupId });
    await engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject(BEFORE);
    const { group, redoing } = await engine.call('edits.redo', { groupId });
    expect(redoing).toBe(1);
    await engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject(AFTER);
    await expect(engine.call('edits.redo', { groupId })).rejects.toMatchObject({ code: 'edit.cant-redo' });
    await engine.call('edits.undo', { groupId: group?.id ?? '' });
    await engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject(BEFORE);
  });

  it('makes an edit again that was undone before it was sent, and sends it once', async ({ desk, service }) => {
    const client = await clientFor(service);
    const id = await makeItem(client, desk);
    const [groupId = ''] = await editDuringMaintenance(desk, [id], CHANGE);
    expect(await desk.engine.call('edits.undo', { groupId })).toMatchObject({ dropped: 1, group: null });
    expect(await desk.engine.call('edits.redo', { groupId })).toMatchObject({ redoing: 1 });
    await endMaintenance(desk);
    await desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });
    await whenTotals(desk, ({ pending }) => pending === 0);
    expect(await itemOf(client, id)).toMatchObject(AFTER);
    const writes = await requestsOf(service, 'POST', new RegExp(`^/api2/media/${id}$`));
    expect(writes.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('a refused edit', () => {
  it('is sent again with another text, and the refused text stays in the history', async ({ desk, service }) => {
    const client = await clientFor(service);
    const id = await makeItem(client, desk);
    const action = { kind: 'status', status: 422, body: { message: 'No.' } };
    await service.control('POST', '/faults', { method: 'POST', path: `/api2/media/${id}`, times: 1, action });
    const groupId = await edit(desk, [id], { ...title('Bad'), byline: { kind: 'set', value: 'Ada' } });
    await desk.engine.whenEditsIdle();
    const [row] = await rowsOf(desk, groupId, 'refused');
    const list = { siteId: null, isOpen: false, offset: 0, limit: 1 };
    const sent = async () => (await desk.engine.call('edits.groups', list)).sent;
    const sentBefore = await sent();
    const revise = (values: { title?: string; slug?: string }) =>
      desk.engine.call('edits.revise', { rowId: row?.id ?? '', values });
    await expect(revise({ title: ' ' })).rejects.toMatchObject({ code: 'edit.title-empty' });
    expect(await revise({ slug: 'x' })).toEqual({ changed: 0 });
    expect(await revise({ title: 'Good' })).toEqual({ changed: 1 });
    await desk.engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject({ title: 'Good', byline: 'Ada' });
    const [done] = await rowsOf(desk, groupId, 'done');
    expect(done?.changes.find(({ field }) => field === 'title')).toMatchObject({ after: 'Good', lost: ['Bad'] });
    // The edit is no longer refused, so its values can't be revised.
    expect(await revise({ title: 'Late' })).toEqual({ changed: 0 });
    expect(await sent()).toBe(sentBefore + 1);
  });
});

describe('an item of a list', () => {
  it('shows whether its edits wait, need a decision or were refused', async ({ desk, service }) => {
    const client = await clientFor(service);
    const { engine, siteId } = desk;
    const [asking, refused, waiting] = [
      await makeItem(client, desk, 'Asking'),
      await makeItem(client, desk, 'Refused'),
      await makeItem(client, desk, 'Waiting'),
    ];
    await engine.call('library.syncNow', { siteId });
    await edit(desk, [asking], title('Mine'), () => client.post(`/api2/media/${asking}`, { title: 'Theirs' }));
    const action = { kind: 'status', status: 422, body: {} };
    await service.control('POST', '/faults', { method: 'POST', path: `/api2/media/${refused}`, times: 1, action });
    await edit(desk, [refused], title('Bad'));
    await engine.whenEditsIdle();
    await editDuringMaintenance(desk, [waiting], title('Later'));
    const query = { siteId, collectionId: desk.collectionId, search: '', type: null, status: null };
    const { rows } = await engine.call('library.mediaWindow', {
      query: { ...query, sort: 'created_on', order: 'asc' },
      offset: 0,
      limit: 10,
    } as const);
    expect(rows.map(({ pending, needs }) => ({ pending, needs }))).toEqual([
      { pending: 'edited', needs: 'decision' },
      { pending: 'edited', needs: 'retry' },
      { pending: 'edited', needs: undefined },
    ]);
  });
});
