import { Check, ChevronDown } from 'lucide-react';
import { Select as AriaSelect, Button, Label, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components';
import { shownName } from '../../text/shown-name.ts';
import { classes } from '../button.tsx';
import styles from '../overlay/popover.module.css';
import { fieldStyles } from './field.tsx';

export interface Option<T extends string> {
  value: T;
  label: string;
  detail?: string;
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  /** For toolbars: without frame and visible label, tinted when the value is not `restValue`. */
  flat?: boolean;
  restValue?: T;
  /** Hides the label, because a visible label is beside it. */
  bare?: boolean;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, flat = false, restValue, bare = false } = props;
  const chosen = flat && restValue !== undefined && value !== restValue;
  return (
    <AriaSelect
      aria-label={label}
      value={value}
      onChange={(key) => onChange(key as T)}
      className={classes(
        fieldStyles.field,
        flat ? styles.flat : bare ? undefined : styles.wide,
        chosen && styles.chosen,
      )}
    >
      {flat || bare ? null : <Label className={fieldStyles.label ?? ''}>{label}</Label>}
      <Button className={styles.trigger ?? ''}>
        <SelectValue className={styles.grow ?? ''}>
          {shownName(options.find((option) => option.value === value)?.label ?? label)}
        </SelectValue>
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className={styles.popover ?? ''} offset={4}>
        <ListBox className={styles.list ?? ''}>
          {options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} textValue={option.label} className={styles.item ?? ''}>
              <span className={styles.check}>{option.value === value ? <Check size={14} aria-hidden /> : null}</span>
              <span className={styles.grow}>{shownName(option.label)}</span>
              {option.detail === undefined ? null : <span className={styles.detail}>{option.detail}</span>}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
