import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, Switch as AriaSwitch, Label, Radio, RadioGroup } from 'react-aria-components';
import { texts } from '../texts.ts';
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

interface CheckboxProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  children: ReactNode;
}

export function Checkbox({ isSelected, onChange, children }: CheckboxProps) {
  return (
    <AriaCheckbox className={styles.choice ?? ''} isSelected={isSelected} onChange={onChange}>
      <span className={styles.box}>{isSelected ? <Check size={12} strokeWidth={3} aria-hidden /> : null}</span>
      {children}
    </AriaCheckbox>
  );
}

interface SwitchProps {
  label: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Switches a setting on or off immediately. Its visible label is beside it; `label` is for screen readers. */
export function Switch({ label, isSelected, onChange }: SwitchProps) {
  return (
    <AriaSwitch className={styles.switch ?? ''} isSelected={isSelected} onChange={onChange} aria-label={label}>
      <span className={styles.track}>
        <span className={styles.knob} />
      </span>
      <span className={styles.onOff} aria-hidden>
        {isSelected ? texts.forms.on : texts.forms.off}
      </span>
    </AriaSwitch>
  );
}
