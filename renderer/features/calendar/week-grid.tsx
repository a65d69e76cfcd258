import { memo, useEffect, useRef } from 'react';
import { weekdayOf } from '../../../shared/model/calendar/calendar-days.ts';
import { classes } from '../../kit/components/button.tsx';
import { useNow } from '../../kit/components/time-hooks.ts';
import { DAY_SHORT } from '../../kit/text/weekdays.ts';
import styles from './calendar.module.css';
import { SlotEntries } from './slot-entries.tsx';
import { useDropPlace } from './state/calendar-drag.ts';
import { currentSlots, goTo, type Slot, slotAt, today, useCalendar } from './state/calendar-store.ts';
import { calendarTimeText } from './state/reschedule.ts';
import { currentIn } from './state/shown-entries.ts';
import { texts as dates } from './state/texts.ts';
import { fullDay, isSkipped } from './state/visible-range.ts';
import { texts } from './texts.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';

const MINUTE_MS = 60_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Entries of an hour; the others are in a list. */
const ENTRIES = 2;
const entriesOfHour = () => ENTRIES;

/** The hours of the days of a week. */
export function WeekGrid() {
  const range = useCalendar((state) => state.range);
  const place = useCalendar((state) => state.place);
  const timeZone = useCalendar((state) => state.timeZone);
  const slots = useCalendar(currentSlots);
  const now = useNow(true, MINUTE_MS);
  const present = today(now, timeZone);
  const onKeyDown = useCalendarKeys(entriesOfHour);
  const drop = useDropPlace();
  const scroller = useRef<HTMLDivElement>(null);
  // At first, the hour of the place is visible, not midnight.
  useEffect(() => {
    const hour = useCalendar.getState().place.hour;
    const row = scroller.current?.querySelector(`[data-row="${Math.max(0, hour - 1)}"]`);
    row?.scrollIntoView({ block: 'start' });
  }, []);
  const days = (range.weeks[0] ?? []).filter((day) => day !== null);
  const inSlot = (day: string, hour: number) => {
    const slot = slotAt(range, slots, day, hour);
    return { slot, currentId: currentIn(place, slot, ENTRIES, day === place.day && hour === place.hour) };
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the hours, and the head stays above them
    <div
      role="grid"
      aria-label={range.title}
      aria-busy={slots === null}
      className={styles.hours}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      ref={scroller}
      data-hours=""
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <div role="row" className={styles.dayNames} tabIndex={-1}>
        {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
        <span role="columnheader" tabIndex={-1}>
          <span className="visually-hidden">{texts.hours}</span>
        </span>
        {days.map((day) => (
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          <span
            key={day}
            role="columnheader"
            tabIndex={-1}
            aria-label={fullDay(day)}
            {...(day === present ? { 'data-today': '', 'aria-current': 'date' as const } : {})}
          >
            {DAY_SHORT[weekdayOf(day)]} <b>{dates.dates.inMonth(day)}</b>
          </span>
        ))}
      </div>
      {HOURS.map((hour) => (
        // biome-ignore lint/a11y/useSemanticElements: see the grid
        <div key={hour} role="row" className={styles.hourRow} tabIndex={-1} data-row={hour}>
          {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
          <span role="rowheader" tabIndex={-1} className={styles.hourName}>
            {calendarTimeText(`${hour}:00`)}
          </span>
          {days.map((day) => (
            <HourCell
              key={day}
              day={day}
              hour={hour}
              {...inSlot(day, hour)}
              isSkipped={isSkipped(range, day, hour)}
              isOver={drop?.day === day && drop.hour === hour}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface HourCellProps {
  day: string;
  hour: number;
  slot: Slot;
  /** Clocks skip this hour. */
  isSkipped: boolean;
  /** See `currentIn`. */
  currentId: string | null;
  isOver: boolean;
}

const HourCell = memo(function HourCell({ day, hour, slot, isSkipped: isGap, currentId, isOver }: HourCellProps) {
  const isCurrent = currentId === '';
  const time = calendarTimeText(`${hour}:00`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      role="gridcell"
      className={classes(styles.hour, styles.slot)}
      tabIndex={isCurrent ? 0 : -1}
      data-day={day}
      data-hour={hour}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !isCurrent) goTo({ day, hour, itemId: null });
      }}
      {...(isCurrent ? { 'data-current': '' } : {})}
      {...(isGap ? { 'data-gap': '' } : {})}
      {...(isOver ? { 'data-over': '' } : {})}
    >
      <span className="visually-hidden">
        {isGap ? dates.cell.skippedHour(fullDay(day), time) : dates.cell.hour(fullDay(day), time, slot.count)}
      </span>
      <SlotEntries day={day} hour={hour} slot={slot} most={ENTRIES} currentId={currentId} />
    </div>
  );
});
