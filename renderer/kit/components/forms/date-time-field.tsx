import { type CalendarDate, type CalendarDateTime, parseDate, parseDateTime, parseTime } from '@internationalized/date';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import {
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
import { classes, IconButton } from '../button.tsx';
import popoverStyles from '../overlay/popover.module.css';
import { texts } from '../texts.ts';
import styles from './date-time-field.module.css';
import { fieldStyles } from './field.tsx';

interface DateFieldProps {
  label: string;
  /** `2026-11-22`; with a time `2026-11-22T08:00`; empty for none. */
  value: string;
  /** Called with a value in the same form; empty when all parts were cleared. */
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
  const shown = useParsed<CalendarDate | CalendarDateTime>(value, hasTime ? parseDateTime : parseDate);
  const [left, leave] = useLeft();
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
      // Only the first time: parts that the user left incomplete are created again, and must not take the focus back.
      autoFocus={autoFocus && left === 0}
    >
      <Label className={fieldStyles.label ?? ''}>{label}</Label>
      <Group className={classes(fieldStyles.input, styles.box)}>
        <Parts key={left} onLeave={leave} />
        <IconButton small label={texts.forms.time.calendar}>
          <CalendarDays size={14} aria-hidden />
        </IconButton>
      </Group>
      <Popover className={classes(popoverStyles.popover, styles.popover)} offset={4}>
        <Dialog className={styles.dialog ?? ''}>
          <Calendar>
            <header className={styles.head}>
              <IconButton slot="previous" label={texts.forms.time.monthBefore}>
                <ChevronLeft size={16} aria-hidden />
              </IconButton>
              <Heading className={styles.month ?? ''} />
              <IconButton slot="next" label={texts.forms.time.monthAfter}>
                <ChevronRight size={16} aria-hidden />
              </IconButton>
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
  const shown = useParsed(value, parseTime);
  const [left, leave] = useLeft();
  return (
    <TimeField
      key={left}
      value={shown}
      onChange={(next) => onChange(next === null ? '' : next.toString().slice(0, 5))}
      hourCycle={fieldHourCycle()}
      shouldForceLeadingZeros
      aria-label={label}
    >
      <Parts isAlone onLeave={leave} />
    </TimeField>
  );
}

interface PartsProps {
  isAlone?: boolean;
  /** The user has left the parts, and some of them are empty. */
  onLeave: () => void;
}

function Parts({ isAlone = false, onLeave }: PartsProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices what happens in the parts
    <div
      className={styles.parts}
      onBlur={({ currentTarget }) => {
        // Waits for a frame: while the focus moves from one part to another, no element has it for a moment.
        requestAnimationFrame(() => {
          if (!currentTarget.contains(document.activeElement) && hasEmptyPart(currentTarget)) onLeave();
        });
      }}
      // The parts stop key events, so they are handled in the capture phase.
      onKeyDownCapture={submitByEnter}
    >
      <DateInput className={classes(isAlone && fieldStyles.input, isAlone && styles.alone, styles.box)}>
        {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
      </DateInput>
    </div>
  );
}

function hasEmptyPart(parts: HTMLElement): boolean {
  return parts.querySelector('[data-placeholder]') !== null;
}

/**
 * Submits the form on Enter, as every other field does. Not while a part is empty: the form would send another value than the
 * parts show.
 */
function submitByEnter({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (key === 'Enter' && !hasEmptyPart(currentTarget)) currentTarget.closest('form')?.requestSubmit();
}

/** The first and the last day that a field accepts: the API writes years with four digits. */
const FIRST_DAY = parseDate('1000-01-01');
const LAST_DAY = parseDate('9999-12-31');

/** Returns the value of a text; null when it is empty or invalid. Returns the same object while the text is the same. */
function useParsed<Value>(text: string, parse: (text: string) => Value): Value | null {
  return useMemo(() => {
    try {
      return parse(text);
    } catch {
      // The field shows an invalid value as empty.
      return null;
    }
  }, [text, parse]);
}

/**
 * Counts how often the user left the field with empty parts. As the `key` of the field it creates the field anew, which shows
 * `value` again.
 */
function useLeft(): [number, () => void] {
  const [left, setLeft] = useState(0);
  return [left, () => setLeft((count) => count + 1)];
}
