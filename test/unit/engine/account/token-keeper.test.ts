import { describe, expect, it } from 'vitest';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { flakyKeychain } from '../../../helpers/engine/flaky-keychain.ts';
import { someRecord } from '../../../helpers/engine/site-records-in-memory.ts';
import { keeperOf, refused, world } from './keeper-world.ts';

describe('a refresh', () => {
  it('is sent once for all concurrent callers', async () => {
    const w = world();
    const keeper = keeperOf(w);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => keeper.accessToken()));
    expect(new Set(tokens)).toEqual(new Set(['a1']));
    expect(w.endpoint.sent).toEqual(['r0']);
  });

  it('is sent once for all callers whose token was refused, including later ones', async () => {
    const w = world();
    const keeper = keeperOf(w);
    const first = await keeper.accessToken();
    const together = await Promise.all(Array.from({ length: 8 }, () => keeper.renew(first)));
    const late = await keeper.renew(first);
    expect(new Set([...together, late])).toEqual(new Set(['a2']));
    expect(w.endpoint.sent).toEqual(['r0', 'r1']);
  });

  it('is sent when 80 % of the access token’s lifetime are over', async () => {
    const w = world();
    const keeper = keeperOf(w);
    await keeper.accessToken();
    w.clock.advance(3600_000 * 0.79);
    expect(await keeper.accessToken()).toBe('a1');
    w.clock.advance(3600_000 * 0.02);
    expect(await keeper.accessToken()).toBe('a2');
  });

  it('counts the lifetime of the token from the request, also when the answer is slow', async () => {
    const w = world();
    const keeper = keeperOf(w);
    const first = keeper.accessToken();
    await w.endpoint.whenAsked(1);
    w.clock.advance(60_000);
    await first;
    w.clock.advance(3600_000 * 0.8 - 60_000);
    expect(await keeper.accessToken()).toBe('a2');
  });

  it('that fails early leaves the access token in use until it expires, and is not repeated at once', async () => {
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

  it('gives waiting callers the token of a sign-in that completes while the refresh hangs', async () => {
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

  it('stores the new refresh token in the other keychain entry, and keeps the old one', async () => {
    const w = world();
    await keeperOf(w).accessToken();
    expect(Object.fromEntries(w.keychain.entries)).toEqual({ 'site-1/b': '1.r0', 'site-1/a': '2.r1' });
    expect(w.records.get('site-1')).toMatchObject({ keychainSlot: 'a', keptIn: 'system', refreshingSince: null });
  });

  it('keeps the refresh token when the answer contains no new one', async () => {
    const w = world();
    w.endpoint.rotates = false;
    await keeperOf(w).accessToken();
    expect(Object.fromEntries(w.keychain.entries)).toEqual({ 'site-1/b': '1.r0' });
    expect(await keeperOf(w).accessToken()).toBe('a2');
  });

  it.each(['network.unreachable', 'network.timed-out', 'api.server-error', 'api.read-only', 'api.malformed'] as const)(
    'loses no token when it ends with %s',
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

  it('whose reply is lost leaves the time of its start in the record of the account', async () => {
    const w = world();
    const keeper = keeperOf(w);
    w.endpoint.loseReply = true;
    await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'network.timed-out' });
    expect(w.records.get('site-1')?.refreshingSince).toBe(w.clock.now());
  });
});

describe('a refused refresh token', () => {
  it('requires a new sign-in, and no further request is sent', async () => {
    const w = world();
    w.endpoint.live = null;
    const keeper = keeperOf(w);
    for (let i = 0; i < 3; i++) await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(w.endpoint.sent).toEqual(['r0']);
    expect(keeper.changes).toEqual(['needs-sign-in']);
    expect(w.records.get('site-1')?.signedIn).toBe(true);
  });

  it('requires a new sign-in only after one attempt with the older token in the other keychain entry', async () => {
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

  it('requires no sign-in when the older token still works', async () => {
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

  it('is not followed by the older token when the answer is a 403, which a gateway may send', async () => {
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

  it('is replaced by the token of a new sign-in', async () => {
    const w = world();
    w.endpoint.live = null;
    const keeper = keeperOf(w);
    await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    await keeper.adopt(w.endpoint.issue());
    expect(await keeper.accessToken()).toBe('a1');
    expect(keeper.changes).toEqual(['needs-sign-in', 'authorized']);
    expect([...w.keychain.entries.values()]).toEqual(['2.r1']);
  });

  it('is sent again after a restart', async () => {
    const w = world();
    w.endpoint.failWith = refused();
    await expect(keeperOf(w).accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    w.endpoint.failWith = null;
    expect(await keeperOf(w).accessToken()).toBe('a1');
  });
});

describe('a token keeper after a restart', () => {
  it('sends the newer token first when a crash came after its write and before the record named its entry', async () => {
    const w = world();
    await keeperOf(w).accessToken();
    // The record still names the entry of the used token.
    w.records.put({ ...someRecord, keychainSlot: 'b', refreshingSince: 1 });
    expect(await keeperOf(w).accessToken()).toBe('a2');
    expect(w.endpoint.sent).toEqual(['r0', 'r1']);
  });

  it('requires a sign-in when a crash came between the reply to a refresh and the write of the new token', async () => {
    const w = world();
    w.endpoint.loseReply = true;
    await expect(keeperOf(w).accessToken()).rejects.toMatchObject({ code: 'network.timed-out' });
    w.endpoint.loseReply = false;
    const keeper = keeperOf(w);
    await expect(keeper.accessToken()).rejects.toMatchObject({ code: 'sign-in.required' });
    expect(keeper.changes).toEqual(['needs-sign-in']);
  });

  it('requires a sign-in without a request when the keychain is empty', async () => {
    const w = world({ keychain: flakyKeychain() });
    const keeper = keeperOf(w);
    await keeper.start();
    expect(keeper.isAuthorized()).toBe(false);
    expect(w.endpoint.sent).toEqual([]);
  });
});

describe('a sign-out', () => {
  it('leaves nothing in the keychain, even when a refresh was in flight', async () => {
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

describe('the tokens of an account', () => {
  it('appear in no record and no log line, also when the keychain fails or the service refuses them', async () => {
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
