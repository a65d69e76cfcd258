import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { classes } from '../button.tsx';
import { texts } from '../texts.ts';
import { fieldStyles } from './field.tsx';
import styles from './number-stepper.module.css';

interface NumberStepperProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

/**
 * A small whole number, changed by typing, by arrow keys or by two buttons. React Aria's number field cannot be used:
 * its announcer sets innerHTML, which the content security policy forbids.
 */
export function NumberStepper({ label, value, min, max, onChange }: NumberStepperProps) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const set = (next: number) => {
    const fitting = Math.min(max, Math.max(min, next));
    setText(String(fitting));
    if (fitting !== value) onChange(fitting);
  };
  const commit = () => {
    const typed = Number(text.trim());
    if (text.trim() === '' || !Number.isInteger(typed)) setText(String(value));
    else set(typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Enter') commit();
    if (step === undefined) return;
    event.preventDefault();
    set(step(value, min, max));
  };
  return (
    <div className={styles.stepper}>
      <Button
        className={styles.step ?? ''}
        aria-label={texts.forms.stepper.less(label)}
        isDisabled={value <= min}
        onPress={() => set(value - 1)}
      >
        <Minus size={14} aria-hidden />
      </Button>
      <input
        type="text"
        role="spinbutton"
        inputMode="numeric"
        className={classes(fieldStyles.input, styles.number)}
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      <Button
        className={styles.step ?? ''}
        aria-label={texts.forms.stepper.more(label)}
        isDisabled={value >= max}
        onPress={() => set(value + 1)}
      >
        <Plus size={14} aria-hidden />
      </Button>
    </div>
  );
}

const STEPS: Readonly<Record<string, (value: number, min: number, max: number) => number>> = {
  ArrowUp: (value) => value + 1,
  ArrowDown: (value) => value - 1,
  PageUp: (_value, _min, max) => max,
  PageDown: (_value, min) => min,
};
