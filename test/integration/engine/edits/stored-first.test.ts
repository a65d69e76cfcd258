// A saved edit of a collection is stored before the library answers: a crash during a slow answer loses no value.
import { expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { rowsOf, whenEdits } from '../../../helpers/engine/edit-steps.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

/** Creates a podcast and reads its details; after that, the library delays its answers about the podcast by three seconds. */
async function slowPodcast(desk: Desk) {
  const { engine, siteId, service } = desk;
  const { id: collectionId } = await engine.call('library.createCollection', {
    siteId,
    parentId: desk.collectionId,
    displayName: 'Season',
    isPodcast: true,
  });
  await engine.call('library.syncNow', { siteId });
  await engine.call('library.podcast', { siteId, collectionId });
  await engine.whenEditsIdle();
  const path = new RegExp(`^/api2/collections/${collectionId}`);
  await service.control('POST', '/faults', { path: path.source, times: 20, action: { kind: 'delay', ms: 3000 } });
  await service.control('DELETE', '/journal');
  const isUnanswered = async () => (await requestsOf(service, 'GET', path)).every(({ status }) => status === null);
  return { where: { siteId, collectionId }, isUnanswered };
}

it.for([
  ['the name of a collection', 'display_name', 'Season'],
  ['the author of a podcast', 'directory_author_name', null],
] as const)('an edit of %s is stored before the library answers', async ([, field, seen], { desk }) => {
  const { where, isUnanswered } = await slowPodcast(desk);
  const edit = { ...where, patch: { [field]: 'Mine' }, expected: { [field]: seen } };
  const call = field === 'display_name' ? 'library.updateCollection' : 'library.updatePodcast';
  const saved = desk.engine.call(call, edit);
  const isStored = async () =>
    (await rowsOf(desk, null)).some(({ changes }) => changes.some(({ after }) => after === 'Mine'));
  await whenEdits(desk, isStored);
  expect(await isUnanswered()).toBe(true);
  await desk.service.control('DELETE', '/faults');
  await saved;
  expect(await rowsOf(desk, null, 'open')).toEqual([]);
});
