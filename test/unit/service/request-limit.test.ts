import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRequestLimit } from '../../../service/limits/request-limit.ts';

const START = Date.UTC(2026, 10, 29);

describe('the limit of requests', () => {
  test('admits in any time at most a minute’s requests more than that time allows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 300 }),
        (perMinute, pauses) => {
          const limit = createRequestLimit();
          let now = START;
          const admitted: number[] = [];
          for (const pause of pauses) {
            now += pause;
            if (limit.admit({ userId: 1 }, perMinute, now) === 0) admitted.push(now);
          }
          for (const [first, from] of admitted.entries()) {
            for (const [last, to] of admitted.entries()) {
              if (last < first) continue;
              const allowed = perMinute + ((to - from) * perMinute) / 60_000;
              expect(last - first + 1).toBeLessThanOrEqual(Math.ceil(allowed + 1e-6));
            }
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('admits the next request after the time that a refusal names', () => {
    const limit = createRequestLimit();
    for (let n = 0; n < 7; n += 1) expect(limit.admit({ userId: 1 }, 7, START)).toBe(0);
    const waitMs = limit.admit({ userId: 1 }, 7, START);
    expect(waitMs).toBe(Math.ceil(60_000 / 7));
    // Asking again and again does not make the wait longer.
    for (let ms = 0; ms < waitMs; ms += 500) expect(limit.admit({ userId: 1 }, 7, START + ms)).toBeGreaterThan(0);
    expect(limit.admit({ userId: 1 }, 7, START + waitMs)).toBe(0);
  });

  test('counts an IPv6 address by its /64, each IPv4 address, and users apart from addresses', () => {
    const limit = createRequestLimit();
    const isAdmitted = (address: string) => limit.admit({ address }, 1, START) === 0;
    expect(isAdmitted('2001:db8:1:2::1')).toBe(true);
    expect(isAdmitted('2001:db8:1:2:ffff::9')).toBe(false);
    expect(isAdmitted('2001:db8:1:3::1')).toBe(true);
    expect(isAdmitted('192.0.2.1')).toBe(true);
    expect(isAdmitted('::ffff:192.0.2.1')).toBe(false);
    expect(isAdmitted('192.0.2.2')).toBe(true);
    expect(limit.admit({ userId: 1 }, 1, START)).toBe(0);
    expect(limit.admit({ userId: 2 }, 1, START)).toBe(0);
    expect(limit.admit({ userId: 1 }, 1, START)).toBeGreaterThan(0);
  });

  test('remembers each of 10,000 addresses, and of a million no more than 20,000, without forgetting users', () => {
    const limit = createRequestLimit();
    const address = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    for (let n = 0; n < 9999; n += 1) expect(limit.admit({ address: address(n) }, 1, START)).toBe(0);
    for (let n = 0; n < 9999; n += 1) expect(limit.admit({ address: address(n) }, 1, START)).toBeGreaterThan(0);
    expect(limit.admit({ userId: 1 }, 1, START)).toBe(0);
    for (let n = 0; n < 1_000_000; n += 1) limit.admit({ address: address(n) }, 1, START);
    expect(limit.size).toBeLessThanOrEqual(20_001);
    expect(limit.admit({ userId: 1 }, 1, START)).toBeGreaterThan(0);
  });

  test('follows a changed limit, and a clock that is set back', () => {
    const limit = createRequestLimit();
    expect(limit.admit({ userId: 1 }, 1000, START)).toBe(0);
    expect(limit.admit({ userId: 1 }, 1, START)).toBe(0);
    expect(limit.admit({ userId: 1 }, 1, START)).toBe(60_000);
    expect(limit.admit({ userId: 1 }, 1, START - 3_600_000)).toBe(60_000);
    expect(limit.admit({ userId: 1 }, 1, START - 3_600_000 + 60_000)).toBe(0);
  });
});
