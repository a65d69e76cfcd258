import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../../shared/contract/app-error.ts';
import { flakyKeychain } from '../../../helpers/engine/flaky-keychain.ts';
import { someRecord } from '../../../helpers/engine/site-records-in-memory.ts';
import { keeperOf, world } from './keeper-world.ts';

describe('a keychain that fails in any call', () => {
  const ways = [
    { persistent: false, afterEffect: false },
    { persistent: true, afterEffect: false },
    { persistent: false, afterEffect: true },
    { persistent: true, afterEffect: true },
  ];

  it.each(ways)('continues the session, or sends nothing, when it fails during a refresh (%o)', async (how) => {
    let reachedEnd = false;
    for (let nth = 1; !reachedEnd; nth++) {
      const w = world();
      w.keychain.failAt(nth, how);
      const keeper = keeperOf(w);
      const token = await keeper.accessToken().catch((error: AppError) => error);
      reachedEnd = w.keychain.calls < nth;
      if (typeof token !== 'string') {
        expect(token.code).toMatch(/^keychain\./);
        expect(w.endpoint.sent).toEqual([]);
        expect(keeper.isAuthorized()).toBe(true);
        continue;
      }
      expect(token).toBe('a1');
      const isKept = keeper.keychainProblem() === null;
      expect(w.records.get('site-1')?.keptIn).toBe(isKept ? 'system' : 'memory');

      // The session continues with the newest token, wherever it is stored, and stores it in the keychain when that
      // works again.
      w.keychain.failAt(null);
      expect(await keeper.renew('a1')).toBe('a2');
      expect(keeper.keychainProblem()).toBeNull();
      expect(await keeper.renew('a2')).toBe('a3');
      expect(await keeperOf(w).accessToken()).toBe('a4');
      expect(w.endpoint.sent).toEqual(['r0', 'r1', 'r2', 'r3']);
    }
    expect(reachedEnd).toBe(true);
  });

  it.each(ways)(
    'completes the sign-in, and reports where it is stored, when it fails at a sign-in (%o)',
    async (how) => {
      let reachedEnd = false;
      for (let nth = 1; !reachedEnd; nth++) {
        const w = world({ keychain: flakyKeychain() });
        w.keychain.failAt(nth, how);
        const keeper = keeperOf(w);
        await keeper.adopt(w.endpoint.issue());
        reachedEnd = w.keychain.calls < nth;
        expect(await keeper.accessToken()).toBe('a1');
        const { keptIn } = w.records.get('site-1') ?? someRecord;
        expect(keptIn).toBe(keeper.keychainProblem() === null ? 'system' : 'memory');
        w.keychain.failAt(null);
        expect(await keeper.renew('a1')).toBe('a2');
      }
      expect(reachedEnd).toBe(true);
    },
  );

  it('is not used when it returns another value than it stored', async () => {
    const w = world({ keychain: flakyKeychain() });
    w.keychain.set = async (account, secret) => void w.keychain.entries.set(account, secret.slice(0, 3));
    const keeper = keeperOf(w);
    await keeper.adopt(w.endpoint.issue());
    expect(keeper.keychainProblem()).toMatchObject({ code: 'keychain.unavailable' });
    expect(w.records.get('site-1')?.keptIn).toBe('memory');
    expect(await keeper.renew('a1')).toBe('a2');
  });

  it('is reported, and the sign-in is kept, when it fails at the start', async () => {
    const w = world();
    w.keychain.failAt(1);
    const keeper = keeperOf(w);
    await keeper.start();
    expect(keeper.keychainProblem()).toMatchObject({ code: 'keychain.unavailable' });
    expect(keeper.isAuthorized()).toBe(true);
    expect(await keeper.accessToken()).toBe('a1');
    expect(keeper.keychainProblem()).toBeNull();
  });

  it('is reported, and the session ends, when it fails at the sign-out', async () => {
    for (const nth of [1, 2]) {
      const w = world();
      const keeper = keeperOf(w);
      await keeper.accessToken();
      w.keychain.failAt(nth);
      await expect(keeper.forget()).rejects.toMatchObject({ code: 'keychain.unavailable' });
      // The other entry was deleted although this entry could not be deleted.
      expect(w.keychain.entries.size).toBe(1);
    }
  });
});
