import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { signInEngine } from '../../../helpers/engine/engine-host.ts';

const it = deskTest();

const QUARTER_MS = 91 * 86_400_000;

it('a missing sign-in that a request finds during a maintenance is shown as the reason why uploads wait', async ({
  desk,
  service,
}) => {
  await service.control('PATCH', '/settings', { read_only: true });
  desk.engine.startUploads();
  await desk.add([desk.put('lecture.txt', 'a lecture')]);
  const reason = async () => (await desk.engine.call('uploads.totals', null)).blockedBy?.code;
  await expect.poll(reason).toBe('api.read-only');
  const pushed: (string | undefined)[] = [];
  desk.engine.on('onDidChangeUploads', ({ totals }) => pushed.push(totals.blockedBy?.code));

  await service.control('PATCH', '/settings', { clock_offset_ms: QUARTER_MS });
  const { siteId, engine } = desk;
  await expect(engine.call('library.syncNow', { siteId })).rejects.toMatchObject({ code: 'sign-in.required' });

  await expect.poll(() => pushed.at(-1)).toBe('sign-in.required');
  expect((await desk.rows()).map(({ error }) => error?.code)).toEqual(['sign-in.required']);
});

it('a paused queue is shown without the missing sign-in after a new sign-in', async ({ desk, service }) => {
  const { siteId, engine } = desk;
  engine.startUploads();
  await engine.call('uploads.pause', { kind: 'all' });
  await desk.add([desk.put('talk.txt', 'a talk')]);
  const pushed: (string | undefined)[] = [];
  engine.on('onDidChangeUploads', ({ totals }) => pushed.push(totals.blockedBy?.code));

  await service.control('PATCH', '/settings', { clock_offset_ms: QUARTER_MS });
  await expect(engine.call('library.syncNow', { siteId })).rejects.toMatchObject({ code: 'sign-in.required' });
  await expect.poll(() => pushed.at(-1)).toBe('sign-in.required');

  await signInEngine(engine, service);
  await expect.poll(() => pushed.at(-1)).toBeUndefined();
});
