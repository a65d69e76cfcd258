import { expect, it } from 'vitest';
import { IS_ON_SERVER } from '../../../helpers/service/test-database.ts';
import { killArchives } from '../../../torture/archives/kill-archives.ts';
import { killServiceUnderLoad } from '../../../torture/service-kills.ts';
import { anySeed } from '../../../torture/with-seed.ts';

it('the service keeps every acknowledged item and file when it is killed under load, with an intact database each time', async () => {
  const report = await killServiceUnderLoad(8, anySeed(), () => {});
  expect(report.kills).toBe(8);
  expect(report.items).toBeGreaterThan(8);
}, 600_000);

it.skipIf(IS_ON_SERVER)(
  'a killed backup has its name only if it is whole, no service starts on half of a restored library, and the next command does its work',
  async () => {
    const report = await killArchives(2, anySeed(), () => {});
    for (const outcomes of Object.values(report)) {
      expect(Object.values<number>(outcomes).reduce((sum, times) => sum + times, 0)).toBe(2);
    }
  },
  600_000,
);
