import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import styles from './choice.module.css';

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
