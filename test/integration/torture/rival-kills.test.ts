import { expect, it } from 'vitest';
import { killAmongRivals } from '../../torture/engine/rival-kills.ts';
import { anySeed } from '../../torture/with-seed.ts';

it('of engines and command lines that are started on one profile and killed at random, one works, and no file is doubled', async () => {
  // More kills and files: `npm run torture -- engine --rivals`.
  const report = await killAmongRivals(6, 30, anySeed(), () => {});
  expect(report.complete).toBe(30);
  expect(report.owners).toBeGreaterThanOrEqual(report.kills);
  expect(report.refused).toBeGreaterThan(0);
}, 240_000);
