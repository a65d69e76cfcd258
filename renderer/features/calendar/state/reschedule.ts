import type { MediaRow } from '../../../../shared/contract/library.ts';
import { draftTimeOn, localDayAndTime, movedTo } from '../../../../shared/model/calendar/calendar-times.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { formatTimeOfDay } from '../../../kit/text/format.ts';
import { formatDayInZone } from '../../../kit/text/weekdays.ts';
import { attempt, warn } from '../../common/state/messages-store.ts';
import { followGroup } from '../../edits/state/follow-group.ts';
import type { Target } from '../../library/state/selection/media-selection.ts';
import { runIfAllowed } from '../../library/state/selection/rights-store.ts';
import type { CalendarPlace } from './calendar-keys.ts';
import { goTo, refreshCalendar, useCalendar } from './calendar-store.ts';
import { texts } from './texts.ts';

/** The values of an item that decide whether and where it can be moved. */
export type MovableItem = Pick<MediaRow, 'id' | 'title' | 'status' | 'publishOn' | 'pending'>;

interface Refusal {
  text: string;
  nextStep: string;
}

/** Returns why an item can't be moved to another day; null when it can. */
export function refusalToMove({ title, status, pending }: MovableItem): Refusal | null {
  const { published, deleted, status: other } = texts.refused;
  const refusal =
    pending === 'deleted'
      ? deleted
      : status === 'published'
        ? published
        : status === 'scheduled' || status === 'draft'
          ? null
          : other;
  return refusal === null ? null : { text: refusal.text(title), nextStep: refusal.nextStep };
}

/** The items that the commands for a single item apply to. */
export function targetOfItem(siteId: string, { id, title }: Pick<MovableItem, 'id' | 'title'>): Target {
  return { selection: { siteId, ids: [id] }, count: 1, title };
}

/** The time of an item after a move. */
export interface Move {
  /** Epoch milliseconds. */
  at: number;
  /** The day and the time as texts show them: `Tue 5 May 2026, 09:00`. */
  when: string;
  /** The wanted time of day, if clocks skip it on that day; otherwise null. */
  skipped: string | null;
}

/** Returns the time of an item on a day, in the week at an hour (0 to 23); null keeps its time of day. */
export function moveOf(item: MovableItem, day: string, hour: number | null, timeZone: string, nowMs: number): Move {
  const from = item.publishOn === null ? null : Date.parse(item.publishOn);
  const { at, skipped } = from === null ? draftTimeOn(day, timeZone, nowMs, hour) : movedTo(from, day, timeZone, hour);
  return { at, when: formatDayInZone(at, timeZone), skipped: skipped === null ? null : calendarTimeText(skipped) };
}

/** `09:00`, or `9:00 AM` where the system shows times so. */
export function calendarTimeText(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return formatTimeOfDay(hours, minutes);
}

/**
 * Schedules an item for another day, or for an hour of it, and offers to undo that. Shows in a message why it can't be done: the
 * item is published, the time has passed, or the account lacks the right. Returns the item with its time after the move; null when
 * it was not moved.
 */
export async function moveItem(item: MovableItem, day: string, hour: number | null): Promise<MovableItem | null> {
  const { siteId, timeZone } = useCalendar.getState();
  if (siteId === null) return null;
  const refusal = refusalToMove(item);
  if (refusal !== null) return refuse(refusal);
  const move = moveOf(item, day, hour, timeZone, Date.now());
  if (item.status === 'scheduled' && item.publishOn !== null && Date.parse(item.publishOn) === move.at) return item;
  const { text, nextStep } = texts.refused.past;
  if (move.at <= Date.now()) return refuse({ text: text(item.title, move.when), nextStep });
  const target = targetOfItem(siteId, item);
  let isMoved = false;
  let applying = Promise.resolve();
  await runIfAllowed(target, 'publish', () => {
    applying = attempt(async () => {
      await apply(target, item, move);
      isMoved = true;
    });
  });
  await applying;
  return isMoved ? { ...item, status: 'scheduled', publishOn: new Date(move.at).toISOString() } : null;
}

function refuse({ text, nextStep }: Refusal): null {
  warn(text, nextStep);
  return null;
}

async function apply({ selection }: Target, item: MovableItem, { at, when, skipped }: Move): Promise<void> {
  const change = { publication: { kind: 'at', at: new Date(at).toISOString() } } as const;
  const { group } = await call('edits.apply', { selection, change, label: texts.moved.label(when) });
  if (group !== null) {
    const done = texts.moved.done(item.title, when, skipped, item.status === 'scheduled');
    followGroup(group, { kind: 'item', words: { done, waiting: texts.moved.waiting(done) } });
  }
  refreshCalendar();
}

/** Returns the day and the hour to which a key moves an item from a place. */
type Step = (from: CalendarPlace) => { day: string; hour: number };

/** The steps of each item that is being moved, which wait for the ones before them. */
const steps = new Map<string, Step[]>();

/**
 * Moves an item by keys, as `moveItem` does. A step that is asked for during another one waits, and starts where that one ends.
 * The place of the keyboard focus moves with the item, unless the user left the item in the meantime.
 */
export async function stepCalendarItem(first: MovableItem, from: CalendarPlace, step: Step): Promise<void> {
  const waiting = steps.get(first.id);
  if (waiting !== undefined) {
    waiting.push(step);
    return;
  }
  const own = [step];
  const { siteId } = useCalendar.getState();
  steps.set(first.id, own);
  try {
    let [item, place] = [first, from];
    for (let next = own.shift(); next !== undefined; next = own.shift()) {
      const { range, timeZone, siteId: openSite } = useCalendar.getState();
      if (openSite !== siteId) return;
      const isWeek = range.mode === 'week';
      const to = next(place);
      const moved = await moveItem(item, to.day, isWeek ? to.hour : null);
      if (moved?.publishOn == null) return;
      const { day, time } = localDayAndTime(Date.parse(moved.publishOn), timeZone);
      [item, place] = [moved, { day, hour: isWeek ? Number(time.slice(0, 2)) : place.hour, itemId: moved.id }];
      if (useCalendar.getState().place.itemId === moved.id) goTo(place, { focuses: true });
    }
  } finally {
    steps.delete(first.id);
  }
}
