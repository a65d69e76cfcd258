import { describe, expect, it } from 'vitest';
import { decideReadiness, quietTimeOf } from '../../../../../electron/engine/watch/readiness/decide-readiness.ts';
import {
  type ContainerVerdict,
  type Inspection,
  type ObservedFile,
  observe,
  type ReadinessHistory,
  withInspection,
} from '../../../../../electron/engine/watch/readiness/observations.ts';
import {
  GIVE_UP_MS,
  LEAST_QUIET_MS,
  MOST_QUIET_MS,
} from '../../../../../electron/engine/watch/readiness/readiness-limits.ts';

const file = (sizeBytes: number, other: Partial<ObservedFile> = {}): ObservedFile => ({
  sizeBytes,
  mtimeMs: 1000,
  fileId: '1',
  blocks: null,
  ...other,
});

/** The history after observations at these seconds. */
function seen(...observations: [seconds: number, file: ObservedFile | null][]): ReadinessHistory {
  let history: ReadinessHistory | null = null;
  for (const [seconds, found] of observations) history = observe(history, { atMs: seconds * 1000, file: found });
  return history as ReadinessHistory;
}

/** Observed unchanged every 2 s from one second to another. */
function quiet(from: number, to: number, found: ObservedFile): [number, ObservedFile][] {
  const observations: [number, ObservedFile][] = [];
  for (let at = from; at <= to; at += 2) observations.push([at, found]);
  return observations;
}

const inspected = (history: ReadinessHistory, container: ContainerVerdict, isOpenElsewhere: boolean | null = null) =>
  withInspection(history, { isOpenElsewhere, container });
const COMPLETE = { kind: 'complete' } as const;
const UNKNOWN = { kind: 'unknown' } as const;
const CUT = { kind: 'incomplete', reason: 'part-missing' } as const;

describe('a file that does not change', () => {
  it('is not ready an hour after its only observation', () => {
    expect(decideReadiness(seen([0, file(5)]), 3_600_000)).toMatchObject({ kind: 'settling', reason: 'quiet' });
  });

  it('is inspected after ten seconds with two equal observations, and not earlier', () => {
    expect(decideReadiness(seen(...quiet(0, 8, file(5)), [9.999, file(5)]), 9999)).toMatchObject({
      kind: 'settling',
      remainingMs: 1,
      nextCheckAtMs: 10_000,
    });
    expect(decideReadiness(seen(...quiet(0, 10, file(5))), 10_000)).toEqual({ kind: 'inspect' });
  });

  it('is ready when the inspection finds no reason against it', () => {
    const history = seen(...quiet(0, 10, file(5)));
    for (const container of [COMPLETE, UNKNOWN]) {
      expect(decideReadiness(inspected(history, container), 10_000)).toEqual({ kind: 'ready' });
      expect(decideReadiness(inspected(history, container, false), 10_000)).toEqual({ kind: 'ready' });
    }
  });

  it('waits five minutes when it may not be filled and nothing shows whether a program has it open', () => {
    const unfilled = (history: ReadinessHistory, isOpenElsewhere: boolean | null) =>
      withInspection(history, { isOpenElsewhere, isUnfilled: true, container: COMPLETE });
    const history = seen(...quiet(0, 10, file(5)));
    expect(decideReadiness(unfilled(history, null), 10_000)).toMatchObject({ kind: 'settling', reason: 'unfinished' });
    expect(decideReadiness(unfilled(history, false), 10_000)).toEqual({ kind: 'ready' });
    const later = seen(...quiet(0, 300, file(5)));
    expect(decideReadiness(unfilled(later, null), 300_000)).toEqual({ kind: 'ready' });
    expect(decideReadiness(unfilled(later, true), 300_000)).toMatchObject({ reason: 'open-elsewhere' });
  });

  it('waits while another program has it open, however complete its contents look', () => {
    const history = seen(...quiet(0, 10, file(5)));
    expect(decideReadiness(inspected(history, COMPLETE, true), 10_000)).toMatchObject({ reason: 'open-elsewhere' });
  });

  it('must be inspected again after it changes', () => {
    const ready = inspected(seen(...quiet(0, 10, file(5))), COMPLETE);
    const changed = observe(ready, { atMs: 12_000, file: file(6) });
    expect(decideReadiness(changed, 12_000)).toMatchObject({ kind: 'settling', reason: 'changing' });
  });
});

describe('while a file is polled,', () => {
  it.each([
    ['size', file(6)],
    ['mtime (an earlier one)', file(5, { mtimeMs: 999 })],
    ['file id', file(5, { fileId: '2' })],
    ['allocated blocks', file(5, { blocks: 16 })],
    ['sampled bytes', file(5, { blocks: 8, sample: 'b' })],
  ])('another %s starts the wait again', (_what, after) => {
    const before = file(5, { blocks: 8, sample: 'a' });
    const history = seen(...quiet(0, 8, before), [10, after]);
    expect(decideReadiness(history, 10_000).kind).toBe('settling');
    expect(history.quietMs).toBe(0);
  });

  it('a sample or a block count that one poll lacks is no change', () => {
    const history = seen([0, file(5, { sample: 'a', blocks: 8 })], [5, file(5)], [10, file(5, { sample: 'a' })]);
    expect(decideReadiness(history, 10_000).kind).toBe('inspect');
    const other = seen([0, file(5, { sample: 'a' })], [5, file(5)], [10, file(5, { sample: 'b' })]);
    expect(decideReadiness(other, 10_000).kind).toBe('settling');
  });

  it('an mtime in the future or in the distant past is no change unless it differs', () => {
    for (const mtimeMs of [0, -1, 4e12]) {
      const same = file(5, { mtimeMs });
      expect(decideReadiness(seen(...quiet(0, 10, same)), 10_000).kind).toBe('inspect');
    }
  });
});

describe('the quiet time', () => {
  it('is three times the longest gap between two writes', () => {
    const history = seen([0, file(1)], [2, file(2)], ...quiet(4, 18, file(2)), [20, file(3)], [22, file(4)]);
    expect(history.longestGapMs).toBe(18_000);
    expect(quietTimeOf(history)).toBe(54_000);
    expect(decideReadiness(history, 22_000)).toMatchObject({ quietTimeMs: 54_000, remainingMs: 54_000 });
  });

  it('is at least ten seconds and at most five minutes', () => {
    expect(quietTimeOf(seen([0, file(1)], [1, file(2)]))).toBe(LEAST_QUIET_MS);
    expect(quietTimeOf(seen([0, file(1)], ...quiet(2, 200, file(1)), [202, file(2)]))).toBe(MOST_QUIET_MS);
  });

  it('counts only the usual interval of a late poll, because the time of the change is unknown', () => {
    expect(seen([0, file(1)], [5, file(2)]).longestGapMs).toBe(2000);
    expect(seen([0, file(1)], [4, file(1)], [9, file(2)]).longestGapMs).toBe(6000);
    expect(seen([0, file(1)], [4, file(1)], [13, file(2)]).longestGapMs).toBe(4000);
  });

  it('does not grow by the wait for the first byte', () => {
    const history = seen(...quiet(0, 100, file(0)), [102, file(1)]);
    expect(quietTimeOf(history)).toBe(LEAST_QUIET_MS);
  });

  it('does not grow by blocks that the system allocates late', () => {
    const late = file(5, { blocks: 8 });
    const history = seen([0, file(5, { blocks: 0 })], ...quiet(2, 30, file(5, { blocks: 0 })), ...quiet(32, 42, late));
    expect(quietTimeOf(history)).toBe(LEAST_QUIET_MS);
    expect(decideReadiness(history, 42_000).kind).toBe('inspect');
  });

  it('starts again for a file that was replaced, without the gaps of the old file', () => {
    const history = seen([0, file(1)], [20, file(2)], [22, file(2, { fileId: '2' })]);
    expect(history).toMatchObject({ longestGapMs: 0, hasGrown: false, quietMs: 0 });
  });
});

describe('after late polls, a sleep or a restart,', () => {
  it('a file is inspected after six more polls when all of them are late', () => {
    const late = [0, 30, 60, 90, 120, 150, 180].map((at): [number, ObservedFile] => [at, file(5)]);
    expect(decideReadiness(seen(...late.slice(0, 6)), 150_000).kind).toBe('settling');
    expect(decideReadiness(seen(...late), 180_000).kind).toBe('inspect');
  });

  it('an hour of sleep does not count as quiet time', () => {
    const history = seen([0, file(1)], [2, file(2)], ...quiet(4, 8, file(2)), [10, file(3)]);
    const woken = observe(history, { atMs: 3_600_000, file: file(3) });
    expect(woken.quietMs).toBe(0);
    expect(decideReadiness(woken, 3_600_000).kind).toBe('settling');
  });

  it('a poll that a sleep delayed counts for the gap, not for the quiet time', () => {
    const slept = seen([0, file(1)], [2, file(1)], [3600, file(1)], [3602, file(1)]);
    expect(slept.quietMs).toBe(4000);
    // The hour between two polls counts as six seconds: the computer slept for the rest.
    expect(observe(slept, { atMs: 3_604_000, file: file(2) }).longestGapMs).toBe(12_000);
  });

  it('the wait starts again when a new process measures the time', () => {
    const history = inspected(seen(...quiet(1000, 1010, file(5))), COMPLETE);
    const restarted = observe(history, { atMs: 3000, file: file(5) });
    expect(decideReadiness(restarted, 3000)).toMatchObject({ kind: 'settling', nextCheckAtMs: 7000 });
    expect(restarted).toMatchObject({ quietMs: 0, equalLooks: 1, inspection: null });
  });

  it('the next poll comes soon when the clock is behind the last observation', () => {
    const history = seen([1000, file(5)]);
    const readiness = decideReadiness(history, 2000);
    expect(readiness).toMatchObject({ kind: 'settling', nextCheckAtMs: 6000 });
  });
});

describe('empty and vanished files', () => {
  it('wait for their first byte without limit', () => {
    const history = seen(...quiet(0, 400, file(0)));
    expect(decideReadiness(history, 400_000)).toMatchObject({ kind: 'settling', reason: 'empty', remainingMs: null });
  });

  it('count as vanished when no file has the path, and settle again when a file has it', () => {
    const gone = seen([0, file(5)], [2, null]);
    expect(decideReadiness(gone, 2000)).toEqual({ kind: 'vanished' });
    expect(decideReadiness(observe(gone, { atMs: 60_000, file: file(5) }), 60_000).kind).toBe('settling');
  });
});

describe('a file whose container is not complete, or that is open elsewhere', () => {
  const still = (to: number) => seen(...quiet(0, to, file(5)));

  it.each([
    ['its container is truncated', CUT, false, 'unfinished'],
    ['another process has it open', COMPLETE, true, 'open-elsewhere'],
    ['another process has it open, with unknown contents', UNKNOWN, true, 'open-elsewhere'],
  ] as const)('is not ready while %s', (_why, container, isOpen, reason) => {
    expect(decideReadiness(inspected(still(10), container, isOpen), 10_000)).toMatchObject({
      kind: 'settling',
      reason,
      nextCheckAtMs: 14_000,
    });
  });

  it('is inspected again every ten seconds: it may have been closed without a change', () => {
    const history = inspected(still(10), COMPLETE, true);
    const later = observe(history, { atMs: 20_000, file: file(5) });
    expect(decideReadiness(later, 20_000)).toEqual({ kind: 'inspect' });
    expect(decideReadiness(inspected(later, COMPLETE, false), 20_000)).toEqual({ kind: 'ready' });
  });

  it('is shown as incomplete, with the reason, after five minutes without a change', () => {
    const before = still(GIVE_UP_MS / 1000 - 2);
    expect(decideReadiness(inspected(before, CUT), GIVE_UP_MS - 2000).kind).toBe('settling');
    const after = still(GIVE_UP_MS / 1000);
    expect(decideReadiness(inspected(after, CUT), GIVE_UP_MS)).toMatchObject({
      kind: 'incomplete',
      reason: 'part-missing',
    });
    expect(decideReadiness(inspected(after, UNKNOWN, true), GIVE_UP_MS)).toMatchObject({
      kind: 'incomplete',
      reason: 'open-elsewhere',
    });
  });

  it('settles again when its writer continues', () => {
    const history = observe(inspected(still(400), CUT), { atMs: 401_000, file: file(6) });
    expect(decideReadiness(history, 401_000)).toMatchObject({ kind: 'settling', reason: 'changing' });
  });
});

describe('polls of an unchanged file', () => {
  /** Polls a file when it is due, as the engine does. Returns the waits after `GIVE_UP_MS`, in seconds, and the final state. */
  function polls(found: ObservedFile, inspection: Inspection, count: number) {
    let history = observe(null, { atMs: 0, file: found });
    let nowMs = 0;
    const waits: number[] = [];
    let inspections = 0;
    while (waits.length < count) {
      let readiness = decideReadiness(history, nowMs);
      if (readiness.kind === 'inspect') {
        inspections += 1;
        history = withInspection(history, inspection);
        readiness = decideReadiness(history, nowMs);
      }
      if (!('nextCheckAtMs' in readiness)) throw new Error(`it is ${readiness.kind}`);
      if (nowMs >= GIVE_UP_MS) waits.push((readiness.nextCheckAtMs - nowMs) / 1000);
      nowMs = readiness.nextCheckAtMs;
      history = observe(history, { atMs: nowMs, file: found });
    }
    return { waits, history, nowMs, inspections };
  }
  const DOUBLED = [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600];

  it('become half as frequent each time, down to one an hour, when the recording is incomplete', () => {
    expect(polls(file(5), { isOpenElsewhere: null, container: CUT }, 10).waits).toEqual(DOUBLED);
  });

  it('become rare in the same way while the file is empty', () => {
    expect(polls(file(0), { isOpenElsewhere: null, container: UNKNOWN }, 10).waits).toEqual(DOUBLED);
  });

  it('are at most two minutes apart while a program has the file open, because closing it changes nothing', () => {
    const { waits } = polls(file(5), { isOpenElsewhere: true, container: UNKNOWN }, 6);
    expect(waits).toEqual([30, 60, 120, 120, 120, 120]);
  });

  it('inspect a recording that stays incomplete for a month less than 800 times', () => {
    const { inspections, nowMs } = polls(file(5), { isOpenElsewhere: null, container: CUT }, 750);
    expect(nowMs).toBeGreaterThan(30 * 24 * 3_600_000);
    expect(inspections).toBeLessThan(800);
  });

  it('are frequent again when the file changes, and in a new process', () => {
    const { history, nowMs } = polls(file(5), { isOpenElsewhere: null, container: CUT }, 8);
    const changed = observe(history, { atMs: nowMs + 1000, file: file(6) });
    expect(decideReadiness(changed, nowMs + 1000)).toMatchObject({ kind: 'settling', nextCheckAtMs: nowMs + 3000 });
    const restarted = observe(history, { atMs: 500, file: file(5) });
    expect(decideReadiness(restarted, 500)).toMatchObject({ kind: 'settling', nextCheckAtMs: 4500 });
  });

  it('are frequent again for a history that an earlier version stored: the next one is due after a minute', () => {
    const { history, nowMs } = polls(file(5), { isOpenElsewhere: null, container: CUT }, 8);
    const { idlePolls: _, ...older } = history;
    const polled = observe(older as ReadinessHistory, { atMs: nowMs + 20_000, file: file(5) });
    expect(decideReadiness(withInspection(polled, { isOpenElsewhere: null, container: CUT }), nowMs + 20_000)).toEqual({
      kind: 'incomplete',
      reason: 'part-missing',
      nextCheckAtMs: nowMs + 80_000,
    });
  });
});

describe('the history', () => {
  it('is the same after it was stored as JSON', () => {
    const history = inspected(seen([0, file(1)], [3, file(2, { sample: 'x', blocks: 8 })]), CUT, true);
    expect(JSON.parse(JSON.stringify(history))).toEqual(history);
    expect(JSON.stringify(history).length).toBeLessThan(400);
  });
});
