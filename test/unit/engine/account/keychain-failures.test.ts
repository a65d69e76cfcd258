import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../../shared/contract/app-error.ts';
import { flakyKeychain } from '../../../helpers/engine/flaky-keychain.ts';
import { someRecord } from '../../../helpers/engine/site-records-in-memory.ts';
import { keeperOf, world } from './keeper-world.ts';

describe('a failed call of the keychain', () => {
  const ways = [
    { persistent: false, afterEffect: false },
    { persistent: true, afterEffect: false },
    { persistent: false, afterEffect: true },
    { persistent: true, afterEffect: true },
  ];

  it.each(ways)('during a refresh stops it before its request, or leaves the session usable (%o)', async (how) => {
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
    'during a sign-in does not stop it, and the record says where the refresh token is stored (%o)',
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

  it('is reported, and the token stays in memory, when the keychain returns another value than it stored', async () => {
    const w = world({ keychain: flakyKeychain() });
    w.keychain.set = async (account, secret) => void w.keychain.entries.set(account, secret.slice(0, 3));
    const keeper = keeperOf(w);
    await keeper.adopt(w.endpoint.issue());
    expect(keeper.keychainProblem()).toMatchObject({ code: 'keychain.unavailable' });
    expect(w.records.get('site-1')?.keptIn).toBe('memory');
    expect(await keeper.renew('a1')).toBe('a2');
  });

  it('at the start is reported, and the session continues', async () => {
    const w = world();
    w.keychain.failAt(1);
    const keeper = keeperOf(w);
    await keeper.start();
    expect(keeper.keychainProblem()).toMatchObject({ code: 'keychain.unavailable' });
    expect(keeper.isAuthorized()).toBe(true);
    expect(await keeper.accessToken()).toBe('a1');
    expect(keeper.keychainProblem()).toBeNull();
  });

  it('at the sign-out is reported, and the other entry is deleted', async () => {
    for (const nth of [1, 2]) {
      const w = world();
      const keeper = keeperOf(w);
      await keeper.accessToken();
      w.keychain.failAt(nth);
      await expect(keeper.forget()).rejects.toMatchObject({ code: 'keychain.unavailable' });
      // Of the two entries, only the one whose deletion failed is left.
      expect(w.keychain.entries.size).toBe(1);
    }
  });
});
