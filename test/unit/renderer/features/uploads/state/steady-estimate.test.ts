import { describe, expect, it } from 'vitest';
import { SteadyEstimate } from '../../../../../../renderer/features/uploads/state/steady-estimate.ts';

describe('the time left', () => {
  it('changes at most once a second, and does not rise while the speed varies around one value', () => {
    const estimate = new SteadyEstimate();
    let left = 600_000;
    const shown: number[] = [];
    for (let now = 0; now < 20_000; now += 100) {
      // The measured speed varies by 30 % around 10 kB/s.
      const speed = 10_000 * (1 + 0.3 * Math.sin(now / 300));
      left -= 1000;
      shown.push(estimate.update(now, speed, left).secondsLeft ?? -1);
    }
    const changes = shown.filter((value, index) => index > 0 && value !== shown[index - 1]);
    expect(changes.length).toBeLessThanOrEqual(20);
    const last10 = shown.slice(100);
    const rises = last10.filter((value, index) => index > 0 && value > (last10[index - 1] as number));
    expect(rises).toEqual([]);
    expect(shown.at(-1)).toBeGreaterThan(30);
    expect(shown.at(-1)).toBeLessThan(52);
  });

  it('follows a large change of the speed within seconds', () => {
    const estimate = new SteadyEstimate();
    estimate.update(0, 10_000, 600_000);
    let shown = estimate.update(1000, 1000, 590_000);
    for (let now = 2000; now <= 12_000; now += 1000) shown = estimate.update(now, 1000, 580_000);
    expect(shown.secondsLeft).toBeGreaterThan(400);
    expect(shown.bytesPerSecond).toBeLessThan(1600);
  });

  it('is not shown when the speed is unknown', () => {
    const estimate = new SteadyEstimate();
    estimate.update(0, 10_000, 1000);
    expect(estimate.update(100, 0, 1000)).toEqual({ bytesPerSecond: 0, secondsLeft: null });
    expect(estimate.update(200, 5000, 1000).secondsLeft).toBeCloseTo(0.2);
  });
});
