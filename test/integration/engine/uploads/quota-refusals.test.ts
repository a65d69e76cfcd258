import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

it('an upload that a quota refuses fails with a next step, is not sent again by itself, and completes when there is room', async ({
  desk,
  service,
}) => {
  await service.control('PATCH', '/settings', { quota_site_bytes: 3 });
  desk.engine.startUploads();
  await desk.add([desk.put('lecture.txt', 'a lecture'), desk.put('no.txt', 'no')]);
  const states = async () => (await desk.rows()).map(({ state, error }) => [state, error?.code ?? null]).sort();
  await expect.poll(states).toEqual([
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
  await expect.poll(states).toEqual([
    ['complete', null],
    ['complete', null],
  ]);
  expect(await creations()).toBe(3);
  const effects = (await service.control<{ items: { effects: { name: string }[] }[] }>('GET', '/journal')).items;
  expect(effects.flatMap((entry) => entry.effects).filter(({ name }) => name === 'media-created')).toHaveLength(2);
});
