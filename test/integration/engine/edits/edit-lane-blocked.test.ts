import { describe, expect } from 'vitest';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { Desk, deskTest } from '../../../helpers/engine/desk.ts';
import {
  edit,
  editDuringMaintenance,
  endMaintenance,
  itemOf,
  makeItem,
  rowsOf,
  title,
  whenGroup,
  whenTotals,
} from '../../../helpers/engine/edit-steps.ts';
import { signInEngine } from '../../../helpers/engine/engine-host.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { idsOf } from '../../../helpers/service/service-people.ts';

const it = deskTest();

const PATH = /^\/api2\/media\/\d+$/;

describe('a library that can’t be changed now', () => {
  it.override({ speed: 20 });

  it('makes edits wait with the reason during maintenance, and sends them afterwards', async ({ desk, client }) => {
    const ids = [
      await makeItem(client, desk, 'a'),
      await makeItem(client, desk, 'b'),
      await makeItem(client, desk, 'c'),
    ];
    const [groupId = ''] = await editDuringMaintenance(desk, ids, title('After'));
    expect(await desk.engine.call('edits.group', { groupId })).toMatchObject({
      counts: { pending: 3, done: 0 },
      waitsFor: { code: 'api.read-only' },
    });
    await endMaintenance(desk);
    await whenGroup(desk, groupId, ({ counts }) => counts.done === 3);
    for (const id of ids) expect((await itemOf(client, id)).title).toBe('After');
  });

  it('makes edits wait with the reason while a proxy answers for the library, and sends them afterwards', async ({
    desk,
    client,
    service,
  }) => {
    const ids = [await makeItem(client, desk, 'a'), await makeItem(client, desk, 'b')];
    const groupId = await edit(desk, ids, title('After'), () =>
      service.control('POST', '/faults', { path: '^/api2/', times: null, action: { kind: 'status', status: 502 } }),
    );
    await whenGroup(desk, groupId, ({ waitsFor }) => waitsFor?.code === 'network.gateway');
    expect((await rowsOf(desk, groupId)).map(({ attempts }) => attempts)).toEqual([0, 0]);
    await service.control('DELETE', '/faults');
    await whenGroup(desk, groupId, ({ counts, waitsFor }) => counts.done === 2 && waitsFor === null);
    for (const id of ids) expect((await itemOf(client, id)).title).toBe('After');
  });

  it('keeps a single edit while the library can’t be reached, shows it, and sends it later', async ({
    desk,
    service,
    client,
  }) => {
    const id = await makeItem(client, desk);
    const { siteId, engine } = desk;
    await engine.call('library.media', { siteId, mediaId: id });
    await service.kill9();
    const patch = { title: 'Offline', tags: ['x'] };
    const detail = await engine.call('library.updateMedia', { siteId, mediaId: id, patch });
    expect(detail).toMatchObject({ isPending: true, item: { title: 'Offline', tags: ['x'] } });
    expect(detail.pendingReason?.code).toMatch(/^network\./);
    const again = await engine.call('library.updateMedia', { siteId, mediaId: id, patch: { title: 'Offline twice' } });
    expect(again).toMatchObject({ isPending: true, item: { title: 'Offline twice', tags: ['x'] } });
    expect(await rowsOf(desk, null, 'pending')).toHaveLength(2);
    await service.restart();
    await whenTotals(desk, ({ pending }) => pending === 0);
    const fresh = await clientFor(service);
    expect(await itemOf(fresh, id)).toMatchObject({ title: 'Offline twice', tags: ['x'] });
    expect(await requestsOf(service, 'POST', PATH)).toHaveLength(1);
  });

  it('deletes an item once when the user deletes it again while its deletion waits', async ({
    desk,
    service,
    client,
  }) => {
    const id = await makeItem(client, desk);
    const item = { siteId: desk.siteId, mediaId: id };
    await desk.engine.call('library.media', item);
    await service.kill9();
    await desk.engine.call('library.deleteMedia', item);
    await desk.engine.call('library.deleteMedia', item);
    expect(await rowsOf(desk, null, 'pending')).toHaveLength(1);
    await service.restart();
    await whenTotals(desk, ({ pending }) => pending === 0);
    expect((await (await clientFor(service)).get(`/api2/media/${id}`)).status).toBe(404);
    expect(await requestsOf(service, 'DELETE', PATH)).toHaveLength(1);
  });

  it('sends edits of an earlier process after a restart only when the lane is started', async ({ desk, client }) => {
    const id = await makeItem(client, desk);
    const [groupId = ''] = await editDuringMaintenance(desk, [id], title('After'));
    await desk.reopen();
    await endMaintenance(desk);
    expect(await rowsOf(desk, groupId)).toMatchObject([{ state: 'pending' }]);
    expect((await itemOf(client, id)).title).toBe('Talk');
    desk.engine.startEdits();
    await whenGroup(desk, groupId, ({ counts }) => counts.done === 1);
    expect((await itemOf(client, id)).title).toBe('After');
  });
});

it('an expired sign-in keeps the edits with that reason, and they are sent after a new sign-in', async ({
  desk,
  service,
  client,
}) => {
  const id = await makeItem(client, desk);
  const groupId = await edit(desk, [id], title('After'), async () => {
    const expired = { status: 401, body: { message: 'Bad credentials.' } };
    await service.control('POST', '/faults', {
      path: '^/api2/media',
      times: null,
      action: { kind: 'status', ...expired },
    });
    const revoked = { kind: 'status', status: 400, body: { error: 'invalid_grant' } };
    await service.control('POST', '/faults', { path: '^/api2/oauth/access_token', times: null, action: revoked });
  });
  await desk.engine.whenEditsIdle();
  expect(await desk.engine.call('edits.group', { groupId })).toMatchObject({
    counts: { pending: 1 },
    waitsFor: { code: 'sign-in.required', nextStep: expect.any(String) },
  });
  await service.control('DELETE', '/faults');
  await signInEngine(desk.engine, service);
  await whenGroup(desk, groupId, ({ counts }) => counts.done === 1);
  expect((await itemOf(client, id)).title).toBe('After');
});

describe('an edit that the library does not apply', () => {
  it('is refused by the rule for own items when the item was published since, and is dropped by a deletion', async ({
    service,
  }) => {
    const email_address = 'producer@library.example';
    await using desk = await Desk.open({ ...service, admin: { ...service.admin, email_address } });
    const [producer, admin] = [await clientFor(service, 'producer'), await clientFor(service)];
    const id = (await producer.createItem('Own')).split('/').at(-1) ?? '';
    const first = await edit(desk, [id], title('Within the time'));
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, first)).toMatchObject([{ state: 'done' }]);
    const second = await edit(desk, [id], { byline: { kind: 'set', value: 'Ada' } }, () =>
      admin.post(`/api2/media/${id}/publish`, {}),
    );
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, second)).toMatchObject([
      { state: 'refused', error: { code: 'edit.window-over', nextStep: expect.any(String) } },
    ]);
    await admin.post(`/api2/media/${id}/unpublish`, {});
    await expect(desk.engine.call('library.deleteMedia', { siteId: desk.siteId, mediaId: id })).rejects.toMatchObject({
      code: 'api.forbidden',
      details: { method: 'DELETE' },
    });
    // The refused edit is no longer open, and the refused deletion leaves no open edit.
    expect(await rowsOf(desk, second)).toMatchObject([{ state: 'dropped', error: { code: 'edit.window-over' } }]);
    const { totals } = await desk.engine.call('edits.groups', { siteId: null, isOpen: true, offset: 0, limit: 1 });
    expect(totals).toEqual({ pending: 0, held: 0, conflict: 0, refused: 0 });
  });

  it('is refused with the missing permission when the right was revoked between the edit and its sending', async ({
    service,
  }) => {
    const admin = await clientFor(service);
    const email_address = 'editor@library.example';
    await using desk = await Desk.open({ ...service, admin: { ...service.admin, email_address } });
    const id = await makeItem(admin, desk);
    await admin.post(`/api2/media/${id}/publish`, {});
    const first = await edit(desk, [id], title('With the right'));
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, first)).toMatchObject([{ state: 'done' }]);
    const [second = ''] = await editDuringMaintenance(desk, [id], title('Without the right'));
    await desk.reopen();
    await endMaintenance(desk);
    const { body } = await admin.get('/api2/roles');
    const roleOf = (name: string) => body.items.find((role: { display_name: string }) => role.display_name === name).id;
    const giveRole = (membership: string, name: string) =>
      admin.post(`/api2/memberships/${membership}`, { role_id: roleOf(name) });
    const [membership = ''] = await idsOf(admin, '/api2/memberships', { role_id: roleOf('Editor') });
    expect((await giveRole(membership, 'Viewer')).status).toBe(200);
    try {
      desk.engine.startEdits();
      await whenGroup(desk, second, ({ counts }) => counts.pending === 0);
      expect(await rowsOf(desk, second)).toMatchObject([
        { state: 'refused', error: { code: 'edit.needs-update', details: { permission: 'media-update' } } },
      ]);
      expect((await itemOf(admin, id)).title).toBe('With the right');
    } finally {
      await giveRole(membership, 'Editor');
    }
  });

  it('is refused when the library answers 422, and is sent by a retry when the cause no longer exists', async ({
    desk,
    service,
    client,
  }) => {
    const ids = [await makeItem(client, desk), await makeItem(client, desk)];
    await service.control('POST', '/faults', {
      method: 'POST',
      path: `/api2/media/${ids[0]}`,
      times: 1,
      action: {
        kind: 'status',
        status: 422,
        body: { message: 'No.', errors: [{ field: 'title', message: 'is odd' }] },
      },
    });
    const groupId = await edit(desk, ids, title('After'));
    await desk.engine.whenEditsIdle();
    const [refused] = await rowsOf(desk, groupId, 'refused');
    expect(refused).toMatchObject({ entityId: ids[0], error: { code: 'api.invalid', details: { status: 422 } } });
    expect(await desk.engine.call('edits.retry', { groupId, filter: 'refused' })).toEqual({ changed: 1 });
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, groupId, 'done')).toHaveLength(2);
  });

  it('is refused as not applied when the library accepts the change and keeps the old value', async ({
    desk,
    service,
    client,
  }) => {
    const id = await makeItem(client, desk);
    await service.control('POST', '/faults', {
      method: 'POST',
      path: `/api2/media/${id}`,
      times: 1,
      action: { kind: 'status', status: 200, body: {} },
    });
    const groupId = await edit(desk, [id], title('After'));
    await desk.engine.whenEditsIdle();
    expect(await rowsOf(desk, groupId)).toMatchObject([{ state: 'refused', error: { code: 'edit.not-applied' } }]);
  });
});

describe('an edit that waits for a slow request of an earlier edit', () => {
  it.override({ speed: 20 });

  it('replaces the value of the earlier edit without a question', async ({ desk, service, client }) => {
    const id = await makeItem(client, desk);
    const at = (year: number): BulkChange => ({ publication: { kind: 'at', at: `${year}-01-01T00:00:00Z` } });
    const groupIds = await editDuringMaintenance(desk, [id], { ...title('After'), ...at(2035) }, at(2036));
    // Longer than a value counts as just read, so the publish time is read and compared again before it is sent.
    const action = { kind: 'delay', ms: 600 };
    await service.control('POST', '/faults', { method: 'POST', path: `^/api2/media/${id}$`, times: 1, action });
    await endMaintenance(desk);
    for (const groupId of groupIds) await whenGroup(desk, groupId, ({ counts }) => counts.pending === 0);
    expect(await rowsOf(desk, groupIds[1] ?? '')).toMatchObject([{ state: 'done', error: null }]);
    expect(await itemOf(client, id)).toMatchObject({ title: 'After', publish_on: '2036-01-01T00:00:00Z' });
  });
});
