import { describe, expect, it } from 'vitest';
import { SiteGates } from '../../../../electron/engine/sites/site-gates.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/error-catalog.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const error = (code: ErrorCode) => appError(code).toData();

describe('site gates', () => {
  it('close for causes of the whole site and for no others', () => {
    const gates = new SiteGates(new ManualClock());
    for (const code of ['api.server-error', 'upload.refused', 'file.missing', 'api.forbidden'] as const) {
      gates.report('s1', error(code));
      expect(gates.isClosed('s1'), code).toBe(false);
    }
    for (const code of ['network.unreachable', 'api.read-only', 'sign-in.required', 'keychain.locked'] as const) {
      gates.report('s1', error(code));
      expect(gates.isClosed('s1'), code).toBe(true);
      gates.open('s1');
    }
  });

  it('hand out one probe at a time, and never wait more than 8 s for a network', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    gates.report('s1', error('network.unreachable'));
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const wait = gates.nextProbeInMs() ?? 0;
      waits.push(wait);
      clock.advance(wait);
      expect(gates.takeDueProbes()).toHaveLength(1);
      expect(gates.takeDueProbes()).toHaveLength(0);
      gates.report('s1', error('network.unreachable'));
    }
    expect(waits).toEqual([2000, 4000, 8000, 8000, 8000, 8000]);
  });

  it('are not pushed further away by many uploads that meet the same trouble at once', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    for (let count = 0; count < 50; count += 1) gates.report('s1', error('network.unreachable'));
    expect(gates.nextProbeInMs()).toBe(2000);
  });

  it('wait for a sign-in without any probe, and open when it comes', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    gates.report('s1', error('sign-in.required'));
    clock.advance(24 * 3_600_000);
    expect(gates.takeDueProbes()).toEqual([]);
    expect(gates.nextProbeInMs()).toBeNull();
    gates.open('s1');
    expect(gates.reason()).toBeNull();
  });

  it('ask a keychain ever more rarely, count it as a person’s business after a while, and open at a sign-in', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    gates.report('s1', error('keychain.locked'));
    const waits: number[] = [];
    const needed: string[][] = [];
    for (let round = 0; round < 6; round += 1) {
      const wait = gates.nextProbeInMs() ?? 0;
      waits.push(wait);
      needed.push(gates.sitesForAPerson());
      clock.advance(wait);
      expect(gates.takeDueProbes()).toHaveLength(1);
      gates.report('s1', error('keychain.locked'));
    }
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(needed).toEqual([[], [], [], [], ['s1'], ['s1']]);
    expect(gates.openForSignIn('s1')).toBe(true);
    expect(gates.isClosed('s1')).toBe(false);
  });

  it('keep the trouble of one site from the uploads of another', () => {
    const gates = new SiteGates(new ManualClock());
    gates.report('s1', error('api.read-only'));
    expect(gates.blockedSites()).toEqual(['s1']);
    expect(gates.isClosed('s2')).toBe(false);
  });

  it('are opened by maintenance for one upload, until the site has taken a change or refused again', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    const passed: string[] = [];
    gates.onDidPass.on((siteId) => passed.push(siteId));
    gates.report('s1', error('api.read-only'));
    gates.openForTry('s1');
    expect(gates.blockedSites()).toEqual([]);
    expect([...gates.sitesOnTrial()]).toEqual(['s1']);
    gates.report('s1', error('api.read-only'));
    expect(gates.isClosed('s1')).toBe(true);
    expect([...gates.sitesOnTrial()]).toEqual([]);
    gates.openForTry('s1');
    gates.answered('s1', true);
    gates.answered('s1', true);
    expect(passed).toEqual(['s1']);
    expect([...gates.sitesOnTrial()]).toEqual([]);
  });

  it('open at once when the site takes a change, and count the next refusal as the first', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    const passed: string[] = [];
    gates.onDidPass.on((siteId) => passed.push(siteId));
    for (let round = 0; round < 8; round += 1) {
      gates.report('s1', error('api.read-only'));
      expect(gates.nextProbeInMs()).toBe(5000);
      if (round % 2 === 0) {
        clock.advance(5000);
        gates.takeDueProbes();
        gates.openForTry('s1');
      }
      gates.answered('s1', false);
      expect(passed).toHaveLength(round);
      gates.answered('s1', true);
      expect(gates.isClosed('s1')).toBe(false);
      expect(passed).toHaveLength(round + 1);
    }
  });

  it('are probed in time however often requests that were on their way meet the same', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    gates.report('s1', error('api.read-only'));
    for (let second = 1; second < 5; second += 1) {
      clock.advance(1000);
      gates.report('s1', error('api.read-only'));
      expect(gates.nextProbeInMs()).toBe(5000 - 1000 * second);
    }
    clock.advance(1000);
    expect(gates.takeDueProbes()).toHaveLength(1);
  });

  it('hold back writes in maintenance, everything where fewer requests are asked for, and nothing without a network', () => {
    const gates = new SiteGates(new ManualClock());
    const held = (code: ErrorCode, details: Record<string, unknown> = {}) => {
      gates.open('s1');
      gates.report('s1', appError(code, { details }).toData());
      const reads = gates.holdingBack('s1', false)?.code ?? null;
      return [gates.holdingBack('s1', true)?.code ?? null, reads, gates.holdsReads('s1')];
    };
    expect(held('api.read-only')).toEqual(['api.read-only', null, false]);
    expect(held('api.read-only', { lacks: 'token' })).toEqual(['api.read-only', 'api.read-only', true]);
    expect(held('api.too-many-requests')).toEqual(['api.too-many-requests', 'api.too-many-requests', true]);
    expect(held('network.unreachable')).toEqual([null, null, true]);
  });

  it('stay closed for as long as the site asks, also when the computer comes back', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    for (const code of ['api.read-only', 'api.too-many-requests', 'site.unreachable'] as const) {
      gates.report('s1', appError(code, { details: { retryAfterMs: 90_000 } }).toData());
      expect(gates.nextProbeInMs(), code).toBe(90_000);
      gates.probeNow();
      expect(gates.nextProbeInMs(), code).toBe(90_000);
      gates.report('s1', appError(code, { details: { retryAfterMs: 120_000 } }).toData());
      expect(gates.nextProbeInMs(), code).toBe(120_000);
      gates.open('s1');
    }
  });

  it.each(['network.unreachable', 'api.read-only'] as const)(
    'keep the time that the site asked for when a request on its way meets %s',
    (code) => {
      const clock = new ManualClock();
      const gates = new SiteGates(clock);
      gates.report('s1', appError('api.too-many-requests', { details: { retryAfterMs: 600_000 } }).toData());
      gates.report('s1', error(code));
      expect(gates.nextProbeInMs()).toBe(600_000);
      expect(gates.holdsReads('s1')).toBe(true);
      clock.advance(600_000);
      gates.takeDueProbes();
      gates.report('s1', error(code));
      expect(gates.reason()?.error.code).toBe(code);
    },
  );

  it('that were closed by too many requests open by any answer, but not before their time', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    gates.report('s1', appError('api.too-many-requests', { details: { retryAfterMs: 90_000 } }).toData());
    gates.answered('s1', true);
    expect(gates.isClosed('s1')).toBe(true);
    clock.advance(90_000);
    gates.takeDueProbes();
    gates.openForTry('s1');
    gates.answered('s1', false);
    expect([...gates.sitesOnTrial()]).toEqual([]);
  });

  it('are not opened by an answer where no token can be had', () => {
    const gates = new SiteGates(new ManualClock());
    gates.report('s1', appError('site.unreachable', { details: { lacks: 'token' } }).toData());
    gates.answered('s1', true);
    expect(gates.isClosed('s1')).toBe(true);
  });

  it('on trial let nobody through while the one that was let through is finding out, for a minute at most', () => {
    const clock = new ManualClock();
    const gates = new SiteGates(clock);
    const atWork = new Set(['before the maintenance']);
    const undecided = () => gates.undecidedSites((id) => atWork.has(id));
    gates.report('s1', error('api.read-only'));
    gates.openForTry('s1');
    expect(undecided()).toEqual([]);
    gates.begun('s1', 'first');
    atWork.add('first');
    expect(undecided()).toEqual(['s1']);
    atWork.delete('first');
    expect(undecided()).toEqual([]);
    gates.begun('s1', 'second');
    atWork.add('second');
    clock.advance(59_000);
    expect(undecided()).toEqual(['s1']);
    clock.advance(1000);
    expect(undecided()).toEqual([]);
  });
});
