import { describe, expect, it } from 'vitest';
import {
  type MovableItem,
  moveOf,
  refusalToMove,
} from '../../../../../../renderer/features/calendar/state/reschedule.ts';
import { shownIds, shownOf } from '../../../../../../renderer/features/calendar/state/shown-entries.ts';
import {
  isSkipped,
  itemsInTitle,
  slotIndex,
  visibleRange,
} from '../../../../../../renderer/features/calendar/state/visible-range.ts';
import type { MediaRow } from '../../../../../../shared/contract/library.ts';

const VIENNA = 'Europe/Vienna';
const NOW = Date.parse('2026-03-01T12:20:00Z');
const item = (change: Partial<MovableItem> = {}): MovableItem => ({
  id: '1',
  title: 'Talk',
  status: 'scheduled',
  publishOn: '2026-03-27T01:30:00Z',
  ...change,
});

describe('an item of the calendar', () => {
  it.each(['scheduled', 'draft'])('can be moved while it is %s', (status) => {
    expect(refusalToMove(item({ status }))).toBe(null);
  });

  it('can’t be moved while it is published, about to be deleted, or in an unknown state', () => {
    expect(refusalToMove(item({ status: 'published' }))?.text).toContain('is published');
    expect(refusalToMove(item({ pending: 'deleted' }))?.text).toContain('about to be deleted');
    expect(refusalToMove(item({ status: 'expired' }))?.text).toContain('present state');
  });

  it('has the time after a move in words, with the time that clocks skip', () => {
    expect(moveOf(item(), '2026-03-28', null, VIENNA, NOW)).toMatchObject({
      when: 'Sat 28 Mar 2026, 02:30',
      skipped: null,
    });
    expect(moveOf(item(), '2026-03-29', null, VIENNA, NOW)).toMatchObject({
      when: 'Sun 29 Mar 2026, 03:30',
      skipped: '02:30',
    });
    expect(moveOf(item(), '2026-03-29', 2, VIENNA, NOW).skipped).toBe('02:30');
    expect(moveOf(item({ publishOn: null }), '2026-03-29', 2, VIENNA, NOW)).toMatchObject({
      when: 'Sun 29 Mar 2026, 03:00',
      skipped: '02:00',
    });
  });
});

describe('the visible days', () => {
  it('have one slot for each day of a month and each hour of a week', () => {
    const month = visibleRange('month', '2026-05-05', 1, VIENNA);
    expect([month.title, month.instants.length, slotIndex(month, '2026-05-05', 9)]).toEqual(['May 2026', 36, 8]);
    const week = visibleRange('week', '2026-05-05', 1, VIENNA);
    expect([week.title, week.instants.length]).toEqual(['4–10 May 2026', 169]);
    expect([slotIndex(week, '2026-05-05', 9), slotIndex(week, '2026-05-11', 0)]).toEqual([33, -1]);
  });

  it('count the items of the month in the title without those of the months beside it, and all items of a week', () => {
    // From 27 April to 31 May.
    const month = visibleRange('month', '2026-05-05', 1, VIENNA);
    const slots = month.instants.slice(1).map((_, index) => ({ count: index < 4 ? 100 : 1 }));
    expect(itemsInTitle(month, slots)).toBe(31);
    const week = visibleRange('week', '2026-05-01', 1, VIENNA);
    expect(itemsInTitle(week, Array(168).fill({ count: 1 }))).toBe(168);
  });

  it('are titled by both months or years of a week', () => {
    const title = (day: string) => visibleRange('week', day, 1, 'UTC').title;
    expect(title('2026-05-01')).toBe('27 Apr – 3 May 2026');
    expect(title('2026-12-31')).toBe('28 Dec 2026 – 3 Jan 2027');
  });

  it('know the hour that clocks skip', () => {
    const week = visibleRange('week', '2026-03-29', 1, VIENNA);
    const skipped = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isSkipped(week, '2026-03-29', hour));
    expect(skipped).toEqual([2]);
  });

  it.each(['0999-12-31', '1000-01-01', '9999-12-31'])('exist around %s', (day) => {
    const clamped = day < '1000-01-01' ? '1000-01-01' : day;
    for (const mode of ['month', 'week'] as const) {
      const { instants } = visibleRange(mode, clamped, 1, VIENNA);
      expect(instants).toEqual([...instants].sort((a, b) => a - b));
    }
  });
});

describe('the lines of a slot', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id }) as MediaRow);

  it('show all items that fit, otherwise one less and the number of the others', () => {
    expect(shownOf({ count: 3, rows }, 3)).toEqual({ rows, more: 0 });
    expect(shownOf({ count: 3, rows }, 2)).toMatchObject({ rows: [{ id: 'a' }], more: 2 });
    expect(shownOf({ count: 2000, rows }, 4)).toMatchObject({ rows, more: 1997 });
    expect(shownIds({ count: 2000, rows }, 1)).toEqual(['+more']);
    expect(shownIds({ count: 0, rows: [] }, 3)).toEqual([]);
  });
});
