import { describe, expect, it } from 'vitest';
import type { SiteRecords } from '../../../../electron/engine/account/site-records.ts';
import { createTokenKeeper } from '../../../../electron/engine/account/token-keeper.ts';
import { createTokenSlots } from '../../../../electron/engine/account/token-slots.ts';
import type { TokenResponse } from '../../../../shared/api/oauth.ts';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import { captureLogger } from '../../../helpers/capture-logger.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { type FlakyKeychain, flakyKeychain } from './flaky-keychain.ts';
import { recordsInMemory, someRecord } from './site-records-in-memory.ts';

const refused = (status = 400) => appError('sign-in.required', { details: { status, outcome: 'refused' } });

/** The token endpoint as the reference service has it: each refresh token works once; one used again ends them all. */
function tokenEndpoint() {
  const endpoint = {
    live: 'r0' as string | null,
    sent: [] as string[],
    failWith: null as AppError | null,
    loseReply: false,
    count: 0,
    lifeSeconds: 3600,
    rotates: true,
    async refresh(token: string): Promise<TokenResponse> {
      endpoint.sent.push(token);
      await new Promise((resolve) => setImmediate(resolve));
      if (endpoint.failWith !== null) throw endpoint.failWith;
      if (token !== endpoint.live) {
        endpoint.live = null;
        throw refused();
      }
      return endpoint.issue();
    },
    issue(): TokenResponse {
      endpoint.count++;
      if (endpoint.rotates) endpoint.live = `r${endpoint.count}`;
      if (endpoint.loseReply) throw appError('network.timed-out', { details: { outcome: 'unknown' } });
      return {
        token_type: 'Bearer',
        access_token: `a${endpoint.count}`,
        expires_in: endpoint.lifeSeconds,
        refresh_token: endpoint.rotates ? `r${endpoint.count}` : null,
        scope: null,
      };
    },
  };
  return endpoint;
}

type Endpoint = ReturnType<typeof tokenEndpoint>;

interface World {
  clock: ManualClock;
  keychain: FlakyKeychain;
  records: SiteRecords;
  endpoint: Endpoint;
}

function world(over: Partial<World> = {}): World {
  const keychain = flakyKeychain(new Map([['site-1/b', '1.r0']]));
  return {
    clock: new ManualClock(),
    keychain,
    records: recordsInMemory([someRecord]),
    endpoint: tokenEndpoint(),
    ...over,
  };
}

/** The keeper of a process; call it again for the process after a restart. */
function keeperOf({ clock, keychain, records, endpoint }: World, logger = captureLogger()) {
  const siteId = someRecord.id;
  const record = () => records.get(siteId) ?? someRecord;
  const update = (change: object) => records.put({ ...record(), ...change });
  const changes: string[] = [];
  const keeper = createTokenKeeper({
    ...{ siteId, clock, logger, record, update, refresh: endpoint.refresh },
    slots: createTokenSlots({ siteId, keychain, logger, record, update }),
    onDidChange: () => void changes.push(keeper.isAuthorized() ? 'authorized' : 'needs-sign-in'),
  });
  return Object.assign(keeper, { changes });
}

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

describe('a keychain that fails at any of its calls', () => {
  const ways = [
    { persistent: false, afterEffect: false },
    { persistent: true, afterEffect: false },
    { persistent: false, afterEffect: true },
    { persistent: true, afterEffect: true },
  ];

  it.each(ways)('during a refresh (%o): the session goes on, or nothing was sent', async (how) => {
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

      // The session goes on with the newest token, wherever it is, and returns to the keychain when that is back.
      w.keychain.failAt(null);
      expect(await keeper.renew('a1')).toBe('a2');
      expect(keeper.keychainProblem()).toBeNull();
      expect(await keeper.renew('a2')).toBe('a3');
      expect(await keeperOf(w).accessToken()).toBe('a4');
      expect(w.endpoint.sent).toEqual(['r0', 'r1', 'r2', 'r3']);
    }
    expect(reachedEnd).toBe(true);
  });

  it.each(ways)('at a sign-in (%o): signed in all the same, and it is said where it is kept', async (how) => {
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
  });

  it('and gives back something else than it was given is not relied upon', async () => {
    const w = world({ keychain: flakyKeychain() });
    w.keychain.set = async (account, secret) => void w.keychain.entries.set(account, secret.slice(0, 3));
    const keeper = keeperOf(w);
    await keeper.adopt(w.endpoint.issue());
    expect(keeper.keychainProblem()).toMatchObject({ code: 'keychain.unavailable' });
    expect(w.records.get('site-1')?.keptIn).toBe('memory');
    expect(await keeper.renew('a1')).toBe('a2');
  });

  it('at the start is told, and the sign-in is not given up', async () => {
    const w = world();
    w.keychain.failAt(1);
    const keeper = keeperOf(w);
    await keeper.start();
    expect(keeper.keychainProblem()).toMatchObject({ code: 'keychain.unavailable' });
    expect(keeper.isAuthorized()).toBe(true);
    expect(await keeper.accessToken()).toBe('a1');
    expect(keeper.keychainProblem()).toBeNull();
  });

  it('at the sign-out is told, and the session is over all the same', async () => {
    for (const nth of [1, 2]) {
      const w = world();
      const keeper = keeperOf(w);
      await keeper.accessToken();
      w.keychain.failAt(nth);
      await expect(keeper.forget()).rejects.toMatchObject({ code: 'keychain.unavailable' });
      // The other entry is gone although this one could not be removed.
      expect(w.keychain.entries.size).toBe(1);
    }
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
