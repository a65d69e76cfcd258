import { expect } from 'vitest';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

const TEN_MINUTES = 600_000;

it('the difference to the library’s clock is measured, and is unknown while the library does not answer', async ({
  desk,
  service,
}) => {
  const { siteId } = desk;
  const near = await desk.engine.call('sites.clock', { siteId });
  expect(Math.abs(near.aheadMs ?? Number.NaN)).toBeLessThan(2000);

  const engine = await desk.reopen({ clock: { ...nodeClock, now: () => nodeClock.now() + TEN_MINUTES } });
  const { aheadMs } = await engine.call('sites.clock', { siteId });
  expect(Math.abs((aheadMs ?? Number.NaN) - TEN_MINUTES)).toBeLessThan(2000);

  await service.kill9();
  const away = await desk.reopen();
  expect(await away.call('sites.clock', { siteId })).toEqual({ aheadMs: null });
  await service.restart();
});
