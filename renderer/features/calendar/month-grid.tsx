import { memo, useLayoutEffect, useRef, useState } from 'react';
import { weekdayOf } from '../../../shared/model/calendar/calendar-days.ts';
import { classes } from '../../kit/components/button.tsx';
import { useNow } from '../../kit/components/time-hooks.ts';
import { DAY_NAMES, DAY_SHORT } from '../../kit/text/weekdays.ts';
import styles from './calendar.module.css';
import { SlotEntries } from './slot-entries.tsx';
import { useDropPlace } from './state/calendar-drag.ts';
import { currentSlots, goTo, type Slot, slotAt, today, useCalendar } from './state/calendar-store.ts';
import { currentIn } from './state/shown-entries.ts';
import { texts as dates } from './state/texts.ts';
import { fullDay } from './state/visible-range.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';

const MINUTE_MS = 60_000;
const NUMBER_HEIGHT = 23;
const ENTRY_HEIGHT = 24;

/** The days of a month in weeks, each with as many items as fit. */
export function MonthGrid() {
  const range = useCalendar((state) => state.range);
  const place = useCalendar((state) => state.place);
  const timeZone = useCalendar((state) => state.timeZone);
  const slots = useCalendar(currentSlots);
  const now = useNow(true, MINUTE_MS);
  const present = today(now, timeZone);
  const { ref, entries } = useFittingEntries(range.weeks.length);
  const onKeyDown = useCalendarKeys(() => entries);
  const drop = useDropPlace();
  const [week = []] = range.weeks;
  const inSlot = (day: string) => {
    const slot = slotAt(range, slots, day, 0);
    return { slot, currentId: currentIn(place, slot, entries, day === place.day) };
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the days; a table would not share its height among the weeks
    <div
      role="grid"
      aria-label={range.title}
      aria-busy={slots === null}
      className={styles.month}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <div role="row" className={styles.weekdays} tabIndex={-1}>
        {(range.weeks[1] ?? week).map((day) =>
          day === null ? null : (
            // biome-ignore lint/a11y/useSemanticElements: see the grid
            <span key={weekdayOf(day)} role="columnheader" tabIndex={-1} aria-label={DAY_NAMES[weekdayOf(day)]}>
              {DAY_SHORT[weekdayOf(day)]}
            </span>
          ),
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <div role="rowgroup" className={styles.weeks} ref={ref} tabIndex={-1}>
        {range.weeks.map((days) => (
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          <div key={days.find((day) => day !== null)} role="row" className={styles.week} tabIndex={-1}>
            {days.map((day, index) =>
              day === null ? (
                // biome-ignore lint/a11y/useSemanticElements: see the grid
                // biome-ignore lint/suspicious/noArrayIndexKey: a day that does not exist has no other name
                <div key={index} role="gridcell" tabIndex={-1} aria-disabled className={styles.day} data-outside="" />
              ) : (
                <DayCell
                  key={day}
                  day={day}
                  {...inSlot(day)}
                  isOutside={day.slice(0, 7) !== range.month}
                  isToday={day === present}
                  isOver={drop?.day === day}
                  entries={entries}
                />
              ),
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

interface DayCellProps {
  day: string;
  slot: Slot;
  /** It belongs to another month than the shown one. */
  isOutside: boolean;
  isToday: boolean;
  /** See `currentIn`. */
  currentId: string | null;
  isOver: boolean;
  entries: number;
}

const DayCell = memo(function DayCell(props: DayCellProps) {
  const { day, slot, isOutside, isToday, currentId, isOver, entries } = props;
  const name = dates.cell.day(fullDay(day), slot.count);
  const isCurrent = currentId === '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      role="gridcell"
      className={classes(styles.day, styles.slot)}
      tabIndex={isCurrent ? 0 : -1}
      data-day={day}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !isCurrent) goTo({ ...placeAt(day), itemId: null });
      }}
      {...(isCurrent ? { 'data-current': '' } : {})}
      {...(isOutside ? { 'data-outside': '' } : {})}
      {...(isToday ? { 'data-today': '', 'aria-current': 'date' as const } : {})}
      {...(isOver ? { 'data-over': '' } : {})}
    >
      <span className="visually-hidden">{isToday ? dates.cell.today(name) : name}</span>
      <span className={styles.number} aria-hidden>
        {dates.dates.inMonth(day)}
      </span>
      <SlotEntries day={day} hour={null} slot={slot} most={entries} currentId={currentId} />
    </div>
  );
});

function placeAt(day: string) {
  return { ...useCalendar.getState().place, day };
}

/** Returns how many entries fit into a day, by the height of the weeks. */
function useFittingEntries(weeks: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const measure = () => setHeight(current.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  const day = height === 0 ? 0 : Math.max(MIN_DAY_HEIGHT, height / weeks);
  return { ref, entries: Math.max(1, Math.floor((day - NUMBER_HEIGHT - 2) / ENTRY_HEIGHT)) };
}

/** As in the styles: a lower window scrolls. */
const MIN_DAY_HEIGHT = 74;
