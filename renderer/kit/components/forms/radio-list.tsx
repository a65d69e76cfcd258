import type { ReactNode } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { fieldStyles } from './field.tsx';
import styles from './radio-list.module.css';

interface RadioListProps<T extends string> {
  label: string;
  /** For a value that is not among the options, none is chosen. */
  value: string;
  options: readonly { value: T; label: string; meaning?: string }[];
  onChange: (value: T) => void;
  /** Shown below the options. */
  children?: ReactNode;
}

/** A few options below each other, one of them chosen, each with a line about its meaning. */
export function RadioList<T extends string>({ label, value, options, onChange, children }: RadioListProps<T>) {
  return (
    <RadioGroup className={fieldStyles.field ?? ''} value={value} onChange={(next) => onChange(next as T)}>
      <Label className={fieldStyles.label ?? ''}>{label}</Label>
      <div className={styles.options}>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={styles.option ?? ''}>
            <span className={styles.dot} aria-hidden />
            <span>
              <span className={styles.name}>{option.label}</span>
              {option.meaning === undefined ? null : <span className={styles.meaning}>{option.meaning}</span>}
            </span>
          </Radio>
        ))}
      </div>
      {children}
    </RadioGroup>
  );
}
