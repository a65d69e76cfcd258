// The answers of the library to the calendar, and moves by keys: late, failed, or after the user went elsewhere.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  currentSlots,
  filterByCollection,
  goTo,
  loadCalendar,
  useCalendar,
} from '../../../../../../renderer/features/calendar/state/calendar-store.ts';
import { stepCalendarItem } from '../../../../../../renderer/features/calendar/state/reschedule.ts';
import { visibleRange } from '../../../../../../renderer/features/calendar/state/visible-range.ts';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import type { MediaRow } from '../../../../../../shared/contract/library.ts';
import { dayBy } from '../../../../../../shared/model/calendar/calendar-days.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

/** A day in the middle of a month in the future. */
const DAY = '2996-05-12';
const row = (id: string) =>
  ({ id, title: 'Talk', status: 'scheduled', publishOn: `${DAY}T09:30:00.000Z`, pending: null }) as unknown as MediaRow;
const answer = (...ids: string[]) => ({
  slots: [{ count: ids.length, rows: ids.map(row) }],
});
const shownIds = () => currentSlots(useCalendar.getState())?.flatMap(({ rows }) => rows.map(({ id }) => id)) ?? null;
const settled = () => new Promise((resolve) => setImmediate(resolve));

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useCalendar.setState({
    siteId: 's',
    collection: null,
    timeZone: 'UTC',
    loaded: null,
    hasNoCopy: false,
    error: null,
    range: visibleRange('month', DAY, 1, 'UTC'),
    place: { day: DAY, hour: 9, itemId: null },
  });
});

describe('the items of the calendar', () => {
  it('are those of the first of two refreshes until the second is answered, and never an earlier answer', async () => {
    void loadCalendar();
    const first = bridge.take('library.calendar');
    void loadCalendar();
    const second = bridge.take('library.calendar');
    await first.answer(answer('1'));
    expect(shownIds()).toEqual(['1']);
    void loadCalendar();
    const third = bridge.take('library.calendar');
    await third.answer(answer('3'));
    await second.answer(answer('2'));
    expect(shownIds()).toEqual(['3']);
  });

  it('stay when a refresh fails, with the error, until a refresh succeeds', async () => {
    void loadCalendar();
    await bridge.take('library.calendar').answer(answer('1'));
    void loadCalendar();
    await bridge.take('library.calendar').refuse('site.unreachable');
    expect(shownIds()).toEqual(['1']);
    expect(useCalendar.getState().error?.code).toBe('site.unreachable');
    void loadCalendar();
    await bridge.take('library.calendar').answer(answer('2'));
    expect([shownIds(), useCalendar.getState().error]).toEqual([['2'], null]);
  });

  it('are unknown after another collection was chosen, and an answer for the one before is dropped', async () => {
    void loadCalendar();
    await bridge.take('library.calendar').answer(answer('1'));
    void loadCalendar();
    const ofAll = bridge.take('library.calendar');
    filterByCollection({ id: '7', name: 'Season' });
    expect(shownIds()).toBe(null);
    await ofAll.answer(answer('1'));
    expect(shownIds()).toBe(null);
    await bridge.take('library.calendar').answer(answer('2'));
    expect(shownIds()).toEqual(['2']);
  });

  it('have no error of another month', async () => {
    void loadCalendar();
    await bridge.take('library.calendar').refuse('site.unreachable');
    goTo({ day: '2996-08-01', hour: 9, itemId: null });
    expect(useCalendar.getState().error).toBe(null);
  });
});

describe('an item that is moved by keys', () => {
  const nextDay = (from: { day: string; hour: number }) => ({ day: dayBy(from.day, 1), hour: from.hour });
  const at = { day: DAY, hour: 9, itemId: '1' };
  /** Answers the next move; returns the time of the change. */
  const applied = async () => {
    const apply = bridge.take('edits.apply');
    await apply.answer({ group: null });
    return 'change' in apply.input && apply.input.change.publication;
  };

  beforeEach(async () => {
    useCalendar.setState({ place: at });
  });

  /** Presses a key twice, the second time before the first move has an answer. */
  async function pressTwice(second = nextDay): Promise<void> {
    void stepCalendarItem(row('1'), at, nextDay);
    void stepCalendarItem(row('1'), at, second);
    await bridge.take('library.rightsOf').refuse('site.unreachable');
  }

  /** The rights are asked for again because they are unknown. */
  async function withoutRights(): Promise<void> {
    await settled();
    if (bridge.waiting.includes('library.rightsOf')) await bridge.take('library.rightsOf').refuse('site.unreachable');
  }

  it('takes each step, one after another, and the focus goes with it', async () => {
    await pressTwice();
    expect(await applied()).toEqual({ kind: 'at', at: '2996-05-13T09:30:00.000Z' });
    expect(useCalendar.getState().place).toEqual({ ...at, day: '2996-05-13' });
    await withoutRights();
    expect(await applied()).toEqual({ kind: 'at', at: '2996-05-14T09:30:00.000Z' });
    expect(useCalendar.getState().place).toEqual({ ...at, day: '2996-05-14' });
  });

  it('comes back to its first day when the second step goes back', async () => {
    await pressTwice(({ day, hour }) => ({ day: dayBy(day, -1), hour }));
    await applied();
    await withoutRights();
    expect(await applied()).toEqual({ kind: 'at', at: '2996-05-12T09:30:00.000Z' });
  });

  it('does not take the focus back when the user has left it', async () => {
    void stepCalendarItem(row('1'), at, nextDay);
    await bridge.take('library.rightsOf').refuse('site.unreachable');
    const elsewhere = { day: '2996-05-20', hour: 9, itemId: null };
    goTo(elsewhere);
    const { focusRequests } = useCalendar.getState();
    await applied();
    expect(useCalendar.getState()).toMatchObject({ place: elsewhere, focusRequests });
  });

  it('takes no further step after one that failed', async () => {
    await pressTwice();
    await bridge.take('edits.apply').refuse('edit.needs-publish');
    await withoutRights();
    expect(bridge.waiting).not.toContain('edits.apply');
    expect(useCalendar.getState().place).toEqual(at);
    expect(useMessages.getState().messages).toHaveLength(1);
  });
});
