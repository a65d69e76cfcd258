import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { DAY_NAMES, DAY_SHORT, WEEK } from '../../text/weekdays.ts';
import styles from './weekday-picker.module.css';

interface WeekdayPickerProps {
  label: string;
  /** 0 is Sunday. */
  days: readonly number[];
  onChange: (days: number[]) => void;
}

/** Chooses days of the week, Monday first. */
export function WeekdayPicker({ label, days, onChange }: WeekdayPickerProps) {
  return (
    <ToggleButtonGroup
      className={styles.days ?? ''}
      aria-label={label}
      selectionMode="multiple"
      selectedKeys={days.map(String)}
      onSelectionChange={(keys) => onChange(WEEK.filter((day) => keys.has(String(day))))}
    >
      {WEEK.map((day) => (
        <ToggleButton key={day} id={String(day)} className={styles.day ?? ''}>
          <span aria-hidden>{DAY_SHORT[day]?.slice(0, 2)}</span>
          <span className="visually-hidden">{DAY_NAMES[day]}</span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
