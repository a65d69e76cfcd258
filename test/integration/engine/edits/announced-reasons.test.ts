import { describe, expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { edit, itemOf, makeItem, title, whenEdits, whenTotals } from '../../../helpers/engine/edit-steps.ts';
import { signInEngine } from '../../../helpers/engine/engine-host.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';

const it = deskTest();

/** Collects, by the id of a group, the error code of the announced reason why it waits for its library; null: none. */
function announcedReasons({ engine }: Desk): ReadonlyMap<string, string | null> {
  const reasons = new Map<string, string | null>();
  engine.on('onDidChangeEdits', ({ groups }) => {
    for (const { id, waitsFor } of groups) reasons.set(id, waitsFor?.code ?? null);
  });
  return reasons;
}

/** Stores an edit that is not sent until the user decides about an earlier one. Returns the id of its group. */
async function editBehindConflict(desk: Desk, client: ServiceClient): Promise<string> {
  const id = await makeItem(client, desk);
  await edit(desk, [id], title('Mine'), () => client.post(`/api2/media/${id}`, { title: 'Theirs' }));
  await desk.engine.whenEditsIdle();
  return edit(desk, [id], { byline: { kind: 'set', value: 'Ada' } });
}

describe('an edit that still waits for a decision when its library can be reached again', () => {
  it.override({ speed: 20 });

  it('is announced without the reason of the missing network', async ({ desk, service, client }) => {
    const other = await makeItem(client, desk);
    const groupId = await editBehindConflict(desk, client);
    const reasons = announcedReasons(desk);
    await edit(desk, [other], title('Offline'), () => service.kill9());
    await whenEdits(desk, async () => reasons.get(groupId)?.startsWith('network.') === true);
    await service.restart();
    await whenEdits(desk, async () => reasons.get(groupId) === null);
    await whenTotals(desk, ({ pending }) => pending === 1);
    expect((await itemOf(await clientFor(service), other)).title).toBe('Offline');
  });

  it('is announced without the reason of the missing sign-in', async ({ desk, service, client }) => {
    const other = await makeItem(client, desk);
    const groupId = await editBehindConflict(desk, client);
    const reasons = announcedReasons(desk);
    const fault = (path: string, status: number, body: object) =>
      service.control('POST', '/faults', { path, times: null, action: { kind: 'status', status, body } });
    await edit(desk, [other], title('After'), async () => {
      await fault('^/api2/media', 401, { message: 'Bad credentials.' });
      await fault('^/api2/oauth/access_token', 400, { error: 'invalid_grant' });
    });
    await whenEdits(desk, async () => reasons.get(groupId) === 'sign-in.required');
    await service.control('DELETE', '/faults');
    await signInEngine(desk.engine, service);
    await whenEdits(desk, async () => reasons.get(groupId) === null);
    await whenTotals(desk, ({ pending }) => pending === 1);
    expect((await itemOf(client, other)).title).toBe('After');
  });
});
