import { describe, expect, it } from 'vitest';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import { captureLogger } from '../../../helpers/capture-logger.ts';
import { flakyKeychain } from '../../../helpers/flaky-keychain.ts';
import { someRecord } from '../../../helpers/site-records-in-memory.ts';
import { keeperOf, refused, world } from './keeper-world.ts';

describe('a refresh', () => {
  it('is made once for all who need it at the same time', async () => {
    const w = world();
    const keeper = keeperOf(w);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => keeper.accessToken()));
    expect(new Set(tokens)).toEqual(new Set(['a1']));
    expect(w.endpoint.sent).toEqual(['r0']);
  });

  it('is made once for all who were refused the same token, also for those who hear of it later', async () => {
    const w = world();
    const keeper = keeperOf(w);
    const first = await keeper.accessToken();
    const together = await Promise.all(Array.from({ length: 8 }, () => keeper.renew(first)));
    const late = await keeper.renew(first);
    expect(new Set([...together, late])).toEqual(new Set(['a2']));
    expect(w.endpoint.sent).toEqual(['r0', 'r1']);
  });

  it('is made before the token ends, when 80 % of its life are over', async () => {
    const w = world();
    const keeper = keeperOf(w);
    await keeper.accessToken();
    w.clock.advance(3600_000 * 0.79);
    expect(await keeper.accessToken()).toBe('a1');
    w.clock.advance(3600_000 * 0.02);
    expect(await keeper.accessToken()).toBe('a2');
  });

  it('that fails early leaves the token in use until it ends, and is not tried at every call', async () => {
    const w = world();
    const keeper = keeperOf(w);
    await keeper.accessToken();
    w.clock.advance(3600_000 * 0.9);
    w.endpoint.failWith = appError('network.unreachable', { details: { outcome: 'not-sent' } });
    expect(await keeper.accessToken()).toBe('a1');
    expect(await keeper.accessToken()).toBe('a1');
    expect(w.endpoint.sent).toHaveLength(2);
    w.clock.advance(3600_000 * 0.1);
    await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'network.unreachable' });
  });

  it('that hangs while somebody signs in gives all who wait for it the token of the sign-in', async () => {
    const w = world();
    const keeper = keeperOf(w);
    const first = await keeper.accessToken();
    w.endpoint.hangs = true;
    const waiting = [keeper.renew(first), keeper.renew(first), keeper.accessToken()];
    await w.endpoint.whenAsked(2);
    await keeper.adopt(w.endpoint.issue());
    expect(await Promise.all(waiting)).toEqual(['a2', 'a2', 'a2']);
    expect(keeper.changes).toEqual([]);
  });

  it('keeps the new token in the other slot before it is used, and the old one beside it', async () => {
    const w = world();
    await keeperOf(w).accessToken();
    expect(Object.fromEntries(w.keychain.entries)).toEqual({ 'site-1/b': '1.r0', 'site-1/a': '2.r1' });
    expect(w.records.get('site-1')).toMatchObject({ keychainSlot: 'a', keptIn: 'system', refreshingSince: null });
  });

  it('at a service that does not rotate its tokens keeps the one there is', async () => {
    const w = world();
    w.endpoint.rotates = false;
    await keeperOf(w).accessToken();
    expect(Object.fromEntries(w.keychain.entries)).toEqual({ 'site-1/b': '1.r0' });
    expect(await keeperOf(w).accessToken()).toBe('a2');
  });

  it.each(['network.unreachable', 'network.timed-out', 'api.server-error', 'api.read-only', 'api.malformed'] as const)(
    'that ends with %s loses nothing: the next one works',
    async (code) => {
      const w = world();
      const keeper = keeperOf(w);
      w.endpoint.failWith = appError(code, { details: { outcome: 'unknown' } });
      await expect(keeper.accessToken()).rejects.toMatchObject({ code });
      expect(keeper.isAuthorized()).toBe(true);
      w.endpoint.failWith = null;
      expect(await keeper.accessToken()).toBe('a1');
    },
  );

  it('notes on disk since when it runs, and that it may have used up the token when the reply was lost', async () => {
    const w = world();
    const keeper = keeperOf(w);
    w.endpoint.loseReply = true;
    await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'network.timed-out' });
    expect(w.records.get('site-1')?.refreshingSince).toBe(w.clock.now());
  });
});

describe('an authorization that is gone', () => {
  it('asks for a sign-in once, and bothers the service no more', async () => {
    const w = world();
    w.endpoint.live = null;
    const keeper = keeperOf(w);
    for (let i = 0; i < 3; i++) await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(w.endpoint.sent).toEqual(['r0']);
    expect(keeper.changes).toEqual(['needs-sign-in']);
    expect(w.records.get('site-1')?.signedIn).toBe(true);
  });

  it('is found out by the other slot too, tried once', async () => {
    const w = world({
      keychain: flakyKeychain(
        new Map([
          ['site-1/a', '1.older'],
          ['site-1/b', '2.newer'],
        ]),
      ),
    });
    await expect(keeperOf(w).accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(w.endpoint.sent).toEqual(['newer', 'older']);
  });

  it('is not found out when the older token still works', async () => {
    const w = world({
      keychain: flakyKeychain(
        new Map([
          ['site-1/a', '1.older'],
          ['site-1/b', '2.newer'],
        ]),
      ),
    });
    w.endpoint.refresh = async (token) => {
      w.endpoint.sent.push(token);
      if (token === 'newer') throw refused(401);
      return w.endpoint.issue();
    };
    expect(await keeperOf(w).accessToken()).toBe('a1');
    expect(w.keychain.entries.get('site-1/a')).toBe('3.r1');
  });

  it('does not offer the older token after the No of a gatekeeper: that would look like a theft', async () => {
    const w = world({
      keychain: flakyKeychain(
        new Map([
          ['site-1/a', '1.older'],
          ['site-1/b', '2.newer'],
        ]),
      ),
    });
    w.endpoint.failWith = refused(403);
    await expect(keeperOf(w).accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(w.endpoint.sent).toEqual(['newer']);
  });

  it('comes back with a sign-in', async () => {
    const w = world();
    w.endpoint.live = null;
    const keeper = keeperOf(w);
    await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    await keeper.adopt(w.endpoint.issue());
    expect(await keeper.accessToken()).toBe('a1');
    expect(keeper.changes).toEqual(['needs-sign-in', 'authorized']);
    expect([...w.keychain.entries.values()]).toEqual(['2.r1']);
  });

  it('is tried again after a restart', async () => {
    const w = world();
    w.endpoint.failWith = refused();
    await expect(keeperOf(w).accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    w.endpoint.failWith = null;
    expect(await keeperOf(w).accessToken()).toBe('a1');
  });
});

describe('after a crash', () => {
  it('between the write and the switch of slots the newer token is used first, and nothing looks like a theft', async () => {
    const w = world();
    await keeperOf(w).accessToken();
    // The record still names the slot of the used token.
    w.records.put({ ...someRecord, keychainSlot: 'b', refreshingSince: 1 });
    expect(await keeperOf(w).accessToken()).toBe('a2');
    expect(w.endpoint.sent).toEqual(['r0', 'r1']);
  });

  it('between the reply and the write one sign-in is asked for', async () => {
    const w = world();
    w.endpoint.loseReply = true;
    await expect(keeperOf(w).accessToken()).rejects.toMatchObject({ code: 'network.timed-out' });
    w.endpoint.loseReply = false;
    const keeper = keeperOf(w);
    await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(keeper.changes).toEqual(['needs-sign-in']);
  });

  it('with nothing in the keychain a sign-in is asked for without asking the service', async () => {
    const w = world({ keychain: flakyKeychain() });
    const keeper = keeperOf(w);
    await keeper.start();
    expect(keeper.isAuthorized()).toBe(false);
    expect(w.endpoint.sent).toEqual([]);
  });
});

describe('a sign-out', () => {
  it('leaves nothing in the keychain, not even of a refresh that was under way', async () => {
    const w = world();
    const keeper = keeperOf(w);
    const asked = keeper.accessToken();
    const outcome = asked.then(
      () => 'token',
      (error: AppError) => error.code,
    );
    await Promise.resolve();
    await keeper.forget();
    expect(await outcome).toBe('sign-in.required');
    expect(w.keychain.entries.size).toBe(0);
  });
});

describe('secrets', () => {
  it('stand in no record and no log line, whatever happens', async () => {
    const logger = captureLogger();
    const w = world();
    const keeper = keeperOf(w, logger);
    const used: string[] = [await keeper.accessToken()];
    w.keychain.failAt(1, { persistent: true });
    used.push(await keeper.renew('a1').catch(() => 'x'));
    w.keychain.failAt(3, { persistent: true });
    used.push(await keeper.renew('a1'));
    w.endpoint.live = null;
    await keeper.renew('a2').catch(() => {});
    const text = logger.text() + JSON.stringify(w.records.list());
    expect(logger.lines.length).toBeGreaterThan(2);
    expect(text).not.toMatch(/\b[ar][0-9]\b/);
  });
});
