import { describe, expect, it } from 'vitest';
import { SiteBreakers } from '../../../../electron/engine/sites/site-breakers.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const error = (code: ErrorCode) => appError(code).toData();

describe('site breakers', () => {
  it('open only for errors that affect the whole site', () => {
    const breakers = new SiteBreakers(new ManualClock());
    for (const code of ['api.server-error', 'upload.refused', 'file.missing', 'api.forbidden'] as const) {
      breakers.report('s1', error(code));
      expect(breakers.isOpen('s1'), code).toBe(false);
    }
    for (const code of ['network.unreachable', 'api.read-only', 'sign-in.required', 'keychain.locked'] as const) {
      breakers.report('s1', error(code));
      expect(breakers.isOpen('s1'), code).toBe(true);
      breakers.close('s1');
    }
  });

  it('allow one probe at a time, with a backoff of at most 8 s for the network', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    breakers.report('s1', error('network.unreachable'));
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const wait = breakers.nextProbeInMs() ?? 0;
      waits.push(wait);
      clock.advance(wait);
      expect(breakers.takeDueProbes()).toHaveLength(1);
      expect(breakers.takeDueProbes()).toHaveLength(0);
      breakers.report('s1', error('network.unreachable'));
    }
    expect(waits).toEqual([2000, 4000, 8000, 8000, 8000, 8000]);
  });

  it('probe a library behind a server that answers for it at first by the backoff of the API, then once a minute', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    const waits: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      breakers.report('s1', error('network.gateway'));
      const wait = breakers.nextProbeInMs() ?? 0;
      waits.push(wait);
      clock.advance(wait);
      expect(breakers.takeDueProbes()).toHaveLength(1);
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('close at any answer of a library that a server in front of it answered for', () => {
    const breakers = new SiteBreakers(new ManualClock());
    breakers.report('s1', error('network.gateway'));
    breakers.answered('s1', false);
    expect(breakers.isOpen('s1')).toBe(false);
    breakers.report('s1', error('network.unreachable'));
    breakers.answered('s1', false);
    expect(breakers.isOpen('s1')).toBe(true);
  });

  it('probe a site that can’t be reached at once when the user asks for it, but not before a Retry-After', () => {
    const breakers = new SiteBreakers(new ManualClock());
    breakers.report('s1', error('network.gateway'));
    breakers.report('s2', { ...error('network.gateway'), details: { retryAfterMs: 30_000 } });
    breakers.report('s3', error('api.read-only'));
    for (const siteId of ['s1', 's2', 's3', 's4']) breakers.probeOnRequest(siteId);
    expect(breakers.takeDueProbes().map(({ siteId }) => siteId)).toEqual(['s1']);
    expect(breakers.nextProbeInMs()).toBe(5000);
  });

  it('do not increase the backoff when many uploads fail together for the same reason', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    for (let count = 0; count < 50; count += 1) breakers.report('s1', error('network.unreachable'));
    expect(breakers.nextProbeInMs()).toBe(2000);
  });

  it('send no probe before a sign-in, and close when it happens', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    breakers.report('s1', error('sign-in.required'));
    clock.advance(24 * 3_600_000);
    expect(breakers.takeDueProbes()).toEqual([]);
    expect(breakers.nextProbeInMs()).toBeNull();
    breakers.close('s1');
    expect(breakers.reason()).toBeNull();
  });

  it('probe a locked keychain with a backoff, report after four probes that the user is needed, and close at a sign-in', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    breakers.report('s1', error('keychain.locked'));
    const waits: number[] = [];
    const needed: string[][] = [];
    for (let round = 0; round < 6; round += 1) {
      const wait = breakers.nextProbeInMs() ?? 0;
      waits.push(wait);
      needed.push(breakers.sitesThatNeedTheUser());
      clock.advance(wait);
      expect(breakers.takeDueProbes()).toHaveLength(1);
      breakers.report('s1', error('keychain.locked'));
    }
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(needed).toEqual([[], [], [], [], ['s1'], ['s1']]);
    expect(breakers.closeAfterSignIn('s1')).toBe(true);
    expect(breakers.isOpen('s1')).toBe(false);
  });

  it('do not block uploads of another site', () => {
    const breakers = new SiteBreakers(new ManualClock());
    breakers.report('s1', error('api.read-only'));
    expect(breakers.blockedSites()).toEqual(['s1']);
    expect(breakers.isOpen('s2')).toBe(false);
  });

  it('are half-open until the site accepts or refuses a write', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    const passed: string[] = [];
    breakers.onDidClose.on((siteId) => passed.push(siteId));
    breakers.report('s1', error('api.read-only'));
    breakers.halfOpen('s1');
    expect(breakers.blockedSites()).toEqual([]);
    expect([...breakers.halfOpenSites()]).toEqual(['s1']);
    breakers.report('s1', error('api.read-only'));
    expect(breakers.isOpen('s1')).toBe(true);
    expect([...breakers.halfOpenSites()]).toEqual([]);
    breakers.halfOpen('s1');
    breakers.answered('s1', true);
    breakers.answered('s1', true);
    expect(passed).toEqual(['s1']);
    expect([...breakers.halfOpenSites()]).toEqual([]);
  });

  it('close as soon as the site accepts a write, and reset the backoff', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    const passed: string[] = [];
    breakers.onDidClose.on((siteId) => passed.push(siteId));
    for (let round = 0; round < 8; round += 1) {
      breakers.report('s1', error('api.read-only'));
      expect(breakers.nextProbeInMs()).toBe(5000);
      if (round % 2 === 0) {
        clock.advance(5000);
        breakers.takeDueProbes();
        breakers.halfOpen('s1');
      }
      breakers.answered('s1', false);
      expect(passed).toHaveLength(round);
      breakers.answered('s1', true);
      expect(breakers.isOpen('s1')).toBe(false);
      expect(passed).toHaveLength(round + 1);
    }
  });

  it('are probed on time even if many requests in flight fail for the same reason', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    breakers.report('s1', error('api.read-only'));
    for (let second = 1; second < 5; second += 1) {
      clock.advance(1000);
      breakers.report('s1', error('api.read-only'));
      expect(breakers.nextProbeInMs()).toBe(5000 - 1000 * second);
    }
    clock.advance(1000);
    expect(breakers.takeDueProbes()).toHaveLength(1);
  });

  it('refuse writes in a maintenance and all requests after a 429; without a network they refuse none, and jobs wait', () => {
    const breakers = new SiteBreakers(new ManualClock());
    const held = (code: ErrorCode, details: Record<string, unknown> = {}) => {
      breakers.close('s1');
      breakers.report('s1', appError(code, { details }).toData());
      const reads = breakers.blockedBy('s1', false)?.code ?? null;
      return [breakers.blockedBy('s1', true)?.code ?? null, reads, breakers.blocksReads('s1')];
    };
    expect(held('api.read-only')).toEqual(['api.read-only', null, false]);
    expect(held('api.read-only', { lacks: 'token' })).toEqual(['api.read-only', 'api.read-only', true]);
    expect(held('api.too-many-requests')).toEqual(['api.too-many-requests', 'api.too-many-requests', true]);
    expect(held('network.unreachable')).toEqual([null, null, true]);
  });

  it('are not probed before Retry-After has passed, also when the computer wakes up', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    for (const code of ['api.read-only', 'api.too-many-requests', 'site.unreachable'] as const) {
      breakers.report('s1', appError(code, { details: { retryAfterMs: 90_000 } }).toData());
      expect(breakers.nextProbeInMs(), code).toBe(90_000);
      breakers.probeNow();
      expect(breakers.nextProbeInMs(), code).toBe(90_000);
      breakers.report('s1', appError(code, { details: { retryAfterMs: 120_000 } }).toData());
      expect(breakers.nextProbeInMs(), code).toBe(120_000);
      breakers.close('s1');
    }
  });

  it.each(['network.unreachable', 'api.read-only'] as const)(
    'keep Retry-After when a request in flight meets %s',
    (code) => {
      const clock = new ManualClock();
      const breakers = new SiteBreakers(clock);
      breakers.report('s1', appError('api.too-many-requests', { details: { retryAfterMs: 600_000 } }).toData());
      breakers.report('s1', error(code));
      expect(breakers.nextProbeInMs()).toBe(600_000);
      expect(breakers.blocksReads('s1')).toBe(true);
      clock.advance(600_000);
      breakers.takeDueProbes();
      breakers.report('s1', error(code));
      expect(breakers.reason()?.error.code).toBe(code);
    },
  );

  it('close on any answer after a 429, but not before Retry-After', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    breakers.report('s1', appError('api.too-many-requests', { details: { retryAfterMs: 90_000 } }).toData());
    breakers.answered('s1', true);
    expect(breakers.isOpen('s1')).toBe(true);
    clock.advance(90_000);
    breakers.takeDueProbes();
    breakers.halfOpen('s1');
    breakers.answered('s1', false);
    expect([...breakers.halfOpenSites()]).toEqual([]);
  });

  it('are not closed by an answer when no token is available', () => {
    const breakers = new SiteBreakers(new ManualClock());
    breakers.report('s1', appError('site.unreachable', { details: { lacks: 'token' } }).toData());
    breakers.answered('s1', true);
    expect(breakers.isOpen('s1')).toBe(true);
  });

  it('start no other upload while the first one probes a half-open site, for at most one minute', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    const atWork = new Set(['before the maintenance']);
    const undecided = () => breakers.undecidedSites((id) => atWork.has(id));
    breakers.report('s1', error('api.read-only'));
    breakers.halfOpen('s1');
    expect(undecided()).toEqual([]);
    breakers.begun('s1', 'first');
    atWork.add('first');
    expect(undecided()).toEqual(['s1']);
    atWork.delete('first');
    expect(undecided()).toEqual([]);
    breakers.begun('s1', 'second');
    atWork.add('second');
    clock.advance(59_000);
    expect(undecided()).toEqual(['s1']);
    clock.advance(1000);
    expect(undecided()).toEqual([]);
  });
});

describe('the end of an open breaker', () => {
  it('is reported once, whether an answer, a probe or a sign-in closed it', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    const closed: string[] = [];
    breakers.onDidClose.on((siteId) => closed.push(`${siteId} ${breakers.isOpen(siteId)}`));
    breakers.report('change', error('api.read-only'));
    breakers.answered('change', true);
    breakers.report('network', error('network.unreachable'));
    breakers.close('network');
    breakers.report('sign-in', error('sign-in.required'));
    breakers.closeAfterSignIn('sign-in');
    const once = ['change false', 'network false', 'sign-in false'];
    expect(closed).toEqual(once);
    for (const siteId of ['change', 'network', 'sign-in', 'other']) {
      breakers.answered(siteId, true);
      breakers.close(siteId);
      breakers.closeAfterSignIn(siteId);
    }
    expect(closed).toEqual(once);
  });
});

describe('the reason why a breaker is open', () => {
  it('is reported when it changes, and again when the breaker opens again for the same reason', () => {
    const clock = new ManualClock();
    const breakers = new SiteBreakers(clock);
    const reported: string[] = [];
    breakers.onDidChangeReason.on((siteId) => reported.push(`${siteId} ${breakers.errorOf(siteId)?.code}`));
    breakers.report('s1', error('network.unreachable'));
    clock.advance(2000);
    breakers.takeDueProbes();
    breakers.report('s1', error('network.unreachable'));
    expect(reported).toEqual(['s1 network.unreachable']);
    breakers.report('s1', error('sign-in.required'));
    breakers.closeAfterSignIn('s1');
    breakers.report('s1', error('sign-in.required'));
    const again = ['s1 sign-in.required', 's1 sign-in.required'];
    expect(reported).toEqual(['s1 network.unreachable', ...again]);
  });
});
