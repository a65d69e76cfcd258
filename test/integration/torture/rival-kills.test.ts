import { expect, it } from 'vitest';
import { killAmongRivals } from '../../torture/engine/rival-kills.ts';
import { anySeed } from '../../torture/with-seed.ts';

it('one of several engines and command lines on one profile runs, and no file is duplicated, when they are killed at random', async () => {
  // More kills and files: `npm run torture -- engine --rivals`.
  const report = await killAmongRivals(6, 30, anySeed(), () => {});
  expect(report.complete).toBe(30);
  expect(report.owners).toBeGreaterThanOrEqual(report.kills);
  expect(report.refused).toBeGreaterThan(0);
}, 600_000);
