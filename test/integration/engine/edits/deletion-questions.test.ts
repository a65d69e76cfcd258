// A deletion with an open question: edits of the user before and after it stay open, and are sent only if the item is kept.
import { describe, expect, vi } from 'vitest';
import type { EditChoice } from '../../../../shared/contract/edits.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  edit,
  editDuringMaintenance,
  endMaintenance,
  itemOf,
  makeItem,
  rowsOf,
  title,
} from '../../../helpers/engine/edit-steps.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import type { ServiceClient } from '../../../helpers/service/service-client.ts';

const it = deskTest();

/** Creates an item with an unsent edit and an unsent deletion; someone else changes the item, so the deletion asks. */
async function askedDeletion(desk: Desk, client: ServiceClient) {
  const id = await makeItem(client, desk);
  const [edited = '', deleted = ''] = await editDuringMaintenance(desk, [id], title('Mine'), { delete: true });
  await endMaintenance(desk);
  await client.post(`/api2/media/${id}/add-tags`, { tags: ['theirs'] });
  await clearJournal(desk.service);
  await desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });
  await vi.waitUntil(async () => (await stateOf(desk, deleted)) === 'conflict', 60_000);
  return { id, edited, deleted };
}

const stateOf = async (desk: Desk, groupId: string) => (await rowsOf(desk, groupId))[0]?.state;

/** Returns the requests that change the item. */
const changesOf = async ({ service }: Desk, id: string) =>
  (await journalOf(service)).filter(({ method, path }) => method !== 'GET' && path === `/api2/media/${id}`);

const answer = (desk: Desk, groupId: string, choice: EditChoice) =>
  desk.engine.call('edits.resolve', { rows: { groupId, filter: 'conflict' }, field: null, choice });

describe('while the deletion of an item waits for a decision', () => {
  it('no other edit of the item is sent, and each one shows that it waits for the decision, also after a restart', async ({
    desk,
    client,
  }) => {
    const { id, edited } = await askedDeletion(desk, client);
    const waits = [{ state: 'pending', error: { code: 'edit.waits-for-decision' } }];
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, edited)).toMatchObject(waits);
    await desk.engine.stop();
    await desk.reopen();
    desk.engine.startUploads();
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, edited)).toMatchObject(waits);
    expect(await changesOf(desk, id)).toEqual([]);
  });

  it.for([
    ['keeps the item', (desk: Desk, deleted: string) => answer(desk, deleted, { kind: 'theirs' })],
    [
      'drops the deletion',
      (desk: Desk, groupId: string) => desk.engine.call('edits.drop', { groupId, filter: 'conflict' }),
    ],
  ] as const)('the edits are sent when the user %s', async ([, act], { desk, client }) => {
    const { id, edited, deleted } = await askedDeletion(desk, client);
    await act(desk, deleted);
    await desk.engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject({ title: 'Mine', tags: ['theirs'] });
    expect([await stateOf(desk, edited), await stateOf(desk, deleted)]).toEqual(['done', 'dropped']);
  });

  it('an undo also waits, and is sent when the user keeps the item', async ({ desk, client }) => {
    const id = await makeItem(client, desk);
    const edited = await edit(desk, [id], title('Mine'));
    await desk.engine.whenEditsIdle();
    const [deleted = ''] = await editDuringMaintenance(desk, [id], { delete: true });
    await desk.engine.call('edits.undo', { groupId: edited });
    await endMaintenance(desk);
    await client.post(`/api2/media/${id}/add-tags`, { tags: ['theirs'] });
    await desk.engine.call('edits.retry', { groupId: null, filter: 'pending' });
    await vi.waitUntil(async () => (await stateOf(desk, deleted)) === 'conflict', 60_000);
    expect((await itemOf(client, id)).title).toBe('Mine');
    await answer(desk, deleted, { kind: 'theirs' });
    await desk.engine.whenEditsIdle();
    expect(await itemOf(client, id)).toMatchObject({ title: 'Talk', tags: ['theirs'] });
  });

  it('the question lists the changes of other users, and one that it did not show causes a new question', async ({
    desk,
    client,
  }) => {
    const { id, deleted } = await askedDeletion(desk, client);
    const shown = [{ field: 'tags', before: [], after: ['theirs'] }];
    expect(await rowsOf(desk, deleted)).toMatchObject([
      { error: { code: 'edit.deletion-asks' }, changes: [{ field: 'item', needsDecision: true, since: shown }] },
    ]);
    await client.post(`/api2/media/${id}`, { byline: 'Theirs' });
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    await answer(desk, deleted, { kind: 'mine' });
    await desk.engine.whenEditsIdle();
    const since = [{ field: 'byline', before: '', after: 'Theirs' }];
    expect(await rowsOf(desk, deleted)).toMatchObject([{ state: 'conflict', changes: [{ field: 'item', since }] }]);
    expect((await itemOf(client, id)).byline).toBe('Theirs');
  });

  it('only the deletion is sent when the user confirms it', async ({ desk, client }) => {
    const { id, deleted } = await askedDeletion(desk, client);
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    await answer(desk, deleted, { kind: 'mine' });
    await desk.engine.whenEditsIdle();
    expect((await client.get(`/api2/media/${id}`)).status).toBe(404);
    expect(await changesOf(desk, id)).toMatchObject([{ method: 'DELETE' }]);
  });
});
