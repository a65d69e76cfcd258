import { describe, expect, it } from 'vitest';
import { FAULTS, type FaultKind, failNth } from '../../simulation/nth-failure.ts';

const KINDS = Object.keys(FAULTS) as FaultKind[];
/** More effects of one kind than three uploads have. */
const MOST = 500;

describe('when one effect of an upload fails', () => {
  it.each(KINDS)('%s, once: every file completes, and nothing exists twice', async (kind) => {
    let nth = 1;
    for (; nth < MOST; nth += 1) {
      const { wasHit, broken } = await failNth(kind, nth, 'once');
      expect(broken, `the ${nth}th`).toEqual([]);
      if (!wasHit) break;
    }
    expect(nth).toBeGreaterThan(3);
    expect(nth).toBeLessThan(MOST);
  });

  it.each(KINDS)('%s, for an hour: every file completes afterwards, and nothing exists twice', async (kind) => {
    // Each step is an hour of retries: the first effects one by one, then every seventh.
    let wasEverHit = false;
    for (let nth = 1; nth < MOST; nth += nth < 6 ? 1 : 7) {
      const { wasHit, broken } = await failNth(kind, nth, 'until-healed');
      expect(broken, `from the ${nth}th`).toEqual([]);
      wasEverHit ||= wasHit;
      if (!wasHit) break;
    }
    expect(wasEverHit).toBe(true);
  });

  it.each([
    ['store-full', 'profile.store-failing'],
    ['request-not-sent', 'network.unreachable'],
  ] as const)('%s, for an hour: the queue shows the reason while idle, and none afterwards', async (kind, code) => {
    const { reasons } = await failNth(kind, 3, 'until-healed');
    expect(reasons).toContain(code);
    expect(reasons.at(-1)).toBeNull();
  });
});
