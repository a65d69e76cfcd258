// A sign-out while edits and uploads are unsent: they are counted before, stay, and are sent when the account signs in again.
import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import {
  edit,
  editDuringMaintenance,
  endMaintenance,
  itemOf,
  makeItem,
  title,
  whenTotals,
} from '../../../helpers/engine/edit-steps.ts';
import { SharedBrowser } from '../../../helpers/engine/library-people.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest().extend('browser', () => new SharedBrowser());
it.override('site', () => null);
it.override('host', ({ browser }) => ({ openers: { embedded: browser, system: browser } }));

const NOTHING = {
  edits: { pending: 0, held: 0, conflict: 0, refused: 0 },
  uploads: { pending: 0, failed: 0, needsDecision: 0 },
};

it.beforeEach(async ({ desk, service, browser }) => {
  desk.siteId = (await browser.signIn(desk.engine, service, 'admin')).id;
  const [top] = await desk.engine.call('library.collections', { siteId: desk.siteId, parentId: null });
  desk.collectionId = top?.id ?? '';
});

it('a sign-out counts unsent uploads and edits of its account only', async ({ desk, service, browser }) => {
  const client = await clientFor(service);
  const { engine, siteId } = desk;
  expect(await engine.call('sites.unsent', { siteId })).toEqual(NOTHING);
  const [asking, held, waiting] = [
    await makeItem(client, desk),
    await makeItem(client, desk),
    await makeItem(client, desk),
  ];
  await edit(desk, [asking], title('Mine'), () => client.post(`/api2/media/${asking}`, { title: 'Theirs' }));
  await edit(desk, [held], { publication: { kind: 'at', at: '2020-01-01T00:00:00Z' } });
  await engine.whenEditsIdle();
  await editDuringMaintenance(desk, [waiting], title('Later'));
  desk.put('talk.bin');
  await desk.add();
  expect(await engine.call('sites.unsent', { siteId })).toEqual({
    edits: { pending: 1, held: 1, conflict: 1, refused: 0 },
    uploads: { pending: 1, failed: 0, needsDecision: 0 },
  });
  await endMaintenance(desk);
  const other = await browser.signIn(engine, service, 'editor');
  expect(await engine.call('sites.unsent', { siteId: other.id })).toEqual(NOTHING);
  await expect(engine.call('sites.unsent', { siteId: 'none' })).rejects.toMatchObject({ code: 'site.unknown' });
});

it('a sign-out keeps unsent edits, which are sent only when their account signs in again', async ({
  desk,
  service,
  browser,
}) => {
  const client = await clientFor(service);
  const { engine, siteId } = desk;
  const id = await makeItem(client, desk);
  await editDuringMaintenance(desk, [id], title('Kept'));
  await engine.call('sites.signOut', { siteId });
  await endMaintenance(desk);
  await browser.signIn(engine, service, 'editor');
  await engine.call('edits.retry', { groupId: null, filter: 'pending' });
  await engine.whenEditsIdle();
  expect((await itemOf(client, id)).title).toBe('Talk');
  expect(await engine.call('sites.unsent', { siteId })).toMatchObject({ edits: { pending: 1 } });
  expect((await browser.signIn(engine, service, 'admin')).id).toBe(siteId);
  await whenTotals(desk, ({ pending }) => pending === 0);
  expect((await itemOf(client, id)).title).toBe('Kept');
  expect(await engine.call('sites.unsent', { siteId })).toEqual(NOTHING);
  const writes = await requestsOf(service, 'POST', new RegExp(`^/api2/media/${id}$`));
  expect(writes.filter(({ status }) => status === 200 || status === 204)).toHaveLength(1);
});
