import { describe, expect, it } from 'vitest';
import { keeperOf, world } from './keeper-world.ts';

const MINUTE_MS = 60_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a session whose newest refresh token could not be stored. The keychain fails in this one call only. */
async function keptInMemory() {
  const w = world();
  const keeper = keeperOf(w);
  // Calls 1 to 4 read both entries twice; call 5 writes the new token.
  w.keychain.failAt(5);
  await keeper.accessToken();
  expect(keeper.keychainProblem()).not.toBeNull();
  expect([...w.keychain.entries.values()]).toEqual(['1.r0']);
  return { w, keeper };
}

describe('a sign-in that the keychain failed to store', () => {
  it('is stored one minute later, not earlier', async () => {
    const { w, keeper } = await keptInMemory();
    w.clock.advance(MINUTE_MS - 1);
    await settled();
    expect(w.records.get('site-1')?.keptIn).toBe('memory');
    w.clock.advance(1);
    await settled();
    expect(w.records.get('site-1')?.keptIn).toBe('system');
    expect(keeper.keychainProblem()).toBeNull();
    expect(await keeperOf(w).accessToken()).toBe('a2');
    expect(w.endpoint.sent).toEqual(['r0', 'r1']);
  });

  it('is written again after 1, 2, 4, 8, 16 and then every 30 minutes while the keychain fails', async () => {
    const { w } = await keptInMemory();
    w.keychain.failAt(1, { persistent: true });
    const waits: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      const before = w.keychain.calls;
      let waited = 0;
      for (; w.keychain.calls === before; waited += 1) {
        w.clock.advance(MINUTE_MS);
        await settled();
      }
      waits.push(waited);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('is stored at the latest when the process ends', async () => {
    const { w, keeper } = await keptInMemory();
    await keeper.stop();
    expect(await keeperOf(w).accessToken()).toBe('a2');
    expect(w.endpoint.sent).toEqual(['r0', 'r1']);
  });

  it('is not stored after a sign-out', async () => {
    const { w, keeper } = await keptInMemory();
    const forgotten = keeper.forget();
    w.clock.advance(MINUTE_MS);
    await forgotten;
    w.clock.advance(MINUTE_MS);
    await settled();
    expect([...w.keychain.entries]).toEqual([]);
    await keeper.stop();
    expect([...w.keychain.entries]).toEqual([]);
  });
});
