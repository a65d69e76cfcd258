import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AT_MOST_EVERY_MS,
  COLLECT_MS,
  type DesktopNotice,
  NoticePlanner,
  type OpenProblem,
} from '../../../../electron/main/presence/notice-planner.ts';
import { noticeText } from '../../../../electron/main/presence/notice-text.ts';
import type { Batch } from '../../../../shared/contract/uploads.ts';
import { UPLOAD_STATES } from '../../../../shared/model/uploads/upload-states.ts';

const none = Object.fromEntries(UPLOAD_STATES.map((state) => [state, 0])) as Batch['counts'];
const batch = (counts: Partial<Batch['counts']>, more: Partial<Batch> = {}): Batch => ({
  id: 'b',
  siteId: 's',
  collectionId: 'c',
  collectionName: 'Optics',
  folderName: null,
  addedAt: 0,
  counts: { ...none, ...counts },
  totalBytes: 0,
  duplicates: 0,
  ...more,
});
const uploads = { view: 'uploads', batchId: null, tab: 'all' } as const;
const problem = (key: string, count = 1): OpenProblem => ({ key, kind: 'decision', count, place: uploads });

/** Runs until nothing is due any more. */
function allNotices(planner: NoticePlanner, from: number): { at: number; notice: DesktopNotice }[] {
  const reported: { at: number; notice: DesktopNotice }[] = [];
  for (let now = from; planner.dueAt() !== null; ) {
    now = Math.max(now, planner.dueAt() ?? now);
    for (const notice of planner.takeDue(now)) reported.push({ at: now, notice });
  }
  return reported;
}

describe('a batch that ends', () => {
  it('is reported once, with failures first', () => {
    const planner = new NoticePlanner();
    planner.takeBatches([batch({ sending: 10_000 })], 0);
    for (let done = 1; done < 9_990; done += 100) {
      planner.takeBatches([batch({ sending: 10_000 - done, complete: done })], done);
    }
    planner.takeBatches([batch({ complete: 9_997, failed: 3 }, { duplicates: 1 })], 20_000);
    planner.takeBatches([batch({ complete: 9_997, failed: 3 }, { duplicates: 1 })], 21_000);
    const reported = allNotices(planner, 20_000);
    expect(reported).toHaveLength(1);
    expect(reported[0]?.at).toBe(20_000 + COLLECT_MS.ended);
    const shown = noticeText(reported[0]?.notice as DesktopNotice, true);
    expect(shown).toEqual({
      title: '2 uploads failed',
      body: '1 upload needs a decision · 9997 uploads complete · in Optics',
      place: { view: 'uploads', batchId: 'b', tab: 'failed' },
    });
    expect(noticeText(reported[0]?.notice as DesktopNotice, false).body).not.toContain('Optics');
  });

  it('is not reported when it had ended before, or when all of it was cancelled', () => {
    const planner = new NoticePlanner();
    planner.takeBatches([batch({ complete: 4 })], 0);
    planner.takeBatches([batch({ queued: 2 }, { id: 'x' })], 0);
    planner.takeBatches([batch({ cancelled: 2 }, { id: 'x' })], 1);
    expect(allNotices(planner, 1)).toEqual([]);
  });

  it('counts only what ended since it was noticed, when files are added to it again and again', () => {
    const planner = new NoticePlanner();
    planner.takeBatches([batch({ complete: 50, queued: 1 })], 0);
    planner.takeBatches([batch({ complete: 51 })], 10);
    const [first] = allNotices(planner, 10);
    expect(noticeText(first?.notice as DesktopNotice, true).title).toBe('1 upload complete');
  });
});

describe('problems', () => {
  it('are reported together, once each, and not at all when they solve themselves meanwhile', () => {
    const planner = new NoticePlanner();
    planner.takeProblems([problem('a'), problem('b')], 0);
    planner.takeProblems([problem('a')], 5_000);
    const reported = allNotices(planner, 5_000);
    expect(reported.map(({ notice }) => notice)).toEqual([{ kind: 'attention', problems: [problem('a')] }]);
    planner.takeProblems([problem('a')], 90_000);
    expect(planner.dueAt()).toBeNull();
    planner.takeProblems([problem('a', 2)], 100_000);
    expect(allNotices(planner, 100_000)).toHaveLength(1);
    // Solved, and there again: it is new.
    planner.takeProblems([], 200_000);
    planner.takeProblems([problem('a')], 300_000);
    expect(allNotices(planner, 300_000)).toHaveLength(1);
  });
});

describe('notifications of one kind', () => {
  it('are at least a minute apart, whatever happens', () => {
    const step = fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), isBatch: fc.boolean(), id: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const planner = new NoticePlanner();
        const times: Record<DesktopNotice['kind'], number[]> = { ended: [], attention: [] };
        const run = (until: number) => {
          for (let due = planner.dueAt(); due !== null && due <= until; due = planner.dueAt()) {
            for (const { kind } of planner.takeDue(due)) times[kind].push(due);
          }
        };
        let now = 0;
        for (const { afterMs, isBatch, id } of steps) {
          now += afterMs;
          run(now);
          if (isBatch) {
            planner.takeBatches([batch({ queued: 1 }, { id: `${id}` })], now);
            planner.takeBatches([batch({ complete: 1 }, { id: `${id}` })], now);
          } else planner.takeProblems([problem(`${id}`, now)], now);
        }
        run(Number.POSITIVE_INFINITY);
        for (const list of Object.values(times)) {
          for (const [index, at] of list.entries()) {
            if (index > 0) expect(at - (list[index - 1] ?? 0)).toBeGreaterThanOrEqual(AT_MOST_EVERY_MS);
          }
        }
      }),
    );
  });
});

describe('the name of a collection in a notification', () => {
  it('can’t turn the writing direction or break the line, and is short', () => {
    const name = `\u202eevil\n${'x'.repeat(500)}`;
    const notice: DesktopNotice = {
      kind: 'ended',
      batches: [{ id: 'b', siteId: 's', collectionName: name, complete: 1, failed: 0, needsDecision: 0 }],
    };
    expect(noticeText(notice, true).body).toMatch(/^in evilx{56}…$/);
  });
});
