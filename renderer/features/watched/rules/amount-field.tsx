import { useEffect, useId, useState } from 'react';
import { classes } from '../../../kit/components/button.tsx';
import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { formatWait } from '../../../kit/text/format.ts';
import { texts } from '../texts.ts';
import { amountText, readAmount, type Unit, unitOf } from './amount.ts';
import styles from './rules.module.css';

interface AmountFieldProps {
  label: string;
  /** The amount in base units: bytes or milliseconds. 0: no amount, shown as an empty field. */
  value: number;
  units: readonly Unit[];
  /** The unit of an empty field. */
  startUnit: Unit;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

/** An amount with its unit. Each typed value is applied immediately, so that the preview shows its effect. */
export function AmountField({ label, value, units, startUnit, min = 0, max, onChange }: AmountFieldProps) {
  const [unit, setUnit] = useState(() => unitOf(value, units, startUnit));
  const [text, setText] = useState(() => amountText(value, unit));
  const id = useId();
  // Shows a value that was changed elsewhere, for example by choosing another rule; typed text stays while it means the same
  // value.
  useEffect(() => {
    setText((typed) => (readAmount(typed, unit) === value ? typed : amountText(value, unit)));
  }, [value, unit]);
  const isInvalid = readAmount(text, unit) === null;
  const type = (typed: string) => {
    setText(typed);
    const read = readAmount(typed, unit);
    if (read !== null) onChange(Math.min(max, Math.max(min, read)));
  };
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.amount}>
        <input
          id={id}
          className={classes(fieldStyles.input, styles.amountInput)}
          inputMode="decimal"
          placeholder="0"
          value={text}
          onChange={(event) => type(event.target.value)}
          {...(isInvalid ? { 'aria-invalid': true, 'data-invalid': '', 'aria-describedby': `${id}-problem` } : {})}
        />
        <Select
          bare
          label={texts.fields.unit(label)}
          value={unit.id}
          options={units.map((each) => ({ value: each.id, label: each.label }))}
          onChange={(unitId) => {
            const next = units.find((each) => each.id === unitId);
            if (next === undefined) return;
            // The number stays: the user corrects only the unit.
            const read = readAmount(text, next);
            setUnit(next);
            if (read !== null) onChange(Math.min(max, Math.max(min, read)));
          }}
        />
      </div>
      {isInvalid ? (
        <span id={`${id}-problem`} className={fieldStyles.error}>
          {texts.fields.notANumber}
        </span>
      ) : null}
    </div>
  );
}

const MINUTE_MS = 60_000;
const CHOICES_MS = [1, 5, 15, 60, 6 * 60].map((minutes) => minutes * MINUTE_MS);

interface SweepFieldProps {
  /** Milliseconds; null: Mediadesk chooses. */
  value: number | null;
  onChange: (value: number | null) => void;
}

/** How often the folder is swept. */
export function SweepField({ value, onChange }: SweepFieldProps) {
  // The command line accepts any value, so a value that is no choice is offered as well.
  const all = value === null || CHOICES_MS.includes(value) ? CHOICES_MS : [...CHOICES_MS, value].sort((a, b) => a - b);
  return (
    <Select
      label={texts.fields.sweepEvery}
      value={value === null ? 'auto' : String(value)}
      options={[
        { value: 'auto', label: texts.fields.sweepAuto },
        ...all.map((ms) => ({ value: String(ms), label: texts.fields.sweepEveryMs(formatWait(ms / 1000)) })),
      ]}
      onChange={(next) => onChange(next === 'auto' ? null : Number(next))}
    />
  );
}
