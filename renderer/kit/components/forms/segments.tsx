import type { ReactNode } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import styles from './choice.module.css';
import { fieldStyles } from './field.tsx';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  /** An option with an icon shows only the icon; its label is read by screen readers and shown as a tooltip. */
  options: readonly { value: T; label: string; icon?: ReactNode }[];
  onChange: (value: T) => void;
  /** Hides the label, if a label is beside the options. */
  hideLabel?: boolean;
}

/** A few options side by side, one of them selected. */
export function Segments<T extends string>({ label, value, options, onChange, hideLabel = false }: SegmentsProps<T>) {
  return (
    <RadioGroup
      className={fieldStyles.field ?? ''}
      value={value}
      onChange={(next) => onChange(next as T)}
      orientation="horizontal"
      {...(hideLabel ? { 'aria-label': label } : {})}
    >
      {hideLabel ? null : <Label className={fieldStyles.label ?? ''}>{label}</Label>}
      <div className={styles.segments}>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={styles.segment ?? ''}>
            {option.icon === undefined ? (
              option.label
            ) : (
              <span className={styles.segmentIcon} title={option.label}>
                {option.icon}
                <span className="visually-hidden">{option.label}</span>
              </span>
            )}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
