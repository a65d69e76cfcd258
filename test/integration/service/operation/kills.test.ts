import { expect, it } from 'vitest';
import { killServiceUnderLoad } from '../../../torture/service-kills.ts';
import { anySeed } from '../../../torture/with-seed.ts';

it('the service keeps every acknowledged item and file when it is killed under load, with an intact database each time', async () => {
  const report = await killServiceUnderLoad(8, anySeed(), () => {});
  expect(report.kills).toBe(8);
  expect(report.items).toBeGreaterThan(8);
}, 600_000);
