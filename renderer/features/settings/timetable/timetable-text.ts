import type { TimetableWindow } from '../../../../shared/contract/settings.ts';
import { formatTimeOfDay } from '../../../kit/text/format.ts';
import { limitWords } from '../../../kit/text/limit-text.ts';
import { DAY_SHORT, WEEK } from '../../../kit/text/weekdays.ts';
import { texts } from '../texts.ts';

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** `Mon–Fri`, `Sat, Sun`, `Every day`. */
export function daysWords(days: readonly number[]): string {
  if (days.length === 7) return texts.timetable.everyDay;
  const places = WEEK.map((day, place) => (days.includes(day) ? place : -1)).filter((place) => place >= 0);
  const runs: number[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === place - 1) run.push(place);
    else runs.push([place]);
  }
  const name = (place: number | undefined) => DAY_SHORT[WEEK[place ?? 0] ?? 0];
  return runs.flatMap((run) => (run.length > 2 ? [`${name(run[0])}–${name(run.at(-1))}`] : run.map(name))).join(', ');
}

/** Returns whether a window ends on the next day. Equal times mean a whole day. */
export function passesMidnight({ from, to }: Pick<TimetableWindow, 'from' | 'to'>): boolean {
  return to <= from && to !== '00:00';
}

/** `Mon–Fri 22:00–06:00 (next day): 2 MB/s (16 Mbit/s)`. */
export function windowWords(window: TimetableWindow): string {
  const { days, from, to, limitBytesPerSecond } = window;
  return texts.timetable.window(
    daysWords(days),
    timeOfDay(minutesOf(from)),
    timeOfDay(minutesOf(to)),
    passesMidnight(window),
    limitWords(limitBytesPerSecond),
  );
}

/** A part of the week in minutes since Monday 00:00; `to` is exclusive. */
interface WeekSpan {
  from: number;
  to: number;
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

/** Returns the parts of a week in which a window is active. A part after the end of the week continues at its start. */
function activeSpans(window: TimetableWindow): WeekSpan[] {
  const from = minutesOf(window.from);
  const length = (minutesOf(window.to) - from + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  return window.days.flatMap((day) => {
    const start = ((day + 6) % 7) * DAY_MINUTES + from;
    const end = start + length;
    if (end <= WEEK_MINUTES) return [{ from: start, to: end }];
    return [
      { from: start, to: WEEK_MINUTES },
      { from: 0, to: end - WEEK_MINUTES },
    ];
  });
}

/** Returns the stricter of two limits: “nothing is sent” before a number, a number before “no limit”. */
export function stricter(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}

/** Returns, for each window, the indexes of the windows that overlap it. */
export function overlapsOf(timetable: readonly TimetableWindow[]): number[][] {
  const spans = timetable.map(activeSpans);
  return timetable.map((_, at) =>
    timetable.flatMap((_, other) => {
      if (other === at) return [];
      const meets = spans[at]?.some((a) => spans[other]?.some((b) => a.from < b.to && b.from < a.to));
      return meets ? [other] : [];
    }),
  );
}

interface DayPart extends WeekSpan {
  limit: number | null;
  /** True when no window is active, so that the usual limit applies. */
  isUsual: boolean;
}

/** Returns the active limits of each day from Monday on, as consecutive parts from 0 to 1440 minutes. */
export function weekParts(timetable: readonly TimetableWindow[], usual: number | null): DayPart[][] {
  const all = timetable.flatMap((window) =>
    activeSpans(window).map((span) => ({ ...span, limit: window.limitBytesPerSecond })),
  );
  return WEEK.map((_, place) => {
    const start = place * DAY_MINUTES;
    const end = start + DAY_MINUTES;
    const edges = new Set([start, end]);
    for (const { from, to } of all) for (const edge of [from, to]) if (edge > start && edge < end) edges.add(edge);
    const sorted = [...edges].sort((a, b) => a - b);
    const parts: DayPart[] = [];
    for (let index = 0; index + 1 < sorted.length; index += 1) {
      const from = sorted[index] as number;
      const to = sorted[index + 1] as number;
      const holding = all.filter((span) => span.from <= from && to <= span.to);
      const isUsual = holding.length === 0;
      const limit = isUsual ? usual : holding.reduce<number | null>((sum, { limit: one }) => stricter(sum, one), null);
      const last = parts.at(-1);
      if (last !== undefined && last.limit === limit && last.isUsual === isUsual) last.to = to - start;
      else parts.push({ from: from - start, to: to - start, limit, isUsual });
    }
    return parts;
  });
}

/** `08:30` for 510, or `8:30 AM`. */
export function timeOfDay(minutes: number): string {
  return formatTimeOfDay(Math.floor(minutes / 60), minutes % 60);
}

/** A time window that the user edits: its day or a time may still be missing. */
export interface TimetableDraft extends TimetableWindow {
  key: number;
  /** The last complete version, which stays active until the edited window is complete again. */
  active: TimetableWindow;
}

let nextKey = 1;

export function draftOf(window: TimetableWindow): TimetableDraft {
  return { ...window, key: nextKey++, active: window };
}

export function isComplete({ days, from, to }: TimetableWindow): boolean {
  return days.length > 0 && from !== '' && to !== '';
}

export function edited(draft: TimetableDraft, change: Partial<TimetableWindow>): TimetableDraft {
  const { key, active, ...window } = { ...draft, ...change };
  return { ...window, key, active: isComplete(window) ? window : active };
}

/** Returns the timetable of the edited windows. */
export function windowsOf(drafts: readonly TimetableDraft[]): TimetableWindow[] {
  return drafts.map(({ active }) => active);
}

/** Returns the text about missing input of a window and the version that is active until then; null for a complete window. */
export function incompleteWords(draft: TimetableDraft): string | null {
  if (isComplete(draft)) return null;
  const missing = draft.days.length === 0 ? texts.timetable.dayMissing : texts.timetable.timeMissing;
  return texts.timetable.untilComplete(missing, windowWords(draft.active));
}
