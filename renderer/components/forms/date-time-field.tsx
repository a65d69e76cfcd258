import { type CalendarDate, type CalendarDateTime, parseDate, parseDateTime, parseTime } from '@internationalized/date';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
  TimeField,
} from 'react-aria-components';
import { fieldHourCycle } from '../../text/format.ts';
import { classes } from '../button.tsx';
import popoverStyles from '../overlay/popover.module.css';
import styles from './date-time-field.module.css';
import { fieldStyles } from './field.tsx';
import { texts } from './texts.ts';

interface DateFieldProps {
  label: string;
  /** `2026-11-22`; with a time `2026-11-22T08:00`; empty for none. */
  value: string;
  /** Receives the same form; empty when all parts were cleared. */
  onChange: (value: string) => void;
  hasTime?: boolean;
  isInvalid?: boolean;
  /** The id of the element that explains the value. */
  describedBy: string;
  autoFocus?: boolean;
}

/** A date, with or without a time of day, entered by its parts or chosen in a calendar. */
export function DateField({
  label,
  value,
  onChange,
  hasTime = false,
  isInvalid = false,
  describedBy,
  autoFocus = false,
}: DateFieldProps) {
  const { shown, onLeave } = useShown<CalendarDate | CalendarDateTime>(value, hasTime ? parseDateTime : parseDate);
  return (
    <DatePicker<CalendarDate | CalendarDateTime>
      className={fieldStyles.field ?? ''}
      value={shown}
      onChange={(next) => onChange(next === null ? '' : hasTime ? next.toString().slice(0, 16) : next.toString())}
      granularity={hasTime ? 'minute' : 'day'}
      hourCycle={fieldHourCycle()}
      shouldForceLeadingZeros
      minValue={FIRST_DAY}
      maxValue={LAST_DAY}
      isInvalid={isInvalid}
      aria-describedby={describedBy}
      autoFocus={autoFocus}
    >
      <Label className={fieldStyles.label ?? ''}>{label}</Label>
      <Group className={styles.box ?? ''}>
        <Segments onLeave={onLeave} />
        <Button className={styles.open ?? ''} aria-label={texts.time.calendar}>
          <CalendarDays size={14} aria-hidden />
        </Button>
      </Group>
      <Popover className={classes(popoverStyles.popover, styles.popover)} offset={4}>
        <Dialog className={styles.dialog ?? ''}>
          <Calendar>
            <header className={styles.head}>
              <Button slot="previous" className={styles.turn ?? ''}>
                <ChevronLeft size={16} aria-hidden />
              </Button>
              <Heading className={styles.month ?? ''} />
              <Button slot="next" className={styles.turn ?? ''}>
                <ChevronRight size={16} aria-hidden />
              </Button>
            </header>
            <CalendarGrid className={styles.days ?? ''} weekdayStyle="short">
              {(date) => <CalendarCell date={date} className={styles.day ?? ''} />}
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}

interface TimeOfDayFieldProps {
  /** For screen readers. */
  label: string;
  /** `08:00`; empty for none. */
  value: string;
  onChange: (value: string) => void;
}

/** A time of day. */
export function TimeOfDayField({ label, value, onChange }: TimeOfDayFieldProps) {
  const { shown, onLeave } = useShown(value, parseTime);
  return (
    <TimeField
      value={shown}
      onChange={(next) => onChange(next === null ? '' : next.toString().slice(0, 5))}
      hourCycle={fieldHourCycle()}
      shouldForceLeadingZeros
      aria-label={label}
    >
      <Segments isAlone onLeave={onLeave} />
    </TimeField>
  );
}

interface SegmentsProps {
  isAlone?: boolean;
  onLeave: () => void;
}

function Segments({ isAlone = false, onLeave }: SegmentsProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left the parts
    <div
      className={styles.parts}
      onBlur={({ currentTarget }) => {
        // Between two parts nothing has the focus for a moment.
        requestAnimationFrame(() => {
          if (!currentTarget.contains(document.activeElement)) onLeave();
        });
      }}
    >
      <DateInput className={classes(styles.segments, isAlone && styles.box)}>
        {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
      </DateInput>
    </div>
  );
}

/** The years that the API writes have four digits. */
const FIRST_DAY = parseDate('1000-01-01');
const LAST_DAY = parseDate('9999-12-31');

/**
 * Returns the value to show; null for none. A value in which parts were cleared stays the former one until they are entered again,
 * and `onLeave` shows it again: what the field shows when the user has left it is what applies.
 */
function useShown<Value>(value: string, parse: (text: string) => Value) {
  const [left, setLeft] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object, even of the same time, makes the field show it whole
  const shown = useMemo(() => (value === '' ? null : parse(value)), [value, parse, left]);
  return { shown, onLeave: () => setLeft((count) => count + 1) };
}
