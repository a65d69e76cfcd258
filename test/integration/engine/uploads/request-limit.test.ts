import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();
// A minute of waiting takes a second.
it.override({ speed: 60 });

it('uploads wait while the library limits the requests of their user, none fails, and all complete afterwards', async ({
  desk,
  service,
}) => {
  await service.control('PATCH', '/settings', { requests_per_minute: 1 });
  desk.engine.startUploads();
  await desk.add(Array.from({ length: 10 }, (_, n) => desk.put(`lecture-${n}.txt`, `lecture ${n}`)));
  const reason = async () => (await desk.engine.call('uploads.totals', null)).blockedBy?.code;
  await expect.poll(reason).toBe('api.too-many-requests');
  expect((await desk.rows()).filter(({ state }) => state === 'failed')).toEqual([]);
  await service.control('PATCH', '/settings', { requests_per_minute: null });
  await desk.engine.whenUploadsIdle();
  expect((await desk.rows()).map(({ state }) => state)).toEqual(Array(10).fill('complete'));
});
