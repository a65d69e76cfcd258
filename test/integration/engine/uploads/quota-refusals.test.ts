import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

/** How long a state may take on a busy computer. */
const SOON = { timeout: 60_000 };

it('an upload that a quota refuses fails with a next step, is not sent again by itself, and completes when there is room', async ({
  desk,
  service,
}) => {
  await withRoomForThreeBytes(service);
  desk.engine.startUploads();
  await desk.add([desk.put('lecture.txt', 'a lecture'), desk.put('no.txt', 'no')]);
  const states = async () => (await desk.rows()).map(({ state, error }) => [state, error?.code ?? null]).sort();
  await expect.poll(states, SOON).toEqual([
    ['complete', null],
    ['failed', 'api.quota-exceeded'],
  ]);
  const failed = (await desk.rows()).find(({ state }) => state === 'failed');
  expect(failed?.error?.details?.message).toMatch(
    /^This library may have 3 bytes, of which \d bytes are used\. 9 bytes more do not fit\.$/,
  );
  expect(failed?.error?.nextStep).toContain('ask an administrator for more space');
  const creations = async () =>
    (await service.control<{ items: { method: string; path: string }[] }>('GET', '/journal')).items.filter(
      ({ method, path }) => method === 'POST' && /\/files$/.test(path ?? ''),
    ).length;
  const before = await creations();
  expect(before).toBe(2);

  await service.control('PATCH', '/settings', { quota_site_bytes: 100 });
  await desk.engine.call('uploads.retry', { kind: 'ids', ids: [failed?.id ?? ''] });
  await expect.poll(states, SOON).toEqual([
    ['complete', null],
    ['complete', null],
  ]);
  expect(await creations()).toBe(3);
  expect(await effectsOf(service)).toEqual({ 'media-created': 3, 'media-deleted': 1 });
});

it('an upload that a quota refuses leaves no empty item, and nothing to remove when it is cancelled', async ({
  desk,
  service,
}) => {
  const admin = await withRoomForThreeBytes(service);
  desk.engine.startUploads();
  await desk.add([desk.put('lecture.txt', 'a lecture')]);
  await expect.poll(async () => (await desk.rows())[0]?.state, SOON).toBe('failed');
  expect((await admin.get('/api2/media')).body.items).toEqual([]);
  const [failed] = await desk.rows();
  await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [failed?.id ?? ''] });
  await expect.poll(async () => (await desk.rows())[0]?.state, SOON).toBe('cancelled');
  expect(await effectsOf(service)).toEqual({ 'media-created': 1, 'media-deleted': 1 });
});

it('a refused upload whose item can’t be removed keeps it, and a retry uses it', async ({ desk, service }) => {
  await withRoomForThreeBytes(service);
  const fault = { method: 'DELETE', path: '^/api2/media/', times: null, action: { kind: 'status', status: 403 } };
  await service.control('POST', '/faults', fault);
  desk.engine.startUploads();
  await desk.add([desk.put('lecture.txt', 'a lecture')]);
  const states = async () => (await desk.rows()).map(({ state, error }) => [state, error?.code ?? null]);
  await expect.poll(states, SOON).toEqual([['failed', 'api.quota-exceeded']]);
  await service.control('PATCH', '/settings', { quota_site_bytes: 100 });
  await desk.engine.call('uploads.retry', { kind: 'ids', ids: [(await desk.rows())[0]?.id ?? ''] });
  await expect.poll(states, SOON).toEqual([['complete', null]]);
  expect(await effectsOf(service)).toEqual({ 'media-created': 1 });
});

it('a refused upload leaves an item that has a file of somebody else', async ({ desk, service }) => {
  const admin = await withRoomForThreeBytes(service);
  // The first attempt fails for another reason, so that another file can be there before the refusal.
  const fault = { method: 'POST', path: '/files$', times: 1, action: { kind: 'status', status: 500 } };
  await service.control('POST', '/faults', fault);
  desk.engine.startUploads();
  await desk.add([desk.put('lecture.txt', 'a lecture')]);
  await expect.poll(async () => (await desk.rows())[0]?.state, SOON).toBe('waiting');
  const [item] = (await admin.get('/api2/media')).body.items;
  await admin.upload(`/api2/media/${item.id}`, 'by.txt', Buffer.from('by'));
  await desk.engine.call('uploads.retry', { kind: 'ids', ids: [(await desk.rows())[0]?.id ?? ''] });
  await expect.poll(async () => (await desk.rows())[0]?.state, SOON).toBe('failed');
  expect((await admin.get(`/api2/media/${item.id}/files`)).body.items).toHaveLength(1);
});

/** Removes what earlier tests left, and allows three bytes. */
async function withRoomForThreeBytes(service: ServiceProcess): Promise<ServiceClient> {
  const admin = await clientFor(service);
  for (const { id } of (await admin.get('/api2/media')).body.items) await admin.delete(`/api2/media/${id}`);
  await service.control('DELETE', '/faults');
  await service.control('DELETE', '/journal');
  await service.control('PATCH', '/settings', { quota_site_bytes: 3 });
  return admin;
}

/** How often each change of an item took place. */
async function effectsOf(service: ServiceProcess): Promise<Record<string, number>> {
  const { items } = await service.control<{ items: { effects: { name: string }[] }[] }>('GET', '/journal');
  const names = items.flatMap(({ effects }) => effects.map(({ name }) => name)).filter((name) => /^media-/.test(name));
  const counts: Record<string, number> = {};
  for (const name of names) if (name !== 'media-updated') counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
