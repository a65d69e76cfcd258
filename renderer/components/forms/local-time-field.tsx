import { formatUtc, fromLocalInput, zoneName } from '../../text/format.ts';
import { classes } from '../button.tsx';
import { fieldStyles } from './field.tsx';
import styles from './local-time-field.module.css';
import { texts } from './texts.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns the first full hour that is at least half an hour away, in epoch milliseconds: a start value for the field.
 */
export function nextFullHour(nowMs: number): number {
  return Math.ceil((nowMs + HOUR_MS / 2) / HOUR_MS) * HOUR_MS;
}

interface LocalTimeFieldProps {
  label: string;
  /** A local time as the input writes it: `2026-11-22T08:00`. */
  value: string;
  onChange: (value: string) => void;
  /** The hint for a time in the past. */
  pastHint?: string;
  isInvalid?: boolean;
  /** For a field that replaces the button that had the focus. */
  autoFocus?: boolean;
}

/** A date and time in the time zone of this computer, with the same instant in UTC below it. */
export function LocalTimeField({
  label,
  value,
  onChange,
  pastHint = texts.time.past,
  isInvalid = false,
  autoFocus = false,
}: LocalTimeFieldProps) {
  const instant = fromLocalInput(value);
  const isPast = instant !== null && Date.parse(instant) < Date.now();
  return (
    <label className={fieldStyles.field}>
      <span className={fieldStyles.label}>{texts.time.label(label, zoneName())}</span>
      <input
        type="datetime-local"
        className={classes(fieldStyles.input, styles.datetime)}
        value={value}
        // biome-ignore lint/a11y/noAutofocus: the caller decides, see its comment
        autoFocus={autoFocus}
        aria-invalid={isInvalid}
        title={instant === null ? '' : formatUtc(instant)}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className={isInvalid ? fieldStyles.error : fieldStyles.hint}>
        {instant === null ? texts.time.missing : isPast ? pastHint : formatUtc(instant)}
      </span>
    </label>
  );
}
