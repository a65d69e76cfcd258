import { expect, it } from 'vitest';
import { allFailpointCases, runFailpointCampaign } from '../../torture/engine/failpoint-campaign.ts';
import { killEngineAtRandom } from '../../torture/engine/random-kills.ts';
import { anySeed, withSeed } from '../../torture/with-seed.ts';

it('the engine uploads each file exactly once when it crashes at each effect and is restarted', async () => {
  // Each run covers other failpoints; all of them: `npm run torture -- engine --failpoints`.
  const all = allFailpointCases(1);
  const every = Math.ceil(all.length / CASES);
  await withSeed(anySeed(), async (prng) => {
    const offset = prng.int(0, every - 1);
    const cases = all.filter((_, index) => index % every === offset);
    const report = await runFailpointCampaign(cases, () => {});
    expect(report.kills).toBeGreaterThanOrEqual(cases.length);
  });
}, 600_000);

it('the engine uploads each file exactly once when it is killed at random times', async () => {
  const report = await killEngineAtRandom(6, 40, anySeed(), () => {});
  expect(report.complete).toBe(40);
}, 600_000);

const CASES = 12;
