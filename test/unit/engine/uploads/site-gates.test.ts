import { describe, expect, it } from 'vitest';
import { SiteGates } from '../../../../electron/engine/uploads/site-gates.ts';
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
    gates.passed('s1');
    gates.passed('s1');
    expect(passed).toEqual(['s1']);
    expect([...gates.sitesOnTrial()]).toEqual([]);
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
