import { type CalendarDate, type CalendarDateTime, parseDate, parseDateTime, parseTime } from '@internationalized/date';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
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
  /** Receives the same form; empty while a part is missing. */
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
  return (
    <DatePicker<CalendarDate | CalendarDateTime>
      className={fieldStyles.field ?? ''}
      value={hasTime ? parsed(value, parseDateTime) : parsed(value, parseDate)}
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
        <Segments />
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
  return (
    <TimeField
      value={parsed(value, parseTime)}
      onChange={(next) => onChange(next === null ? '' : next.toString().slice(0, 5))}
      hourCycle={fieldHourCycle()}
      shouldForceLeadingZeros
      aria-label={label}
    >
      <Segments isAlone />
    </TimeField>
  );
}

function Segments({ isAlone = false }: { isAlone?: boolean }) {
  return (
    <DateInput className={classes(styles.segments, isAlone && styles.box)}>
      {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
    </DateInput>
  );
}

/** The years that the API writes have four digits. */
const FIRST_DAY = parseDate('1000-01-01');
const LAST_DAY = parseDate('9999-12-31');

/** Returns null for a value that is incomplete. */
function parsed<Value>(value: string, parse: (text: string) => Value): Value | null {
  try {
    return parse(value);
  } catch {
    return null;
  }
}
