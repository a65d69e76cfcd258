import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BEGIN_WITHIN_MS,
  FINISH_WITHIN_MS,
  linkSpeed,
  mayBegin,
  paceOf,
  type Runner,
  withOneMore,
} from '../../../shared/model/finish-in-time.ts';
import { Prng } from '../../helpers/data/prng.ts';

const MINUTE_MS = 60_000;
const MB = 1_000_000;

const runner = (id: string, changes: Partial<Runner> = {}): Runner => ({
  id,
  ageMs: 0,
  remainingBytes: 100 * MB,
  bytesPerSecond: MB,
  isSettled: true,
  isHeld: false,
  ...changes,
});

const runners = fc
  .array(
    fc.record({
      ageMs: fc.integer({ min: 0, max: 40 * MINUTE_MS }),
      remainingBytes: fc.integer({ min: 0, max: 5000 * MB }),
      bytesPerSecond: fc.option(fc.integer({ min: 0, max: 10 * MB })),
      isSettled: fc.boolean(),
      isHeld: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((list) => list.map((each, index): Runner => ({ id: String(index), ...each })));

describe('the deadline check of transfers on a shared link', () => {
  it('pauses nothing when all transfers meet the deadline', () => {
    expect(paceOf([runner('a'), runner('b')])).toEqual({ hold: [], release: [], tooSlow: [] });
  });

  it('pauses the newest transfers, as many as necessary and no more', () => {
    // Four files of 1 GB at 0.25 MB/s each take over an hour together, and 17 minutes each alone: two would take 33.
    const four = ['a', 'b', 'c', 'd'].map((id) => runner(id, { remainingBytes: 1000 * MB, bytesPerSecond: MB / 4 }));
    expect(paceOf(four).hold).toEqual(['b', 'c', 'd']);
    const smaller = four.map((each) => ({ ...each, remainingBytes: 700 * MB }));
    expect(paceOf(smaller).hold).toEqual(['c', 'd']);
  });

  it('reports a transfer that cannot meet the deadline even alone, lets it run, and pauses no other for it', () => {
    const giant = runner('giant', { remainingBytes: 5000 * MB, bytesPerSecond: MB / 2 });
    const small = runner('small', { bytesPerSecond: MB / 2 });
    expect(paceOf([giant])).toEqual({ hold: [], release: [], tooSlow: ['giant'] });
    expect(paceOf([giant, small])).toEqual({ hold: [], release: [], tooSlow: ['giant'] });
  });

  it('resumes a paused transfer when it fits again, or when nothing else runs', () => {
    const held = runner('held', { remainingBytes: 1000 * MB, bytesPerSecond: null, isHeld: true, isSettled: false });
    const running = runner('a', { remainingBytes: 800 * MB });
    expect(paceOf([running, held]).release).toEqual([]);
    expect(
      paceOf([
        { ...running, remainingBytes: 10 * MB },
        { ...held, remainingBytes: 100 * MB },
      ]).release,
    ).toEqual(['held']);
    expect(paceOf([held]).release).toEqual(['held']);
  });

  it('permits a start only when all transfers meet the deadline, or when nothing runs', () => {
    const running = [runner('a', { remainingBytes: 1000 * MB })];
    expect(mayBegin([], 1e12)).toBe(true);
    expect(mayBegin(running, 10 * MB)).toBe(false);
    expect(mayBegin([runner('a', { remainingBytes: 100 * MB })], 100 * MB)).toBe(true);
    expect(mayBegin([runner('a', { remainingBytes: 100 * MB })], 1000 * MB)).toBe(false);
    expect(mayBegin([runner('a', { isHeld: true }), runner('b')], 1)).toBe(false);
    expect(mayBegin([runner('a', { bytesPerSecond: null, isSettled: false })], 1e12)).toBe(true);
  });

  it('keeps at least one transfer running, pauses only the newest, and never pauses and resumes in one step', () => {
    fc.assert(
      fc.property(runners, (list) => {
        const { hold, release, tooSlow } = paceOf(list);
        const running = list.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
        expect(running.slice(running.length - hold.length)).toEqual(hold);
        if (list.length > 0) expect(running.length - hold.length + release.length).toBeGreaterThan(0);
        expect(hold.length === 0 || release.length === 0).toBe(true);
        for (const id of tooSlow) expect(running).toContain(id);
      }),
    );
  });

  it('keeps only those transfers running that meet the deadline with a shared bandwidth', () => {
    fc.assert(
      fc.property(runners, (list) => {
        const { hold, tooSlow } = paceOf(list);
        const running = list.filter(({ isHeld }) => !isHeld);
        const kept = running.filter(({ id }) => !hold.includes(id));
        const speed = linkSpeed(list);
        if (kept.length === 1 || speed === 0) return;
        for (const { id, ageMs, remainingBytes, bytesPerSecond, isSettled } of kept) {
          if (!isSettled || bytesPerSecond === null || tooSlow.includes(id)) continue;
          const then = Math.min(speed, (bytesPerSecond * running.length) / kept.length);
          expect(ageMs + (remainingBytes / then) * 1000).toBeLessThanOrEqual(FINISH_WITHIN_MS);
        }
      }),
    );
  });
});

type Transfer = Runner & { heldForMs: number; runsForMs: number };

const STEP_MS = 5000;

/** Removes from the front of `waiting` the uploads that may begin in addition to `live`, and returns them. */
function begun(waiting: { id: string; sizeBytes: number }[], live: readonly Transfer[], slots: number): Transfer[] {
  const fresh: Transfer[] = [];
  let seen: Runner[] = [...live];
  for (let next = waiting[0]; next !== undefined && live.length + fresh.length < slots; next = waiting[0]) {
    if (!mayBegin(seen, next.sizeBytes)) break;
    waiting.shift();
    seen = withOneMore(seen, next);
    const state = { ageMs: 0, remainingBytes: next.sizeBytes, bytesPerSecond: null, isSettled: false, isHeld: false };
    fresh.push({ id: next.id, ...state, heldForMs: 0, runsForMs: 0 });
  }
  return fresh;
}

/** One step of a transfer. `speedNow`: its bytes per second while it is not held. */
function advance(transfer: Transfer, speedNow: () => number): void {
  transfer.ageMs += STEP_MS;
  if (transfer.isHeld) {
    transfer.heldForMs += STEP_MS;
    return;
  }
  const speed = speedNow();
  transfer.runsForMs += STEP_MS;
  transfer.remainingBytes -= (speed * STEP_MS) / 1000;
  transfer.bytesPerSecond = speed;
  transfer.isSettled = transfer.runsForMs >= 10_000;
}

/** Holds and releases transfers as `paceOf` decided. */
function change(live: readonly Transfer[], hold: readonly string[], release: readonly string[]): void {
  for (const each of live) {
    if (hold.includes(each.id))
      Object.assign(each, { isHeld: true, heldForMs: 0, bytesPerSecond: null, isSettled: false });
    if (release.includes(each.id)) Object.assign(each, { isHeld: false, runsForMs: 0 });
  }
}

/**
 * Simulates uploads of these sizes over a link of fixed speed that all running transfers share. The service abandons placeholders
 * after half an hour. `wobble` returns the factor by which the speed of a transfer varies.
 */
function transferAll(sizes: readonly number[], slots: number, linkBytesPerSecond: number, wobble: () => number) {
  const waiting = sizes.map((sizeBytes, index) => ({ id: String(index), sizeBytes }));
  let live: Transfer[] = [];
  const result = {
    aborted: [] as string[],
    holds: 0,
    givenUp: 0,
    idleSteps: 0,
    endedAtMs: 0,
    warned: new Set<string>(),
  };
  let changedAtMs = Number.NEGATIVE_INFINITY;
  for (let now = 0; waiting.length + live.length > 0 && now < 30 * 24 * 60 * MINUTE_MS; now += STEP_MS) {
    const { hold, release, tooSlow } = paceOf(live);
    for (const id of tooSlow) result.warned.add(id);
    if (now - changedAtMs >= 15_000 || live.every(({ isHeld }) => isHeld)) {
      change(live, hold, release);
      if (hold.length + release.length > 0) changedAtMs = now;
      result.holds += hold.length;
    }
    live = [...live, ...begun(waiting, live, slots)];
    const running = live.filter(({ isHeld }) => !isHeld);
    if (running.length === 0) result.idleSteps += 1;
    for (const each of live) advance(each, () => (linkBytesPerSecond / running.length) * wobble());
    const late = live.filter(({ remainingBytes, ageMs }) => remainingBytes > 0 && ageMs > 30 * MINUTE_MS);
    result.aborted.push(...late.map(({ id }) => id));
    // A transfer that was held for too long starts again when it is next.
    const givenUp = live.filter((each) => !late.includes(each) && each.heldForMs > 10 * MINUTE_MS);
    result.givenUp += givenUp.length;
    for (const { id } of givenUp) waiting.unshift({ id, sizeBytes: sizes[Number(id)] as number });
    for (const each of [...late, ...givenUp]) each.remainingBytes = 0;
    live = live.filter(({ remainingBytes }) => remainingBytes > 0);
    result.endedAtMs = now;
  }
  return result;
}

describe('on a slow link, with a placeholder deadline of half an hour,', () => {
  it('eight large recordings complete, although all in parallel would miss the deadline', () => {
    const sizes = Array.from({ length: 8 }, () => 900 * MB);
    const result = transferAll(sizes, 8, MB, () => 1);
    expect(result.aborted).toEqual([]);
    expect(result.endedAtMs).toBeLessThan(8 * 15.5 * MINUTE_MS);
  });

  it('no transfer of up to 15 minutes alone is lost, the link is never idle, and pauses are rare', () => {
    const arbitrary = fc.record({
      link: fc.integer({ min: MB / 10, max: 20 * MB }),
      slots: fc.integer({ min: 1, max: 16 }),
      minutesEach: fc.array(fc.double({ min: 0.01, max: 15, noNaN: true }), { minLength: 1, maxLength: 25 }),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ link, slots, minutesEach, seed }) => {
        const random = new Prng(seed);
        const wobble = () => 0.95 + random.next() * 0.1;
        const sizes = minutesEach.map((minutes) => Math.ceil(minutes * 60 * link));
        const result = transferAll(sizes, slots, link, wobble);
        expect(result.aborted).toEqual([]);
        expect(result.idleSteps).toBe(0);
        // Mostly transfers that start before the speed of the link is known are held. In 30,000 runs there were at most 1.3 holds
        // for each slot and transfer, and less than half of one in 98 % of them; alternating transfers would be held hundreds of times.
        expect(result.holds).toBeLessThanOrEqual(2 * (slots + sizes.length));
      }),
      { numRuns: 200 },
    );
  });

  it('transfers that cannot meet the deadline run with a warning, and delay no others', () => {
    const result = transferAll([4000 * MB, 3000 * MB], 4, MB, () => 1);
    expect([...result.warned].sort()).toEqual(['0', '1']);
    expect({ holds: result.holds, idleSteps: result.idleSteps }).toEqual({ holds: 0, idleSteps: 0 });
  });
});

it('the time limit for a start is shorter than the limit for a pause, which prevents oscillation', () => {
  expect(BEGIN_WITHIN_MS).toBeLessThan(FINISH_WITHIN_MS);
});
