import { Check } from 'lucide-react';
import styles from './row-check.module.css';

/**
 * The box of a row or tile that adds it to the selection: visible at the pointer, and everywhere once several are selected. For
 * the mouse only; screen readers hear `aria-selected`, and the keyboard selects with Space.
 */
export function RowCheck() {
  return (
    <span className={styles.hit} data-check aria-hidden>
      <span className={styles.box}>
        <Check size={12} strokeWidth={3} />
      </span>
    </span>
  );
}
